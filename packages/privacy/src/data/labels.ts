/** Names of values that nothing but their label gives away, each with the shape that the value must have. */
export interface Label {
  /** Kind of what follows. */
  readonly kind: string;
  /** The label, as text; must start a word. */
  readonly words: readonly string[];
  /** The value: bounded, tried at each place where the layout says that a value of the label may stand. */
  readonly value: string;
  /** The value alone looks like any other number, so only a sign, a cell or a line of its own joins it to its label. Default false. */
  readonly isStrict?: boolean;
}

const code = "(?=[A-Za-z0-9-]{0,30}[0-9])[A-Za-z0-9](?:[A-Za-z0-9-]{4,28}[A-Za-z0-9])";
/** At least four digits: `BSD-2-Clause` is a licence too. */
const permit = "(?!rfc|RFC|iso|ISO|DIN)(?=(?:[A-Za-z -]{0,8}[0-9]){4})[A-Za-z0-9](?:[A-Za-z0-9-]{4,28}[A-Za-z0-9])";
const day = "(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:T[0-9:.+-]{4,18}Z?)?|[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ][0-9]{2,4}|[0-9]{1,2}(?:st|nd|rd|th|er|º|\\.)? ?(?:of |de )?[A-Za-z\\u00c0-\\u017f\\u0400-\\u04ff]{3,10}\\.?,? ?(?:de )?[0-9]{4}|[A-Za-z]{3,10}\\.? [0-9]{1,2}(?:st|nd|rd|th)?,? [0-9]{4}|(?:19|20)[0-9]{2}年[0-9]{1,2}月[0-9]{1,2}日)";
/** Letters and digits with two digits in a row near the start; no word is. */
const passport = "(?=[A-Za-z0-9]{0,4}[0-9]{2})[A-Za-z0-9]{2}[A-Za-z0-9]{4,9}";

/** An address of Ethereum, of the base58 family, or bech32; the check sum is for those without a label. */
const wallet = "(?:0x[0-9a-fA-F]{40}|(?=[A-Za-z]{0,43}[0-9])[1-9A-HJ-NP-Za-km-z]{25,95}|[a-z]{2,8}1[02-9ac-hj-np-z]{20,90})";

/** A label of several words is also the name of a field: `date_of_birth`, `dateOfBirth`, `date-of-birth`. */
function withNames(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => (/^[a-z0-9]+(?:[ -][a-z0-9]+)+$/.test(word) ? [...new Set([word, ...["", " ", "_", "-"].map((joint) => word.replaceAll(/[ -]/g, joint))])] : [word]));
}

const digits = (from: number, to: number): string => `[0-9]{${from},${to}}`;
/** Base32 (RFC 4648), in capitals or with a digit, as one word or in groups of four. */
const setupKey = "(?:[A-Z2-7]{16,64}|(?=[a-z2-7]{16})(?=[a-z]{0,62}[2-7])[a-z2-7]{16,64}|(?:[A-Z2-7]{4}[ -]){3,15}[A-Z2-7]{4}|(?=[a-z2-7]{4}[ -])(?=[a-z -]{0,60}[2-7])(?:[a-z2-7]{4}[ -]){3,15}[a-z2-7]{4})";
const recoveryCode = "(?:(?=[0-9A-Za-z-]{0,20}[0-9])[0-9A-Za-z]{3,10}(?:-[0-9A-Za-z]{3,10}){1,5}|[0-9]{4} [0-9]{4}|(?=[A-Za-z]{0,11}[0-9])[0-9A-Za-z]{6,16})";
/** Several codes, one after another, with blanks, commas, bullets or numbers between them. */
const recoveryCodes = `${recoveryCode}(?:[ ,;"'\\t\\r\\n•*-]{1,6}(?:[0-9]{1,2}[.)][ ])?(?:\\[[ x]\\] )?["']?${recoveryCode}){0,19}`;
const phrase = "(?:[0-9]{1,2}[.)] )?[a-z]{3,8}(?:[ ,\\r\\n]{1,3}(?:[0-9]{1,2}[.)] )?[a-z]{3,8}){11,23}";
/** Letters and digits, as in `ABC-123`, or digits, perhaps in two groups. */
const shortCode = "(?:[0-9]{4,8}|[0-9]{3}[ -][0-9]{3}|[0-9]{4}[ -][0-9]{4}|(?=[A-Z]{0,7}[0-9])[A-Z0-9]{5,8}|[A-Z0-9]{3,4}-(?=[A-Z]{0,3}[0-9])[A-Z0-9]{3,4}|(?=[0-9]{0,8}[A-Za-z])(?=[A-Za-z]{0,8}[0-9])[A-Za-z0-9]{6,9})";

