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
const day = "(?:[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:T[0-9:.+-]{4,18}Z?)?|[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ][0-9]{2,4}|[0-9]{1,2}(?:st|nd|rd|th|er|º|\\.)? ?(?:of |de )?[A-Za-z\\u00c0-\\u017f\\u0400-\\u04ff]{3,10}\\.?,? ?(?:de )?[0-9]{4}|[A-Za-z]{3,10}\\.? [0-9]{1,2}(?:st|nd|rd|th)?,? [0-9]{4}|(?:19|20)[0-9]{2}年[0-9]{1,2}月[0-9]{1,2}日)";
/** Letters and digits with two digits in a row near the start; no word is. */
const passport = "(?=[A-Za-z0-9]{0,4}[0-9]{2})[A-Za-z0-9]{2}[A-Za-z0-9]{4,9}";

/** A label of several words is also the name of a field: `date_of_birth`, `dateOfBirth`, `date-of-birth`. */
function withNames(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => (/^[a-z]+(?: [a-z]+)+$/.test(word) ? [word, word.replaceAll(" ", "_"), word.replaceAll(" ", "-"), word.replaceAll(" ", "")] : [word]));
}

const rows: readonly Label[] = [
  { kind: "bank_account", words: ["account number", "account no", "account #", "account:", "account ", "acct", "kto-nr", "kto.-nr", "kto.nr", "kto. nr", "acc no", "acc. no", "a/c no", "a/c", "kontonummer", "konto-nr", "kontonr", "numéro de compte", "numero de compte", "n° de compte", "número de cuenta", "numero di conto", "conto corrente", "rekeningnummer", "bank account", "numer konta", "número da conta", "clabe", "口座番号", "账号", "계좌번호"], value: "[0-9][0-9 -]{5,22}[0-9]" },
  { kind: "bank_account", words: ["routing number", "routing no", "routing #", "aba number", "aba routing", "aba", "transit number", "sort code", "bankleitzahl", "blz", "bsb"], value: "[0-9](?:[0-9 -]{4,10})[0-9]" },
  { kind: "bank_account", words: ["ifsc"], value: "[A-Z]{4}0[A-Z0-9]{6}" },
  { kind: "bank_account", words: ["swift", "bic"], value: "[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?" },
  { kind: "passport", words: ["passport", "reisepass", "passeport", "pasaporte", "passaporto", "passaporte", "paspoort", "paszport", "pasaport", "travel document", "паспорт", "旅券", "パスポート", "护照", "護照", "여권"], value: passport },
  { kind: "licence", words: ["driver's license", "driver’s license", "drivers license", "driver license", "driving licence", "driving license", "driver's licence", "driver’s licence", "drivers licence", "driver licence", "driver's lic.", "driver’s lic.", "license number", "licence number", "license no", "license #", "licence #", "licence no", "license:", "licence:", "dl number", "dl no", "dl#", "dl:", "dln", "führerschein", "permis de conduire", "permiso de conducir", "carnet de conducir", "licencia de conducir", "patente di guida", "carta de condução", "carteira de habilitação", "cnh", "prawo jazdy", "rijbewijs", "körkort", "ajokortti", "førerkort", "運転免許", "驾驶证", "운전면허"], value: permit },
  { kind: "medical_record", words: ["mrn", "medical record", "patient id", "patient no", "patient number", "hospital number", "hospital no", "health record", "health id", "health insurance", "health card", "chart number", "chart no", "member id", "member no", "member number", "member #", "health plan", "policy #", "insurance policy", "subscriber id", "medicaid id", "medicaid", "accession number", "policy number", "policy no", "policy:", "insurance id", "insurance number", "insurance:", "group number", "npi", "dea", "claim #", "claim no", "claim number", "claim id", "rx#", "rx number", "prescription no", "patientennummer", "patienten-nr", "versichertennummer", "versicherungsnummer", "krankenversicherungsnummer"], value: code },
  { kind: "national_id", words: ["national id", "id number", "identity number", "tax id", "taxpayer id", "ein", "employer identification"], value: code },
  { kind: "date_of_birth", words: ["date of birth", "dob", "birth date", "birthdate", "birthday", "born on", "born:", "born", "d.o.b.", "d.o.b", "geburtsdatum", "geboren am", "geb.-datum", "geb.datum", "geboren:", "geb. am", "geb.", "date de naissance", "né le", "née le", "né(e) le", "fecha de nacimiento", "nacimiento", "nacido el", "nacida el", "data di nascita", "nato il", "nata il", "data de nascimento", "data de nasc.", "nascido em", "nascida em", "geboortedatum", "geboren op", "födelsedatum", "fødselsdato", "syntymäaika", "data urodzenia", "datum narození", "születési idő", "doğum tarihi", "дата рождения", "生年月日", "出生日期", "생년월일", "bday"], value: day },
];

/**
 * Labels in the languages of the largest browsers' user bases. Source: the headings of bank statements, passports, driving
 * licences and patient records (ICAO Doc 9303 for passports, Directive 2006/126/EC for licences, HL7 PID segment
 * for patient ids).
 */
export const labels: readonly Label[] = rows.map((label) => ({ ...label, words: withNames(label.words) }));
