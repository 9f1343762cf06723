import { luhn, weightedSum } from "../number-checks.js";

const digit = (value: string, index: number): number => value.charCodeAt(index) - 0x30;

/** Czech and Slovak rodné číslo: ten digits divisible by 11 (before 1985 a rest of 10 was written as 0). */
export const rodneCislo = (value: string): boolean => Number(value) % 11 === 0 || (Number(value.slice(0, 9)) % 11) % 10 === digit(value, 9);

/** Romanian CNP: weights 279146358279, mod 11, a rest of 10 counts as 1. */
export const cnp = (value: string): boolean => {
  const rest = weightedSum(value, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (rest === 10 ? 1 : rest) === digit(value, 12);
};

/** Bulgarian EGN: weights are the powers of 2 mod 11. */
export const egn = (value: string): boolean => (weightedSum(value, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === digit(value, 9);

/** Estonian isikukood and Lithuanian asmens kodas: a second row of weights when the first gives 10. */
export const baltic = (value: string): boolean => {
  const first = weightedSum(value, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const second = weightedSum(value, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11;
  return (first < 10 ? first : second % 10) === digit(value, 10);
};

/** EAN-13, as the Swiss AHV number is checked. */
export const ean13 = (value: string): boolean =>
  (10 - (weightedSum(value, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === digit(value, 12);

/** Irish PPS number: weights 8 to 2, a second letter weighs 9. */
export const pps = (value: string): boolean => {
  const second = value.length > 8 && value.charAt(8) !== "W" ? (value.charCodeAt(8) - 64) * 9 : 0;
  return "WABCDEFGHIJKLMNOPQRSTUV"[(weightedSum(value, [8, 7, 6, 5, 4, 3, 2]) + second) % 23] === value.charAt(7);
};

/** Chilean RUT: weights 2 to 7 from the right, mod 11, 10 is K. */
export const rut = (value: string): boolean => {
  let sum = 0;
  for (let i = 0; i < value.length - 1; i++) sum += digit(value, value.length - 2 - i) * (2 + (i % 6));
  return "0123456789K0"[11 - (sum % 11)] === value.at(-1);
};

/** Austrian social insurance number: the fourth digit is the check digit. */
export const austrian = (value: string): boolean => weightedSum(value, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === digit(value, 3);

/** Japanese individual number: weights 6 to 2 and 7 to 2. */
export const myNumber = (value: string): boolean => {
  const rest = weightedSum(value, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest <= 1 ? 0 : 11 - rest) === digit(value, 11);
};

/** Taiwanese identity number: the letter counts as two digits. */
export const taiwanese = (value: string): boolean => {
  const area = "ABCDEFGHJKLMNPQRSTUVXYWZIO".indexOf(value.charAt(0)) + 10;
  const sum = Math.floor(area / 10) + (area % 10) * 9 + weightedSum(value.slice(1), [8, 7, 6, 5, 4, 3, 2, 1, 1]);
  return sum % 10 === 0;
};

/** Mexican CURP: base 37 with Ñ, weights 18 to 2. */
export const curp = (value: string): boolean => {
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ".indexOf(value.charAt(i)) * (18 - i);
  return (10 - (sum % 10)) % 10 === digit(value, 17);
};

/** Argentine CUIT and CUIL. */
export const cuit = (value: string): boolean => (11 - (weightedSum(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === digit(value, 10);

/** Israeli identity number: Luhn over nine digits, leading zeros written or not. */
export const israeli = (value: string): boolean => luhn(value.padStart(9, "0"));
