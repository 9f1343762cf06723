import { isDigit, isLetter } from "../text/chars.js";

/** Check digit of ISO/IEC 7812-1 annex B (Luhn, mod 10 double-add-double), over ASCII digits. */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = digits.charCodeAt(i) - 0x30;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

/** ISO/IEC 7064 MOD 97-10 over digits and letters (A = 10), taken piecewise so that it never overflows. Other signs are left out. */
export function mod97(value: string): number {
  let rest = 0;
  for (let at = 0; at < value.length; at++) {
    const c = value.charCodeAt(at);
    if (isDigit(c)) rest = (rest * 10 + c - 0x30) % 97;
    else if (isLetter(c)) rest = (rest * 100 + (c | 0x20) - 0x57) % 97;
  }
  return rest;
}

/** All digits the same: a filler, not a number. */
export function isRepeatedDigit(digits: string): boolean {
  return digits.length > 0 && digits === digits.charAt(0).repeat(digits.length);
}
