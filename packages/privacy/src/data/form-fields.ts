/**
 * Which form fields hold what. Sources: WHATWG HTML, 4.10.18.7 (autofill field names); the names that the form
 * heuristics of Chromium (`components/autofill`) and Firefox (`FormAutofillHeuristics`) look for, in their own words.
 */

/** Input types whose value is never kept; `file` would be a path. */
export const removedTypes: ReadonlySet<string> = new Set(["password", "hidden", "file"]);

/** Autofill tokens of secrets: never kept. `cc-*` and `*-password` are tested by their affix. */
export const removedAutofill: ReadonlySet<string> = new Set(["one-time-code", "webauthn"]);

/** Autofill tokens of contact details and names. */
export const contactAutofill: ReadonlySet<string> = new Set([
  "name", "honorific-prefix", "given-name", "additional-name", "family-name", "honorific-suffix", "nickname", "username", "email", "tel", "tel-country-code", "tel-national", "tel-area-code", "tel-local", "tel-local-prefix", "tel-local-suffix", "tel-extension", "impp",
  "street-address", "address-line1", "address-line2", "address-line3", "address-level1", "address-level2", "address-level3", "address-level4", "postal-code", "country", "country-name", "bday", "bday-day", "bday-month", "bday-year", "sex", "photo", "organization", "organization-title",
]);

/**
 * Parts of names and labels of fields that are never kept, as whole words of a folded name, besides the words for passwords and
 * secrets in `secret-words.ts`, which count in forms as they do in text.
 */
export const removedWords: readonly string[] = [
  "otp", "totp", "mfa", "2fa", "onetimecode", "onetimepassword", "verificationcode", "securitycode", "authcode", "smscode", "cvv", "cvc", "cvv2", "csc", "cid", "pin", "pincode", "cardnumber", "ccnumber", "ccnum", "creditcard", "debitcard", "cardno", "ccexp", "expirydate", "iban", "bic", "swift", "accountnumber", "accountno", "bankaccount", "routingnumber", "sortcode", "ssn", "socialsecurity", "socialsecuritynumber", "taxid", "nationalid", "nationalinsurance", "passport", "passportnumber", "driverslicense", "driverlicense", "licencenumber", "seedphrase", "mnemonic", "recoverycode", "backupcode", "securityanswer", "secretanswer", "mothersmaidenname", "csrf", "xsrf", "authenticitytoken", "captcha", "sessionid",
];

/** Parts of names and labels of fields with contact details. */
export const contactWords: readonly string[] = [
  "email", "mail", "phone", "tel", "telephone", "mobile", "cell", "fax", "firstname", "lastname", "fullname", "surname", "givenname", "familyname", "middlename", "maidenname", "username", "login", "address", "street", "city", "postcode", "postalcode", "zip", "zipcode", "birthday", "birthdate", "dob", "dateofbirth", "whatsapp", "telegram", "skype",
];
