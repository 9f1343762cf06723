/** Words beside a number that say it is for a telephone, in the languages with most pages. Each must start a word. */
export const phoneWords: readonly string[] = [
  "phone", "telephone", "telefon", "teléfono", "telefono", "téléphone", "telefone", "telefoon", "puhelin", "telf", "tel:", "tel.", "tel ", "tel=", "tél",
  "mobile", "mobil", "telemóvel", "gsm", "komórk", "matkapuhelin", "celulare", "portable :", "portable:", "móvil", "cell", "celular", "handy", "fax", "call me", "call us", "call at", "call on", "call (", "call 0", "customer service", "office:", "office (", "office 0", "dial ", "ring ", "whatsapp", "sms", "text me", "messages to", "contact me", "contact us", "reach me",
  "contact no", "contact number", "hotline", "rufen sie", "ruf mich", "anrufen", "erreichbar unter", "llámame", "llame al", "llamar al", "appelez", "joindre au", "chiama", "bel me", "bel ons", "ligue para", "zadzwoń", "ring mig", "soita", "arayın", "ph:", "ph.", "rufnummer", "numara", "desk:", "number is", "电话", "電話", "전화", "手机", "携帯", "連絡先", "聯絡", "联系方式", "휴대폰", "연락처", "телефон", "тел.", "тел:", "моб.", "звоните", "τηλέφωνο", "τηλ", "κινητό", "טלפון", "נייד", "هاتف", "โทร", "điện thoại", "फोन",
];
