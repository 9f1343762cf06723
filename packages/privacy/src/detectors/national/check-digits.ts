import { weightedSum } from "../number-checks.js";

export { luhn } from "../number-checks.js";

/** A national number without separators, in upper case. */
type Check = (value: string) => boolean;

const digit = (value: string, index: number): number => value.charCodeAt(index) - 0x30;
const sum = weightedSum;

/** Verhoeff's dihedral scheme (J. Verhoeff, 1969), used by India's Aadhaar. */
const verhoeffD = [
  "0123456789",
  "1234067895",
  "2340178956",
  "3401289567",
  "4012395678",
  "5987604321",
  "6598710432",
  "7659821043",
  "8765932104",
  "9876543210",
];
const verhoeffP = ["0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258"];
export const verhoeff: Check = (value) => {
  let check = 0;
  for (let i = 0; i < value.length; i++)
    check = Number(verhoeffD[check]?.[Number(verhoeffP[i % 8]?.[digit(value, value.length - 1 - i)] ?? 0)] ?? 0);
  return check === 0;
};

/** ISO/IEC 7064 MOD 11,10: German tax id. */
export const mod11_10: Check = (value) => {
  let product = 10;
  for (let i = 0; i < value.length - 1; i++) {
    const total = (digit(value, i) + product) % 10 || 10;
    product = (total * 2) % 11;
  }
  return (11 - product) % 10 === digit(value, value.length - 1);
};

