/** Words beside a number that say it is for a telephone, in the languages with most pages. Each must start a word. */
export const phoneWords: readonly string[] = [
  "phone", "telephone", "telefon", "teléfono", "telefono", "téléphone", "telefone", "telefoon", "puhelin", "telf", "tel:", "tel.", "tel ", "tel=", "tél",
  "mobile", "mobil", "móvil", "cell", "celular", "handy", "fax", "call me", "call us", "call at", "call on", "call (", "dial ", "ring ", "whatsapp", "sms", "text me", "messages to", "contact me", "contact us", "reach me",
  "contact no", "contact number", "hotline", "ph:", "ph.", "rufnummer", "numara", "desk:", "number is", "电话", "電話", "전화", "手机", "携帯", "телефон", "тел.",
];
