import * as check from "./national-checks.js";
import { otherCountries } from "./more-national-numbers.js";

/** A kind of national number. */
export interface NationalNumber {
  /** Name in rules, e.g. `es-dni`. */
  readonly name: string;
  /** How it is written, from its first unit on; bounded, upper or lower case. */
  readonly shape: string;
  /** Whether the value (without separators, upper case) can have been issued. */
  readonly isValid: (value: string) => boolean;
  /** Words one of which must be near; empty when letters and check digit make the format certain by itself. */
  readonly words: readonly string[];
  /** A value after one of the words counts although its check digit is wrong or unknown. */
  readonly labelled?: boolean;
}

const date = "[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])";
const always = (): boolean => true;
const personWords = [
  "national id",
  "national identity",
  "identity number",
  "identity card",
  "id number",
  "id no",
  "personal number",
  "personal id",
  "identification number",
  "citizen",
];

/**
 * National numbers of persons (and, where one number serves both, of businesses). Sources: the issuing authority's
 * description of each number, as collected in python-stdnum and Wikipedia's "National identification number"; check digits in
 * `national-checks.ts`.
 */
export const nationalNumbers: readonly NationalNumber[] = [
  {
    name: "uk-nino",
    shape: "(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]",
    isValid: always,
    words: ["national insurance", "nino", "ni number", "ni no", "n.i.", "insurance number"],
  },
  { name: "uk-nhs", shape: "[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}", isValid: check.nhs, words: ["nhs", "health service"] },
  { name: "uk-utr", shape: "[0-9]{5} ?[0-9]{5}", isValid: always, words: ["utr", "taxpayer reference"] },
  { name: "es-dni", shape: "[0-9]{7,8}-?[A-Z]", isValid: check.spanish, words: [] },
  { name: "es-nie", shape: "[XYZ]-?[0-9]{7}-?[A-Z]", isValid: check.spanish, words: [] },
  {
    name: "it-codice-fiscale",
    shape: "[A-Z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]",
    isValid: check.italianPerson,
    words: [],
  },
  {
    name: "it-partita-iva",
    shape: "[0-9]{11}",
    isValid: check.luhn,
    words: ["partita iva", "p. iva", "p.iva", "piva", "vat", "codice fiscale"],
  },
  {
    name: "it-carta-identita",
    shape: "(?:[A-Z]{2}[0-9]{5}[A-Z]{2}|[A-Z]{2} ?[0-9]{7})",
    isValid: always,
    words: ["carta d'identit", "carta di identit", "carta identit", "identity card"],
  },
  { name: "pl-pesel", shape: "[0-9]{11}", isValid: check.pesel, words: ["pesel"], labelled: true },
  {
    name: "se-personnummer",
    shape: `(?:19|20)?${date}[-+]?[0-9]{4}`,
    isValid: (value) => check.luhn(value.slice(-10)),
    words: [
      "personnummer",
      "samordningsnummer",
      "personal identity",
      "organisationsnummer",
      "org.nr",
      "orgnr",
      "personnr",
      "pers.nr",
      "pnr",
    ],
  },
  { name: "se-organisationsnummer", shape: "[0-9]{6}-?[0-9]{4}", isValid: check.luhn, words: ["organisationsnummer", "org.nr", "orgnr"] },
  { name: "fi-hetu", shape: "[0-3][0-9][01][0-9]{3}[-+A-FU-Y][0-9]{3}[0-9A-Y]", isValid: check.finnish, words: [] },
  {
    name: "no-fodselsnummer",
    shape: "[0-9]{6} ?[0-9]{5}",
    isValid: check.norwegian,
    words: ["fødselsn", "fodselsn", "personnummer", "fnr", "d-nummer"],
  },
  { name: "dk-cpr", shape: "[0-3][0-9][01][0-9]{3}[- ]?[0-9]{4}", isValid: always, words: ["cpr", "personnummer", "cpr-nr", "cpr-nummer"] },
  {
    name: "de-steuer-id",
    shape: "[1-9][0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}",
    isValid: check.mod11_10,
    words: ["steuer", "st.-id", "idnr", "tax id", "tin", "identifikationsnummer"],
  },
  {
    name: "de-rentenversicherung",
    shape: "[0-9]{2} ?[0-3][0-9][01][0-9][0-9]{2} ?[A-Z] ?[0-9]{3}",
    isValid: check.germanPension,
    words: [],
  },
  {
    name: "de-krankenversicherung",
    shape: "[A-Z][0-9]{9}",
    isValid: check.germanHealth,
    words: ["kranken", "versicherten", "kvnr", "egk", "health insurance", "gesundheitskarte"],
  },
  {
    name: "de-personalausweis",
    shape: "[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}[0-9]?",
    isValid: (value) => /[0-9]/.test(value),
    words: ["personalausweis", "ausweisnummer", "ausweis-nr", "reisepass", "pass-nr", "passnummer"],
  },
  { name: "de-lanr", shape: "[0-9]{9}", isValid: always, words: ["lanr", "arztnummer", "betriebsstättennummer", "bsnr"] },
  { name: "de-ust-id", shape: "DE ?[0-9]{9}", isValid: (value) => check.mod11_10(value.slice(2)), words: ["ust", "umsatzsteuer", "vat"] },
  {
    name: "fr-nir",
    shape: "[12] ?[0-9]{2} ?[0-9]{2} ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}",
    isValid: check.frenchNir,
    words: [
      "sécurité sociale",
      "securite sociale",
      "nir",
      "insee",
      "num secu",
      "numéro de sécu",
      "sécu",
      "secu",
      "n° ss",
      "no ss",
      "social security",
      "nss",
    ],
  },
  { name: "nl-bsn", shape: "[0-9]{4}[.]?[0-9]{2}[.]?[0-9]{3}", isValid: check.bsn, words: ["bsn", "burgerservice", "sofi", "sofinummer"] },
  {
    name: "be-rrn",
    shape: "[0-9]{2}[.]?[0-9]{2}[.]?[0-9]{2}[- ]?[0-9]{3}[.]?[0-9]{2}",
    isValid: check.belgian,
    words: ["rijksregister", "registre national", "national register", "insz", "niss", "nationaal nummer", "numéro national", "rrn"],
  },
  { name: "pt-nif", shape: "[0-9]{3} ?[0-9]{3} ?[0-9]{3}", isValid: check.portuguese, words: ["nif", "contribuinte"] },
  {
    name: "tr-kimlik",
    shape: "[1-9][0-9]{10}",
    isValid: check.turkish,
    words: ["kimlik", "tckn", "t.c.", "tc:", "tc ", "turkish id", "tc no", "tc number", "turkish national", "vatandaş"],
  },
  {
    name: "za-id",
    shape: `${date} ?[0-9]{4} ?[01][0-9] ?[0-9]`,
    isValid: check.luhn,
    words: ["south africa", "rsa id", "sa id", "za id", "id number", "identity number", "id no"],
  },
  {
    name: "ca-sin",
    shape: "[1-9][0-9]{2}[ -]?[0-9]{3}[ -]?[0-9]{3}",
    isValid: check.luhn,
    words: ["sin", "s.i.n", "nas", "social insurance", "assurance sociale"],
  },
  {
    name: "in-aadhaar",
    shape: "[2-9][0-9]{3}[ -]?[0-9]{4}[ -]?[0-9]{4}",
    isValid: check.verhoeff,
    words: ["aadhaar", "aadhar", "uidai", "uid", "आधार"],
  },
  { name: "in-pan", shape: "[A-Z]{3}[ABCFGHLJPTK][A-Z][0-9]{4}[A-Z]", isValid: always, words: ["pan", "permanent account", "income tax"] },
  { name: "in-gstin", shape: "[0-3][0-9][A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z[0-9A-Z]", isValid: always, words: [] },
  { name: "in-voter", shape: "[A-Z]{3}[0-9]{7}", isValid: always, words: ["voter", "epic"] },
  { name: "au-tfn", shape: "[0-9]{3} ?[0-9]{3} ?[0-9]{3}", isValid: check.tfn, words: ["tfn", "t.f.n", "tax file"] },
  { name: "au-abn", shape: "[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}", isValid: check.abn, words: ["abn", "a.b.n", "business number"] },
  { name: "au-acn", shape: "[0-9]{3} ?[0-9]{3} ?[0-9]{3}", isValid: check.acn, words: ["acn", "company number"] },
  { name: "au-medicare", shape: "[2-6][0-9]{3} ?[0-9]{5} ?[0-9](?:[ /-]?[1-9])?", isValid: check.medicare, words: ["medicare"] },
  {
    name: "kr-rrn",
    shape: `${date}-?[0-9]{7}`,
    isValid: check.koreanResident,
    words: ["rrn", "resident registration", "주민", "korean", "foreign registration", "외국인", "frn"],
    labelled: true,
  },
  {
    name: "kr-brn",
    shape: "[0-9]{3}-?[0-9]{2}-?[0-9]{5}",
    isValid: check.koreanBusiness,
    words: ["brn", "business registration", "사업자"],
  },
  { name: "kr-passport", shape: "[MSRODG][0-9]{3}[A-Z0-9][0-9]{4}", isValid: always, words: ["passport", "여권"] },
  { name: "sg-nric", shape: "[STFGM][0-9]{7}[A-Z]", isValid: check.singapore, words: [] },
  { name: "sg-nric", shape: "[STFGM][0-9]{7}[A-Z]", isValid: always, words: ["nric", "fin", "singapore"] },
  {
    name: "sg-uen",
    shape: "(?:[0-9]{8}[A-Z]|[0-9]{9}[A-Z]|[TSR][0-9]{2}[A-Z]{2}[0-9]{4}[A-Z])",
    isValid: always,
    words: ["uen", "entity number"],
  },
  {
    name: "br-cpf",
    shape: "[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2}",
    isValid: check.cpf,
    words: ["cpf", "cadastro de pessoa", "contribuinte"],
  },
  { name: "br-cpf", shape: "[0-9]{3}[.][0-9]{3}[.][0-9]{3}-[0-9]{2}", isValid: check.cpf, words: [] },
  { name: "br-cnpj", shape: "[0-9]{2}[.]?[0-9]{3}[.]?[0-9]{3}/?[0-9]{4}-?[0-9]{2}", isValid: check.cnpj, words: ["cnpj"] },
  {
    name: "th-id",
    shape: "[1-8][ -]?[0-9]{4}[ -]?[0-9]{5}[ -]?[0-9]{2}[ -]?[0-9]",
    isValid: check.thai,
    words: ["thai", "tnin", "บัตรประชาชน", "ประจำตัวประชาชน", ...personWords],
  },
  {
    name: "cn-id",
    shape: "[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9X]",
    isValid: check.chinese,
    words: ["身份证", "身份號碼", "身份号码", "身分證", "chinese id", "id card", "resident identity", ...personWords],
  },
  { name: "ng-nin", shape: "[0-9]{11}", isValid: always, words: ["nin ", "nin:", "nimc", "national identification"] },
  {
    name: "ph-tin",
    shape: "[0-9]{3}-?[0-9]{3}-?[0-9]{3}(?:-?[0-9]{3,5})?",
    isValid: always,
    words: ["tin ", "tin:", "philippine", "umid", "philsys"],
  },
  {
    name: "us-npi",
    shape: "[12](?:[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}|[0-9]{9})",
    isValid: check.npi,
    words: ["npi", "provider identifier"],
  },
  {
    name: "us-mbi",
    shape: "[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9]-?[AC-HJKMNP-RT-Y]{2}[0-9]{2}",
    isValid: always,
    words: ["mbi", "medicare", "beneficiary"],
  },
  {
    name: "us-itin",
    shape: "9[0-9]{2}[- ]?(?:5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-24-9])[- ]?[0-9]{4}",
    isValid: always,
    words: ["itin", "taxpayer"],
  },
  { name: "us-ein", shape: "[0-9]{2}-[0-9]{7}", isValid: always, words: ["ein", "employer identification", "tax id", "fein"] },
  ...otherCountries,
];
