/** Words beside a number that say it is for a telephone, in the languages with most pages. Each must start a word. */
export const phoneWords: readonly string[] = [
  "phone", "telephone", "telefon", "teléfono", "telefono", "téléphone", "telefone", "telefoon", "puhelin", "telf", "tel:", "tel.", "tel ", "tel=", "tél",
  "mobile", "mobil", "telemóvel", "gsm", "komórk", "matkapuhelin", "celulare", "portable :", "portable:", "móvil", "cell", "celular", "handy", "fax", "call me", "call us", "customer service", "office:", "office (", "office 0", "dial ", "ring ", "whatsapp", "sms", "text me", "messages to", "contact me", "contact us", "reach me",
  "contact no", "contact:", "contact tel", "kontakt:", "hp:", "hp no", "handphone", "natel", "mob:", "mob.", "mob no", "call ", "text ", "no. hp", "no hp", "nomor", "ligne directe", "appeler", "číslo", "tel. č.", "mobitel", "contact number", "hotline", "fon ", "fon:", "fone", "tlf", "tfno", "teléf", "puh.", "mobiel", "cep:", "cep tel", "recapito", "contato", "contatto:", "contatti:", "contacto:", "contactnumber", "joignable", "notfall", "emergency contact", "toll-free", "toll free", "direct:", "home:", "work:", "☎", "📞", "📱",  "rufen sie", "ruf mich", "anrufen", "erreichbar unter", "llámame", "llame al", "llamar al", "appelez", "joindre au", "chiama", "bel me", "bel ons", "ligue para", "zadzwoń", "ring mig", "soita", "arayın", "ph:", "ph.", "rufnummer", "numara", "desk:", "电话", "電話", "전화", "手机", "携帯", "連絡先", "聯絡", "联系方式", "휴대폰", "연락처", "телефон", "тел.", "тел:", "моб.", "звоните", "τηλέφωνο", "τηλ", "κινητό", "טלפון", "נייד", "هاتف", "โทร", "điện thoại", "फोन",
];

export const wordsAfter = /[ ]{0,2}\(?(?:home|work|cell|mobile|fax|office|phone)\b/iy;
export const extension = /[ ]{0,2}(?:x|ext\.?|extension|#)[ .:]{0,2}[0-9]{1,6}(?![0-9A-Za-z])/iy;
/** `my number is 13812345678`, `our UK number is`; `my order number is` speaks of another one. */
export const numberIs = /(?<=(?<![A-Za-z])(?:my|his|her|our|their|[A-Z]{2}) number is:? {1,2})/y;
/** `T: 030 901820`, `M 0171 5550123` as in signatures. */
export const letterBefore = /(?<![A-Za-z0-9.])[TMPFHWD][.]?(:?) {0,2}$/;
/** Words before a number that say it is no phone number, such as `serial` or `invoice no.`. */
export const otherNumberBefore =
  /(?:(?<![a-z])(?:isbn|issn|doi|version|ver\.?|release|build|rfc|id|order|invoice|ticket|case|reference|ref|tracking|parcel|serial|part|item|product|sku|customer|booking|policy|claim|bestellung|bestell|rechnungs?|auftrags?|kunden|commande|facture|pedido|factura|ordine|fattura|注文|商品|订单)(?:[ -]?(?:number|nummer|no\.?|nr\.?|id|code|n[°º]|番号|号|编号))?(?: is| ist| est| es)?|#|€|£|\$|¥)[\s:：#.-]{0,3}$/i;