/** Codes and keys that let someone in or pay: removed at every level. */
const floorRows: readonly Label[] = [
  { kind: "cvv", words: ["cvv2", "cvv", "cvc", "cvc2", "cvn", "cid code", "cvv/cvc", "card verification", "card verification code", "card verification number", "card verification value", "card security code", "security code", "3-digit code", "3 digit code", "code on the back", "three digits on the back", "3 digits on the back", "trois chiffres au dos", "drei ziffern auf der rückseite", "tre cifre sul retro", "tre cifre dietro", "tres dígitos del reverso", "três dígitos do verso", "prüfnummer", "prüfziffer", "kartenprüfnummer", "kartenprüfziffer", "sicherheitscode", "cryptogramme", "cryptogramme visuel", "code de sécurité", "código de seguridad", "codice di sicurezza", "código de segurança", "beveiligingscode", "код безопасности", "安全码", "安全碼", "セキュリティコード", "보안코드", "보안 코드"], value: digits(3, 4), isStrict: true },
  { kind: "pin", words: ["pin", "pin code", "pin number", "pin-code", "pins", "puk", "puk code", "geheimzahl", "geheimnummer", "code pin", "code secret", "código pin", "codice pin", "pincode", "código secreto", "pin-код", "пин-код", "пин код", "пин", "暗証番号", "交易密码", "取款密码", "支付密码", "비밀번호 4자리", "핀번호"], value: digits(4, 8), isStrict: true },
  { kind: "one_time_code", words: ["otp", "totp", "otp code", "one-time code", "one time code", "one-time password", "one time password", "one-time passcode", "one-time pin", "one time passcode", "single-use code", "single use code", "temporary code", "verification code", "verification pin", "verify code", "security code", "authentication code", "authenticator code", "authorization code", "authorisation code", "confirmation code", "approval code", "login code", "log-in code", "sign-in code", "sign in code", "signin code", "access code", "activation code", "unlock code", "2fa code", "2fa", "mfa code", "two-factor code", "two-step code", "2-step verification code", "passcode", "auth code", "sms code", "text code", "email code", "your code", "6-digit code", "six-digit code", "reset code", "pairing code", "device code", "tan", "mtan", "sms-tan", "bestätigungscode", "verifizierungscode", "anmeldecode", "sicherheitscode", "einmalcode", "einmalpasswort", "einmal-code", "zugangscode", "freischaltcode", "aktivierungscode", "ihr code", "dein code", "code de vérification", "code de confirmation", "code de connexion", "code de sécurité", "code d'accès", "code d’accès", "code d'authentification", "code d’authentification", "code à usage unique", "code d'activation", "code d’activation", "code de validation", "votre code", "código de verificación", "código de confirmación", "código de acceso", "código de seguridad", "código de un solo uso", "código de activación", "código de inicio de sesión", "tu código", "su código", "clave dinámica", "codice di verifica", "codice di conferma", "codice di accesso", "codice di sicurezza", "codice monouso", "codice di attivazione", "il tuo codice", "código de verificação", "código de confirmação", "código de acesso", "código de segurança", "código de ativação", "código de uso único", "seu código", "verificatiecode", "bevestigingscode", "inlogcode", "eenmalige code", "kod weryfikacyjny", "kod jednorazowy", "код подтверждения", "код для входа", "код доступа", "код безопасности", "код активации", "одноразовый код", "одноразовый пароль", "проверочный код", "ваш код", "验证码", "驗證碼", "校验码", "动态码", "动态密码", "确认码", "一次性密码", "認証コード", "認証番号", "確認コード", "ワンタイムパスワード", "ワンタイムコード", "ログインコード", "セキュリティコード", "인증번호", "인증 번호", "인증코드", "인증 코드", "확인 코드", "doğrulama kodu", "onay kodu", "mã xác minh", "mã xác nhận", "kode verifikasi", "رمز التحقق", "קוד אימות", "รหัสยืนยัน"], value: shortCode, isStrict: true },
  { kind: "setup_key", words: ["setup key", "set-up key", "setup code", "set-up code", "manual entry key", "manual setup key", "manual key", "manual code", "authenticator key", "authenticator secret", "authentication key", "secret key", "shared secret", "secret", "totp", "otp", "2fa", "mfa", "totp secret", "totp key", "otp secret", "otp key", "2fa secret", "2fa key", "mfa secret", "mfa key", "two-factor secret", "google authenticator", "enter this key", "enter this code", "this text", "このキー", "enter the key", "this key", "text code", "configuration key", "einrichtungsschlüssel", "einrichtungscode", "geheimer schlüssel", "schlüssel", "clé de configuration", "clé secrète", "clé", "clave de configuración", "clave secreta", "clave", "chiave di configurazione", "chiave segreta", "chiave", "chave de configuração", "chave secreta", "chave", "ключ настройки", "секретный ключ", "ключ", "设置密钥", "密钥", "金鑰", "セットアップキー", "シークレットキー", "秘密鍵"], value: setupKey },
  { kind: "recovery_code", words: ["recovery code", "recovery codes", "recovery key", "backup code", "backup codes", "back-up code", "back-up codes", "backup key", "emergency code", "emergency codes", "scratch code", "scratch codes", "rescue code", "wiederherstellungscode", "wiederherstellungscodes", "wiederherstellungsschlüssel", "backup-code", "backup-codes", "ersatzcodes", "notfallcodes", "codes de secours", "code de secours", "code de récupération", "codes de récupération", "código de recuperación", "códigos de recuperación", "códigos de respaldo", "código de respaldo", "codice di recupero", "codici di recupero", "codici di backup", "código de recuperação", "códigos de recuperação", "códigos de backup", "резервный код", "резервные коды", "код восстановления", "коды восстановления", "备用码", "备用验证码", "备份验证码", "备份码", "恢复码", "恢复代码", "バックアップコード", "リカバリーコード", "回復コード"], value: recoveryCodes, isStrict: true },
  { kind: "recovery_code", words: ["seed phrase", "recovery phrase", "secret phrase", "backup phrase", "mnemonic", "mnemonic phrase", "secret recovery phrase", "wiederherstellungsphrase", "wiederherstellungswörter", "mots de récupération", "palabras de recuperación", "parole di recupero", "palavras de recuperação", "phrase de récupération", "frase de recuperación", "frase semilla", "frase di recupero", "frase de recuperação", "сид-фраза", "助记词", "シードフレーズ"], value: phrase },
];

