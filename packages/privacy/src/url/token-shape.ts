// RFC 9562: an id, not a secret.
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Hexadecimal digits only. */
export const hex = /^[0-9a-f]{1,512}$/i;
const numeric = /^[0-9]{1,512}$/;
const tokenCharacters = /^[A-Za-z0-9_\-.~+/=:,]{1,8192}$/;

/**
 * Whether a value could be a token: at least 16 characters of the alphabets that tokens use, with letters and
 * digits (or hexadecimal). For places where a token is to be expected; UUIDs count.
 */
export function isTokenShaped(value: string): boolean {
  if (value.length < 16 || !tokenCharacters.test(value)) return false;
  if (hex.test(value) || uuid.test(value)) return !numeric.test(value) || value.length >= 32;
  return countClasses(value) >= 2 && /[0-9]/.test(value) && classChanges(value) >= 4;
}

/**
 * Whether a value looks random where none is expected: at least 20 characters, letters of both cases and digits
 * changing places often. UUIDs, hashes in hexadecimal, numbers, dates, slugs and file names are not.
 */
export function isHighEntropy(value: string): boolean {
  if (value.length < 20 || !tokenCharacters.test(value) || hex.test(value) || uuid.test(value) || isSlug(value)) return false;
  return countClasses(value) >= 3 && classChanges(value) >= value.length / 5 && new Set(value).size >= Math.min(12, value.length / 2);
}

/** Words joined by signs, as in `these-weeks-in-firefox-issue-85` or `report_v2.0.1.pdf`. */
export function isSlug(value: string): boolean {
  const words = value.split(/[-_.,:~+/=]/);
  return (
    words.length > 1 &&
    words.every((word) => word.length < 12 || !/[0-9]/.test(word)) &&
    words.filter((word) => /[A-Za-z][0-9]|[0-9][A-Za-z]/.test(word)).length * 3 <= words.length
  );
}

function countClasses(value: string): number {
  return Number(/[a-z]/.test(value)) + Number(/[A-Z]/.test(value)) + Number(/[0-9]/.test(value)) + Number(/[_\-~+/=]/.test(value));
}

/** How often neighbours are of different classes: random text changes often, words do not. */
export function classChanges(value: string): number {
  let count = 0;
  let last = classOf(value.charCodeAt(0));
  for (let i = 1; i < value.length; i++) {
    const next = classOf(value.charCodeAt(i));
    if (next !== last) count++;
    last = next;
  }
  return count;
}

function classOf(c: number): number {
  if (c >= 0x30 && c <= 0x39) return 0;
  if (c >= 0x41 && c <= 0x5a) return 1;
  return c >= 0x61 && c <= 0x7a ? 2 : 3;
}
