/** Names of values that nothing but their label gives away, each with the shape that the value must have. */
export interface Label {
  /** Kind of what follows. */
  readonly kind: string;
  /** The label, as text; must start a word. */
  readonly words: readonly string[];
  /** The value: bounded, read right after the label and its `:`, `=`, `#`, `is` and the like. */
  readonly value: string;
}

const code = "(?=[A-Za-z0-9-]{0,30}[0-9])[A-Za-z0-9](?:[A-Za-z0-9-]{4,28}[A-Za-z0-9])";
/** At least four digits: `BSD-2-Clause` is a licence too. */
const permit = "(?!rfc|RFC|iso|ISO|DIN)(?=(?:[A-Za-z -]{0,8}[0-9]){4})[A-Za-z0-9](?:[A-Za-z0-9-]{4,28}[A-Za-z0-9])";
const day = "(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ][0-9]{2,4}|[0-9]{1,2}(?:st|nd|rd|th|\\.)? ?(?:of )?[A-Za-zéû]{3,10}\\.?,? ?[0-9]{4}|[A-Za-z]{3,10}\\.? [0-9]{1,2}(?:st|nd|rd|th)?,? [0-9]{4})";

/**
 * Labels in English, German, French, Spanish, Italian, Portuguese and Dutch. Source: the headings of bank statements, passports, driving
 * licences and patient records (ICAO Doc 9303 for passports, Directive 2006/126/EC for licences, HL7 PID segment
 * for patient ids).
 */
export const labels: readonly Label[] = [
  { kind: "bank_account", words: ["account number", "account no", "account #", "account:", "account ", "acct", "a/c no", "kontonummer", "konto-nr", "numéro de compte", "numero de compte", "número de cuenta", "numero di conto", "rekeningnummer", "bank account"], value: "[0-9][0-9 -]{5,18}[0-9]" },
  { kind: "bank_account", words: ["routing number", "routing no", "routing #", "aba number", "aba routing", "sort code", "bankleitzahl", "blz", "bsb"], value: "[0-9](?:[0-9 -]{4,10})[0-9]" },
  { kind: "bank_account", words: ["swift", "bic"], value: "[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?" },
  { kind: "passport", words: ["passport", "reisepass", "passeport", "pasaporte", "passaporto", "passaporte", "paspoort", "travel document"], value: "(?=[A-Za-z]{0,3}[0-9])[A-Za-z]{0,3}[0-9][A-Za-z0-9]{5,9}" },
  { kind: "licence", words: ["driver's license", "drivers license", "driver license", "driving licence", "driving license", "driver's licence", "license number", "licence number", "license no", "licence no", "license:", "licence:", "dl number", "dl no", "dl#", "dl:", "führerschein", "permis de conduire", "permiso de conducir", "patente di guida", "rijbewijs"], value: permit },
  { kind: "medical_record", words: ["mrn", "medical record", "patient id", "patient no", "patient number", "health record", "chart number", "chart no", "member id", "policy number", "policy no", "policy:", "insurance id", "insurance number", "insurance:", "npi", "dea", "claim #", "claim no", "claim number", "claim id", "rx#", "rx number", "prescription no"], value: code },
  { kind: "national_id", words: ["national id", "id number", "identity number", "tax id", "taxpayer id", "ein", "employer identification"], value: code },
  { kind: "date_of_birth", words: ["date of birth", "dob", "birth date", "birthdate", "birthday", "born on", "born:", "d.o.b", "geburtsdatum", "geboren am", "date de naissance", "né le", "née le", "fecha de nacimiento", "data di nascita", "data de nascimento", "geboortedatum"], value: day },
];

