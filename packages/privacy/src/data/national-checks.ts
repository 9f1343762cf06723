import { luhn } from "../detectors/number-checks.js";

export { luhn } from "../detectors/number-checks.js";

/** A national number without separators, in upper case: whether its check digits hold. */
type Check = (value: string) => boolean;

/** Sum of digit times weight. */
function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (digits.charCodeAt(index) - 0x30), 0);
}

const digit = (value: string, index: number): number => value.charCodeAt(index) - 0x30;

/** The weighted sum of the first digits, modulo `modulus`, tells the unit at `at`: the first after them, unless said otherwise. */
const weighted =
  (weights: readonly number[], modulus: number, toCheck: (rest: number) => number | string, at = weights.length): Check =>
  (value) =>
    String(toCheck(weightedSum(value, weights) % modulus)) === value.charAt(at);
/** The weighted sum of all digits is a multiple. */
const divisible =
  (weights: readonly number[], modulus: number, less = 0): Check =>
  (value) =>
    (weightedSum(value, weights) - less) % modulus === 0;
/** What is missing to the next multiple. */
const complement =
  (modulus: number) =>
  (rest: number): number =>
    (modulus - rest) % modulus;
const same = (rest: number): number => rest;
const eleventh = (rest: number): number => (11 - rest) % 10;
const zeroBelowTwo = (rest: number): number => (rest < 2 ? 0 : 11 - rest);
const falling = (from: number): number[] => Array.from({ length: from - 1 }, (_, index) => from - index);
const both =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.every((check) => check(value));
/** Products with two digits count as the sum of them. */
function crossSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((total, weight, index) => {
    const product = weight * digit(digits, index);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
}
/** A letter that counts as two digits: A is 01. */
const letterDigits = (letter: string): string => String(letter.charCodeAt(0) - 64).padStart(2, "0");

const verhoeffD = "0123456789 1234067895 2340178956 3401289567 4012395678 5987604321 6598710432 7659821043 8765932104 9876543210".split(
  " ",
);
const verhoeffP = "0123456789 1576283094 5803796142 8916043527 9453126870 4286573901 2793806415 7046913258".split(" ");
/** Verhoeff's dihedral scheme (J. Verhoeff, 1969), used by India's Aadhaar. */
export const verhoeff: Check = (value) => {
  let check = 0;
  for (let i = 0; i < value.length; i++)
    check = Number(verhoeffD[check]?.[Number(verhoeffP[i % 8]?.[digit(value, value.length - 1 - i)] ?? 0)] ?? 0);
  return check === 0;
};

/** ISO/IEC 7064 MOD 11,10: German tax id, Croatian OIB. */
export const mod11_10: Check = (value) => {
  let product = 10;
  for (let i = 0; i < value.length - 1; i++) product = (((digit(value, i) + product) % 10 || 10) * 2) % 11;
  return (11 - product) % 10 === digit(value, value.length - 1);
};

/** UK NHS number. */
export const nhs: Check = weighted(falling(10), 11, complement(11));
/** Spanish NIF (8 digits) and NIE (X, Y, Z and 7 digits): number mod 23. */
export const spanish: Check = (value) => {
  const number = value.slice(0, -1).replace(/^[XYZ]/, (first) => String("XYZ".indexOf(first)));
  return "TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23] === value.at(-1);
};
const italianOdd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
/** Italian codice fiscale (DM 23 December 1976): odd and even characters weigh differently, a digit as the letter of its place. */
export const italianPerson: Check = (value) => {
  let total = 0;
  for (let i = 0; i < 15; i++) {
    const c = value.charCodeAt(i);
    const order = c < 0x41 ? c - 0x30 : c - 0x41;
    total += i % 2 === 0 ? (italianOdd[order] ?? 0) : order;
  }
  return String.fromCharCode(65 + (total % 26)) === value.charAt(15);
};
/** Polish PESEL. */
export const pesel: Check = weighted([1, 3, 7, 9, 1, 3, 7, 9, 1, 3], 10, complement(10));
/** Finnish henkilötunnus: date and serial mod 31. */
export const finnish: Check = (value) =>
  "0123456789ABCDEFHJKLMNPRSTUVWXY"[Number(value.slice(0, 6) + value.slice(7, 10)) % 31] === value.at(-1);
/** French NIR: 97 minus the number mod 97; Corsica's 2A and 2B count as 19 and 18. */
export const frenchNir: Check = (value) =>
  97 - Number(BigInt(value.slice(0, 13).replace("2A", "19").replace("2B", "18")) % 97n) === Number(value.slice(13));
/** Dutch BSN: the "eleven test". */
export const bsn: Check = divisible([9, 8, 7, 6, 5, 4, 3, 2, -1], 11);
/** Belgian national register number: 97 minus the first nine digits mod 97, with a 2 before them since 2000. */
export const belgian: Check = (value) =>
  ["", "2"].some((century) => 97 - (Number(century + value.slice(0, 9)) % 97) === Number(value.slice(9)));
/** Turkish T.C. Kimlik No. */
export const turkish: Check = both(
  (value) => value[0] !== "0",
  (value) => ((weightedSum(value, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10) + 10) % 10 === digit(value, 9),
  weighted([1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 10, same),
);
/** Australian tax file, business (the first digit counts one less), company and Medicare numbers. */
export const tfn: Check = divisible([1, 4, 3, 7, 5, 8, 6, 9, 10], 11);
export const abn: Check = divisible([10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19], 89, 10);
export const acn: Check = weighted([8, 7, 6, 5, 4, 3, 2, 1], 10, complement(10));
export const medicare: Check = weighted([1, 3, 7, 9, 1, 3, 7, 9], 10, same);
/** Korean resident registration number (before October 2020) and business registration number. */
export const koreanResident: Check = weighted([2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5], 11, eleventh);
export const koreanBusiness: Check = (value) => {
  const total = weightedSum(value, [1, 3, 7, 1, 3, 7, 1, 3, 5]) + Math.floor(digit(value, 8) / 2);
  return (10 - (total % 10)) % 10 === digit(value, 9);
};
const singaporeLetters: Readonly<Record<string, readonly [letters: string, offset: number]>> = {
  S: ["JZIHGFEDCBA", 0],
  T: ["JZIHGFEDCBA", 4],
  F: ["XWUTRQPNMLK", 0],
  G: ["XWUTRQPNMLK", 4],
  M: ["XWUTRQPNJLK", 3],
};
/** Singapore NRIC and FIN. */
export const singapore: Check = (value) => {
  const [letters, offset] = singaporeLetters[value.charAt(0)] ?? ["", 0];
  return letters.charAt((weightedSum(value.slice(1), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11) === value.at(-1);
};
/** Brazilian CPF and CNPJ: two check digits, weights falling to 2. */
export const cpf: Check = both(weighted(falling(10), 11, zeroBelowTwo), weighted(falling(11), 11, zeroBelowTwo));
export const cnpj: Check = both(
  weighted([...falling(5), ...falling(9)], 11, zeroBelowTwo),
  weighted([...falling(6), ...falling(9)], 11, zeroBelowTwo),
);
/** Thai national id. */
export const thai: Check = weighted(falling(13), 11, eleventh);
/** Norwegian fødselsnummer. */
export const norwegian: Check = both(
  weighted([3, 7, 6, 1, 8, 9, 4, 5, 2], 11, complement(11)),
  weighted([5, 4, 3, 2, 7, 6, 5, 4, 3, 2], 11, complement(11)),
);
/** Portuguese NIF. */
export const portuguese: Check = weighted(falling(9), 11, zeroBelowTwo);
/** Chinese resident identity card (GB 11643, ISO 7064 MOD 11-2). */
export const chinese: Check = weighted([7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2], 11, (rest) => "10X98765432"[rest] ?? "");
/** German pension insurance number (VKVR § 2) and health insurance number (§ 290 SGB V). */
export const germanPension: Check = (value) =>
  crossSum(value.slice(0, 8) + letterDigits(value.charAt(8)) + value.slice(9, 11), [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]) % 10 ===
  digit(value, 11);
export const germanHealth: Check = (value) =>
  crossSum(letterDigits(value) + value.slice(1, 9), [1, 2, 1, 2, 1, 2, 1, 2, 1, 2]) % 10 === digit(value, 9);
/** US national provider identifier: Luhn over 80840 and the number (45 CFR 162.406). */
export const npi: Check = (value) => luhn(`80840${value}`);
/** Czech and Slovak rodné číslo: ten digits divisible by 11 (before 1985 a rest of 10 was written as 0). */
export const rodneCislo: Check = (value) => Number(value) % 11 === 0 || (Number(value.slice(0, 9)) % 11) % 10 === digit(value, 9);
/** Romanian CNP. */
export const cnp: Check = weighted([2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9], 11, (rest) => (rest === 10 ? 1 : rest));
/** Bulgarian EGN: weights are the powers of 2 mod 11. */
export const egn: Check = weighted([2, 4, 8, 5, 10, 9, 7, 3, 6], 11, (rest) => rest % 10);
/** Estonian isikukood and Lithuanian asmens kodas: a second row of weights when the first gives 10. */
export const baltic: Check = (value) => {
  const first = weightedSum(value, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const second = weightedSum(value, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
  return (first < 10 ? first : second % 10) === digit(value, 10);
};
/** EAN-13, as the Swiss AHV number is checked. */
export const ean13: Check = weighted([1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3], 10, complement(10));
/** Irish PPS number: a second letter weighs 9. */
export const pps: Check = (value) => {
  const second = value.length > 8 && value.charAt(8) !== "W" ? (value.charCodeAt(8) - 64) * 9 : 0;
  return "WABCDEFGHIJKLMNOPQRSTUV"[(weightedSum(value, falling(8)) + second) % 23] === value.charAt(7);
};
/** Chilean RUT, with seven digits or eight. */
export const rut: Check = (value) => weighted([3, 2, 7, 6, 5, 4, 3, 2], 11, (rest) => "0K987654321"[rest] ?? "")(value.padStart(9, "0"));
/** Austrian social insurance number: the fourth digit is the check digit. */
export const austrian: Check = weighted([3, 7, 9, 0, 5, 8, 4, 2, 1, 6], 11, same, 3);
/** Japanese individual number. */
export const myNumber: Check = weighted([...falling(6), ...falling(7)], 11, zeroBelowTwo);
/** Taiwanese identity number: the letter counts as two digits. */
export const taiwanese: Check = (value) => {
  const area = "ABCDEFGHJKLMNPQRSTUVXYWZIO".indexOf(value.charAt(0)) + 10;
  return divisible([1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1], 10)(String(area) + value.slice(1));
};
/** Mexican CURP: base 37 with Ñ, weights 18 to 2. */
export const curp: Check = (value) => {
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ".indexOf(value.charAt(i)) * (18 - i);
  return (10 - (sum % 10)) % 10 === digit(value, 17);
};
/** Argentine CUIT and CUIL. */
export const cuit: Check = weighted([5, 4, 3, 2, 7, 6, 5, 4, 3, 2], 11, complement(11));
/** Israeli identity number: Luhn over nine digits, leading zeros written or not. */
export const israeli: Check = (value) => luhn(value.padStart(9, "0"));