const rows: readonly Label[] = [
  { kind: "bank_account", words: ["account number", "account no", "account #", "account:", "account ", "acct", "kto-nr", "kto.-nr", "kto.nr", "kto. nr", "acc no", "acc. no", "a/c no", "a/c", "kontonummer", "konto-nr", "kontonr", "numéro de compte", "numero de compte", "n° de compte", "número de cuenta", "numero di conto", "conto corrente", "rekeningnummer", "bank account", "numer konta", "número da conta", "clabe", "口座番号", "账号", "계좌번호"], value: "[0-9][0-9 -]{5,22}[0-9]" },
  { kind: "bank_account", words: ["routing number", "routing no", "routing #", "aba number", "aba routing", "aba", "transit number", "sort code", "bankleitzahl", "blz", "bsb"], value: "[0-9](?:[0-9 -]{4,10})[0-9]" },
  { kind: "bank_account", words: ["ifsc"], value: "[A-Z]{4}0[A-Z0-9]{6}" },
  { kind: "bank_account", words: ["swift", "bic"], value: "[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?" },
  { kind: "passport", words: ["passport", "reisepass", "passeport", "pasaporte", "passaporto", "passaporte", "paspoort", "paszport", "pasaport", "travel document", "паспорт", "旅券", "パスポート", "护照", "護照", "여권"], value: passport },
  { kind: "licence", words: ["driver's license", "driver’s license", "drivers license", "driver license", "driving licence", "driving license", "driver's licence", "driver’s licence", "drivers licence", "driver licence", "driver's lic.", "driver’s lic.", "license number", "licence number", "license no", "license #", "licence #", "licence no", "license:", "licence:", "dl number", "dl no", "dl#", "dl:", "dln", "führerschein", "permis de conduire", "permiso de conducir", "carnet de conducir", "licencia de conducir", "patente di guida", "carta de condução", "carteira de habilitação", "cnh", "prawo jazdy", "rijbewijs", "körkort", "ajokortti", "førerkort", "運転免許", "驾驶证", "운전면허"], value: permit },
  { kind: "medical_record", words: ["mrn", "medical record", "patient id", "patient no", "patient number", "hospital number", "hospital no", "health record", "health id", "health insurance", "health card", "chart number", "chart no", "member id", "member no", "member number", "member #", "health plan", "policy #", "insurance policy", "subscriber id", "medicaid id", "medicaid", "accession number", "policy number", "policy no", "policy:", "insurance id", "insurance number", "insurance:", "group number", "npi", "dea", "claim #", "claim no", "claim number", "claim id", "rx#", "rx number", "prescription no", "patientennummer", "patienten-nr", "versichertennummer", "versicherungsnummer", "krankenversicherungsnummer"], value: code },
  { kind: "national_id", words: ["national id", "id number", "identity number", "tax id", "taxpayer id", "ein", "employer identification"], value: code },
  { kind: "wallet", words: ["wallet", "wallet address", "crypto address", "crypto wallet", "bitcoin address", "btc address", "eth address", "ethereum address", "usdt address", "deposit address", "receiving address", "payout address", "solana address", "tron address", "trc20", "xrp address", "bitcoin-adresse", "wallet-adresse", "adresse du portefeuille", "adresse bitcoin", "dirección de la cartera", "dirección bitcoin", "indirizzo wallet", "indirizzo bitcoin", "endereço da carteira", "адрес кошелька", "кошелёк", "кошелек", "钱包地址", "ウォレットアドレス"], value: wallet },
  { kind: "date_of_birth", words: ["date of birth", "dob", "birth date", "birthdate", "birthday", "born on", "born:", "born", "d.o.b.", "d.o.b", "geburtsdatum", "geboren am", "geb.-datum", "geb.datum", "geboren:", "geb. am", "geb.", "date de naissance", "né le", "née le", "né(e) le", "fecha de nacimiento", "nacimiento", "nacido el", "nacida el", "data di nascita", "nato il", "nata il", "data de nascimento", "data de nasc.", "nascido em", "nascida em", "geboortedatum", "geboren op", "födelsedatum", "fødselsdato", "syntymäaika", "data urodzenia", "datum narození", "születési idő", "doğum tarihi", "дата рождения", "生年月日", "出生日期", "생년월일", "bday"], value: day },
];

/**
 * Labels in the languages of the largest browsers' user bases. Source: the headings of bank statements, passports, driving
 * licences and patient records (ICAO Doc 9303 for passports, Directive 2006/126/EC for licences, HL7 PID segment
 * for patient ids).
 */
export const labels: readonly Label[] = named(rows);

/** Labels of the floor. Sources: the wording of sign-in mails and pages in the languages named, and of the card forms of payment providers. */
export const floorLabels: readonly Label[] = named(floorRows);

function named(table: readonly Label[]): readonly Label[] {
  return table.map((label) => ({ ...label, words: withNames(label.words) }));
}
