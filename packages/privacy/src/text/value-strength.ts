import { literal, graphqlType, expression, path, file, date, version, consonants, alphabet, slug } from "../data/value-shapes.js";
import { passwordWords } from "../data/secret-words.js";
import { classChanges } from "../url/token-shape.js";
import { isPlaceholder } from "./placeholders.js";

/** How much a value looks like a secret: 0 not at all, 1 a word, 2 mixed characters, 3 random. */
export type Strength = 0 | 1 | 2 | 3;

/** What a value is shows in its first units. */
const valueMax = 160;

/** Classifies the value of a secret's name. `isQuoted`: it stood in quotes, so it is a literal, not code. */
export function valueStrength(given: string, isQuoted: boolean): Strength {
  const value = given.length > valueMax ? given.slice(0, valueMax) : given;
  if (
    value.length < 3 ||
    literal.test(value) ||
    graphqlType.test(value) ||
    (path.test(value) && !isSlashed(value)) ||
    (value.includes("/") && file.test(value)) ||
    date.test(value) ||
    version.test(value) ||
    isPasswordWord(value) ||
    isPlaceholder(value)
  )
    return 0;
  if (!isQuoted && ((expression.test(value) && !isRandom(value)) || /^[{([$&*]/.test(value))) return 0;
  if (/^[0-9]{4}(?: [0-9]{4}){3,7}$/.test(value)) return 2;
  if (/\s/.test(value)) return value.split(/\s/).length > 3 || !/[0-9]/.test(value) ? 0 : 1;
  const hasDigit = /[0-9]/.test(value);
  const hasLetter = /[A-Za-z]/.test(value);
  const changes = classChanges(value);
  const isUnspoken = value.length >= 10 && consonants.test(value) && !alphabet.test(value);
  if (
    value.length >= 12 &&
    hasDigit &&
    hasLetter &&
    (changes >= 5 || isUnspoken || /^[0-9a-f]{16,}$/i.test(value) || /^[0-9a-f-]{32,36}$/i.test(value))
  )
    return 3;
  if (value.length >= 24 && !slug.test(value) && changes >= 8) return 3;
  if (value.length >= 8 && changes * 3 >= value.length) return 2;
  if (slug.test(value)) return isUnspoken && changes >= 3 ? 2 : 1;
  if (hasDigit && hasLetter && value.length >= 5) return isQuoted || changes >= 3 || value.length >= 8 ? 2 : 1;
  if (hasLetter && /[^A-Za-z0-9_\-.:/,\s]/.test(value)) return 2;
  return hasDigit && value.length >= 6 ? 2 : 1;
}

const spoken = new Set(passwordWords.map((word) => word.replaceAll(/[ -]/g, "")));

/** The word for a password in another language is the translation of a label: `password: "Contraseña"`. */
function isPasswordWord(value: string): boolean {
  return value.length < 20 && spoken.has(value.toLowerCase().replaceAll(/[ :_-]/g, ""));
}

/** Base64 may begin with a slash, as secret keys of AWS do, which have 40 characters. */
function isSlashed(value: string): boolean {
  return /^\/[A-Za-z0-9/+]{39}$/.test(value) && /[0-9]/.test(value) && classChanges(value) >= 12;
}

/** Long, with several digits, and changing between letters, capitals and digits at every third character or oftener: no code reads so. */
function isRandom(value: string): boolean {
  return (
    value.length >= 24 &&
    value.replaceAll(/[^0-9]/g, "").length >= 5 &&
    !/[(\s[]/.test(value) &&
    classChanges(value) * 3 >= Math.min(value.length, 200)
  );
}

/**
 * Whether a value that only stands behind the word "password" in a sentence is one: with a sign that words do not have, or
 * letters and digits in turn. `SHA256`, `OAuth2` and `Base64-encoded` are not.
 */
export function isMixedPassword(value: string): boolean {
  if (value.length < 6 || value.length > 64 || !/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const isCode = (): boolean => /^[A-Za-z]{1,40}[0-9]{1,4}(?:[-_.]|$)/.test(value) || isWords(value);
  const isMixed = /[!@#$%^&*?~+=]/.test(value)
    ? !/[/\\]/.test(value)
    : /[a-z]/.test(value) && /[A-Z]/.test(value) && classChanges(value) >= 4 && !isCode();
  return (isMixed || /^[0-9a-f]{16,64}$/i.test(value)) && valueStrength(value, true) >= 2;
}

/** `session-token-name-1`: words and numbers with signs between them name something. */
export function isName(value: string): boolean {
  return value.split(/[-_./:]/).every((part) => /^(?:[A-Za-z]{0,200}|[0-9]{1,4})$/.test(part));
}

/** `OtherType1Password`: words of three letters and more, and numbers. */
function isWords(value: string): boolean {
  return (value.match(/[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g) ?? []).every((part) => part.length > 2 || /[0-9]|^[A-Z]{2}$/.test(part));
}
