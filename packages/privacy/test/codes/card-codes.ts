/** Card verification values; `*` is one of three digits. */
export const cardCodes: readonly string[] = [
  "CVV: *", "CVV *", "CVC: *", "CVC2 *", "CVV2=*", "cvv:*", "CVV is *", "my cvv is *", "CVV\n*", "CVV:\n*", "CVC\n\n*", "Security code\n*", "Security code: *", "CVV\t*", "| CVV | * |", "CVV | *", "* (CVV)", "* (security code)", "Card verification value: *",
  "Card security code *", "CVV/CVC: *", "cvv=\"*\"", "{\"cvv\":\"*\"}", "{\"cvc\": *}", "\"{\\\"cvv\\\":\\\"*\\\"}\"", "card_cvv=*", "cardCvv: '*'", "4111 1111 1111 1111 12/27 CVV *", "exp 12/27 cvc *", "Kartenprüfnummer: *", "Prüfnummer\n*", "Sicherheitscode: *", "Code de sécurité : *", "Cryptogramme visuel : *", "Cryptogramme\n*", "Código de seguridad: *",
  "Codice di sicurezza: *", "Código de segurança: *", "код CVV: *", "CVV-код: *", "安全码：*", "セキュリティコード：*", "CVV（*）", "보안코드: *", "Number\tExpiry\tCVV\n4111\t12/27\t*", "3-digit code: *", "CVN: *", "CVV code: *", "**CVV:** *", "CVV - *",
];

/** Numbers of three digits that are no such values. */
export const noCardCodes: readonly string[] = [
  "cvv is on the back", "CVV 2024 edition", "the CVV has 3 or 4 digits", "Enter the CVV (3 digits)", "CVV must be 3 digits", "room 123", "page 123", "security code of 2019", "error 404", "the security code was reviewed in 2021", "cvv: null", "cvv: number", "cvvLength = 3", "cvv_max: 4", "CVC Capital Partners 2023 report", "flight CVC 1204 to Perth", "security codes 10 years ago", "see section 123 on security codes", "123 cards", "123 people like the CVV", "code 200", "CVV-123-A4 datasheet", "cvc: string", "3-digit codes are used in 120 countries", "cvv?: string", "maxLength={3} name=\"cvv\"", "const cvv = useState()", "CVV match result: M", "Sicherheitscode eingeben", "code de sécurité oublié", "security code review took 120 minutes", "CVV required", "CVV *", "cvv = ***", "port 443, security code", "123-456 security code unknown", "a security code audit of 345 files", "on 24 security code pages", "CVC-120 engine", "cvv.length === 3",
];
