import type { NationalNumber } from "./national-numbers.js";
import * as check from "./national-checks.js";

const always = (): boolean => true;
const yearFirst = "[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])";
const dayFirst = "[0-3][0-9][01][0-9][0-9]{2}";

/**
 * National numbers of further countries. Sources as in `national-numbers.ts`; check digits in `national-checks.ts`. Where the check digit is
 * no longer used or not published (Denmark is in `national-numbers.ts`; Greece, Iceland, Malaysia, New Zealand, Ukraine, Latvia), the label alone decides.
 */
export const otherCountries: readonly NationalNumber[] = [
  {
    name: "cz-rodne-cislo",
    shape: "[0-9]{2}[0-8][0-9][0-3][0-9]/?[0-9]{4}",
    isValid: check.rodneCislo,
    words: ["rodné číslo", "rodne cislo", "rodné č", "r.č.", "r. č.", "rč", "birth number"],
  },
  { name: "ro-cnp", shape: `[1-9]${yearFirst}[0-9]{6}`, isValid: check.cnp, words: ["cnp", "cod numeric personal", "romanian"] },
  { name: "bg-egn", shape: "[0-9]{2}[0-5][0-9][0-3][0-9]{5}", isValid: check.egn, words: ["егн", "egn", "единен граждански"] },
  { name: "hr-oib", shape: "[0-9]{11}", isValid: check.mod11_10, words: ["oib", "osobni identifikacijski"] },
  { name: "ee-isikukood", shape: `[1-8]${yearFirst}[0-9]{4}`, isValid: check.baltic, words: ["isikukood", "estonian"] },
  { name: "lt-asmens-kodas", shape: `[1-6]${yearFirst}[0-9]{4}`, isValid: check.baltic, words: ["asmens kod", "a.k.", "lithuanian"] },
  {
    name: "lv-personas-kods",
    shape: `(?:${dayFirst}-?[0-9]{5}|32[0-9]{4}-?[0-9]{5})`,
    isValid: always,
    words: ["personas kods", "p.k.", "latvian"],
  },
  { name: "gr-amka", shape: `${dayFirst}[0-9]{5}`, isValid: always, words: ["αμκα", "α.μ.κ.α", "amka"] },
  { name: "gr-afm", shape: "[0-9]{9}", isValid: always, words: ["αφμ", "α.φ.μ."] },
  { name: "ch-ahv", shape: "756[.][0-9]{4}[.][0-9]{4}[.][0-9]{2}", isValid: check.ean13, words: [] },
  { name: "ch-ahv", shape: "756[0-9]{10}", isValid: check.ean13, words: ["ahv", "avs", "sozialversicherung", "swiss social"] },
  { name: "ie-pps", shape: "[0-9]{7}[A-W][A-IW]?", isValid: check.pps, words: ["pps", "ppsn", "personal public service"] },
  {
    name: "il-id",
    shape: "[0-9]{8}-?[0-9]",
    isValid: check.israeli,
    words: ["ת.ז", "תעודת זהות", "מספר זהות", "teudat zehut", "israeli id"],
  },
  {
    name: "cl-rut",
    shape: "[0-9]{1,2}[.]?[0-9]{3}[.]?[0-9]{3}-[0-9K]",
    isValid: check.rut,
    words: ["rut", "rol único", "cédula de identidad"],
  },
  {
    name: "at-svnr",
    shape: `[1-9][0-9]{3} ?${dayFirst}`,
    isValid: check.austrian,
    words: ["svnr", "sv-nr", "sozialversicherungsnummer", "versicherungsnummer"],
  },
  {
    name: "my-nric",
    shape: `${yearFirst}-?[0-9]{2}-?[0-9]{4}`,
    isValid: always,
    words: ["mykad", "nric", "ic no", "ic number", "kad pengenalan"],
  },
  {
    name: "jp-my-number",
    shape: "[0-9]{4}[ -]?[0-9]{4}[ -]?[0-9]{4}",
    isValid: check.myNumber,
    words: ["マイナンバー", "個人番号", "my number"],
  },
  { name: "tw-id", shape: "[A-Z][1289][0-9]{8}", isValid: check.taiwanese, words: ["身分證", "taiwan", "national id"] },
  { name: "hk-id", shape: "[A-Z]{1,2}[0-9]{6}[(]?[0-9A][)]?", isValid: always, words: ["hkid", "hong kong id", "香港身份證"] },
  { name: "nz-ird", shape: "[0-9]{2,3}-?[0-9]{3}-?[0-9]{3}", isValid: always, words: ["ird"] },
  { name: "ua-tax", shape: "[0-9]{10}", isValid: always, words: ["рнокпп", "іпн", "инн"] },
  { name: "ru-inn", shape: "[0-9]{12}", isValid: always, words: ["инн"] },
  { name: "ru-snils", shape: "[0-9]{3}-?[0-9]{3}-?[0-9]{3}[ -]?[0-9]{2}", isValid: always, words: ["снилс", "snils"] },
  { name: "is-kennitala", shape: `${dayFirst}-?[0-9]{4}`, isValid: always, words: ["kennitala", "kt."] },
  { name: "mx-curp", shape: "[A-Z][AEIOUX][A-Z]{2}[0-9]{6}[HMX][A-Z]{5}[0-9A-Z][0-9]", isValid: check.curp, words: [] },
  { name: "mx-rfc", shape: "[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{3}", isValid: always, words: ["rfc"] },
  { name: "ar-cuit", shape: "(?:20|23|24|27|30|33|34)-?[0-9]{8}-?[0-9]", isValid: check.cuit, words: ["cuit", "cuil"] },
  {
    name: "ar-dni",
    shape: "[0-9]{2}[.]?[0-9]{3}[.]?[0-9]{3}",
    isValid: always,
    words: ["documento nacional", "documento de identidad"],
  },
];
