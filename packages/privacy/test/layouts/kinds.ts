import * as value from "./values.js";

/** A kind of value with the labels that pages put beside it. */
export interface LabelledKind {
  readonly name: string;
  readonly labels: readonly string[];
  /** Its name in settings and JSON. */
  readonly key: string;
  readonly make: value.MakeValue;
}

/** The kinds of the layout matrix. */
export const kinds: readonly LabelledKind[] = [
  { name: "card", labels: ["Card number", "Kartennummer", "Número de tarjeta"], key: "card_number", make: value.card },
  { name: "cvv", labels: ["CVV", "CVC", "Security code", "Card verification code"], key: "cvv", make: value.cvv },
  { name: "pin", labels: ["PIN", "PIN code", "Your PIN"], key: "pin", make: value.pin },
  {
    name: "one-time code",
    labels: ["Verification code", "One-time code", "Bestätigungscode", "Code de vérification"],
    key: "otp",
    make: value.otp,
  },
  { name: "password", labels: ["Password", "Passwort", "Temporary password", "Mot de passe"], key: "password", make: value.password },
  { name: "api key", labels: ["API key", "Access token", "Client secret"], key: "api_key", make: value.secret },
  { name: "set-up key", labels: ["Setup key", "Authenticator key", "Manual entry key"], key: "totp_secret", make: value.setupKey },
  { name: "recovery code", labels: ["Recovery code", "Backup code", "Backup codes"], key: "recovery_code", make: value.recoveryCode },
  { name: "iban", labels: ["IBAN", "Account (IBAN)"], key: "iban", make: value.iban },
  { name: "bank account", labels: ["Account number", "Kontonummer", "Bank account no."], key: "account_number", make: value.bankAccount },
  { name: "routing number", labels: ["Routing number", "Sort code", "Bankleitzahl"], key: "routing_number", make: value.routing },
  { name: "us ssn", labels: ["SSN", "Social Security Number", "Social security no."], key: "ssn", make: value.ssn },
  { name: "national id", labels: ["CPF", "Número do CPF"], key: "cpf", make: value.cpf },
  {
    name: "passport",
    labels: ["Passport number", "Passport no.", "Reisepassnummer", "Passport"],
    key: "passport_number",
    make: value.passport,
  },
  {
    name: "licence",
    labels: ["Driver's license", "Driving licence number", "Führerschein-Nr."],
    key: "driver_license",
    make: value.licence,
  },
  { name: "medical record", labels: ["MRN", "Patient ID", "Member ID", "Medical record number"], key: "patient_id", make: value.medical },
  { name: "date of birth", labels: ["Date of birth", "DOB", "Geburtsdatum"], key: "date_of_birth", make: value.birth },
  { name: "phone", labels: ["Phone", "Mobile", "Telefon", "Phone number"], key: "phone", make: value.phone },
  { name: "email", labels: ["Email", "E-mail address"], key: "email", make: value.email },
  { name: "wallet", labels: ["Wallet address", "Wallet", "Bitcoin or Ethereum wallet"], key: "wallet_address", make: value.wallet },
];