/** UK NHS number: weights 10 to 2, 11 minus the rest. */
export const nhs: Check = (value) => {
  const check = 11 - (sum(value, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return check !== 10 && check % 11 === digit(value, 9);
};

const spanishLetters = "TRWAGMYFPDXBNJZSQVHLCKE";
/** Spanish NIF (8 digits) and NIE (X, Y, Z and 7 digits): number mod 23. */
export const spanish: Check = (value) => {
  const number = value.slice(0, -1).replace(/^[XYZ]/, (first) => String("XYZ".indexOf(first)));
  return spanishLetters[Number(number) % 23] === value.at(-1);
};

const italianOdd: Readonly<Record<string, number>> = Object.fromEntries(
  [...[1, 0, 5, 7, 9, 13, 15, 17, 19, 21].entries()]
    .map(([index, value]) => [String(index), value] as const)
    .concat(
      [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map(
        (letter, index) =>
          [letter, [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23][index] ?? 0] as const,
      ),
    ),
);
/** Italian codice fiscale (DM 23 December 1976): odd and even characters weigh differently. */
export const italianPerson: Check = (value) => {
  let total = 0;
  for (let i = 0; i < 15; i++) {
    const unit = value.charAt(i);
    total += i % 2 === 0 ? (italianOdd[unit] ?? 0) : /[0-9]/.test(unit) ? Number(unit) : unit.charCodeAt(0) - 65;
  }
  return String.fromCharCode(65 + (total % 26)) === value.charAt(15);
};

/** Polish PESEL. */
export const pesel: Check = (value) => (10 - (sum(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === digit(value, 10);

/** Finnish henkilötunnus: date and serial mod 31. */
export const finnish: Check = (value) =>
  "0123456789ABCDEFHJKLMNPRSTUVWXY"[Number(value.slice(0, 6) + value.slice(7, 10)) % 31] === value.at(-1);

/** French NIR: 97 minus the number mod 97; Corsica's 2A and 2B count as 19 and 18. */
export const frenchNir: Check = (value) =>
  97 - Number(BigInt(value.slice(0, 13).replace("2A", "19").replace("2B", "18")) % 97n) === Number(value.slice(13));

/** Dutch BSN: the "eleven test". */
export const bsn: Check = (value) => sum(value, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;

/** Belgian national register number: 97 minus the first nine digits mod 97, with a 2 before them since 2000. */
export const belgian: Check = (value) => {
  const check = Number(value.slice(9));
  const number = Number(value.slice(0, 9));
  return 97 - (number % 97) === check || 97 - ((2_000_000_000 + number) % 97) === check;
};

/** Turkish T.C. Kimlik No. */
export const turkish: Check = (value) => {
  const odd = digit(value, 0) + digit(value, 2) + digit(value, 4) + digit(value, 6) + digit(value, 8);
  const even = digit(value, 1) + digit(value, 3) + digit(value, 5) + digit(value, 7);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return value[0] !== "0" && tenth === digit(value, 9) && (odd + even + tenth) % 10 === digit(value, 10);
};

/** Australian tax file number. */
export const tfn: Check = (value) => sum(value, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
/** Australian business number: the first digit counts one less. */
export const abn: Check = (value) => (sum(value, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0;
/** Australian company number. */
export const acn: Check = (value) => (10 - (sum(value, [8, 7, 6, 5, 4, 3, 2, 1]) % 10)) % 10 === digit(value, 8);
/** Australian Medicare number. */
export const medicare: Check = (value) => sum(value, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === digit(value, 8);

/** Korean resident registration number (before October 2020) and business registration number. */
export const koreanResident: Check = (value) => (11 - (sum(value, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === digit(value, 12);
export const koreanBusiness: Check = (value) => {
  const total = sum(value, [1, 3, 7, 1, 3, 7, 1, 3]) + Math.floor((digit(value, 8) * 5) / 10) + digit(value, 8) * 5;
  return (10 - (total % 10)) % 10 === digit(value, 9);
};

/** Singapore NRIC and FIN. */
export const singapore: Check = (value) => {
  const letters: Readonly<Record<string, readonly [string, number]>> = {
    S: ["JZIHGFEDCBA", 0],
    T: ["JZIHGFEDCBA", 4],
    F: ["XWUTRQPNMLK", 0],
    G: ["XWUTRQPNMLK", 4],
    M: ["KLJNPQRTUWX", 3],
  };
  const [table, offset] = letters[value.charAt(0)] ?? ["", 0];
  const rest = (sum(value.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11;
  return table.charAt(value.startsWith("M") ? 10 - rest : rest) === value.at(-1);
};

/** Brazilian CPF and CNPJ: two check digits, weights falling to 2. */
export const cpf: Check = (value) => brazilian(value, [10, 9, 8, 7, 6, 5, 4, 3, 2]) && brazilian(value, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
export const cnpj: Check = (value) =>
  brazilian(value, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) && brazilian(value, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
function brazilian(value: string, weights: readonly number[]): boolean {
  const rest = sum(value, weights) % 11;
  return (rest < 2 ? 0 : 11 - rest) === digit(value, weights.length);
}

/** Thai national id. */
export const thai: Check = (value) => (11 - (sum(value, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10 === digit(value, 12);

/** Norwegian fødselsnummer. */
export const norwegian: Check = (value) => {
  const first = (11 - (sum(value, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11;
  const second = (11 - (sum(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return first === digit(value, 9) && second === digit(value, 10);
};

/** Portuguese NIF and Chinese resident identity card (GB 11643, ISO 7064 MOD 11-2). */
export const portuguese: Check = (value) => {
  const rest = sum(value, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === digit(value, 8);
};
export const chinese: Check = (value) =>
  "10X98765432"[sum(value, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === value.at(-1);

/** German pension insurance number (VKVR § 2): the letter counts as two digits. */
export const germanPension: Check = (value) => {
  const letter = String(value.charCodeAt(8) - 64).padStart(2, "0");
  const digits = value.slice(0, 8) + letter + value.slice(9, 11);
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];
  const total = weights.reduce((all, weight, index) => {
    const product = weight * digit(digits, index);
    return all + Math.floor(product / 10) + (product % 10);
  }, 0);
  return total % 10 === digit(value, 11);
};

/** German health insurance number (§ 290 SGB V): the letter counts as two digits, alternating weights 1 and 2. */
export const germanHealth: Check = (value) => {
  const digits = String(value.charCodeAt(0) - 64).padStart(2, "0") + value.slice(1, 9);
  let total = 0;
  for (let i = 0; i < 10; i++) {
    const product = digit(digits, i) * (i % 2 === 0 ? 1 : 2);
    total += Math.floor(product / 10) + (product % 10);
  }
  return total % 10 === digit(value, 9);
};

/** US national provider identifier: Luhn over 80840 and the number (45 CFR 162.406). */
export const npi: Check = (value) => {
  let total = 24;
  for (let i = 0; i < 10; i++) {
    const d = digit(value, i);
    total += i % 2 === 0 ? (d > 4 ? d * 2 - 9 : d * 2) : d;
  }
  return total % 10 === 0;
};
