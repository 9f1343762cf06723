import { contactAutofill, contactWords, removedAutofill, removedTypes, removedWords } from "../data/form-fields.js";
import { codeWordCount, passwordWords, secretWords } from "../data/secret-words.js";
import { withoutStandIns } from "../text/stand-ins.js";

/** What is known of a form field. */
export interface FieldTraits {
  readonly type: string;
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
}

/** `removed`: the value is never kept. `contact`: kept at `public` only. `open`: filtered as text. */
export type FieldClass = "removed" | "contact" | "open";

/** The words that text is searched by count in forms as well. */
const removed = new Set([...removedWords, ...passwordWords, ...secretWords].map(joinedWords));
const contact = new Set(contactWords);
/** Found inside of other words too: `Passwortbestätigung`, 新しいパスワード. Shorter ones are part of words that mean something else. */
const compounding = passwordWords.map(joinedWords).filter((word) => word.length > 6 || isUnspaced(word));
/** Passwords in other languages than that of code. */
const spoken = new Set(["passwort", ...passwordWords.slice(codeWordCount)].map(joinedWords));
const spokenCompounding = compounding.filter((word) => spoken.has(word));

/**
 * Classifies a form field by its type, its autofill tokens, its name and its label. A password field that "show
 * password" turned into `type=text` keeps its autofill token and its name.
 */
export function classifyField({ type, name, label, autocomplete }: FieldTraits): FieldClass {
  const tokens = autocomplete.toLowerCase().split(/\s/);
  if (
    removedTypes.has(type.toLowerCase()) ||
    tokens.some((token) => isCriticalToken(token) || removedAutofill.has(token)) ||
    namesSecret(name) ||
    namesSecret(label)
  )
    return "removed";
  if (
    /^(?:email|tel)$/i.test(type) ||
    tokens.some((token) => contactAutofill.has(token)) ||
    hasWord(name, contact) ||
    hasWord(label, contact)
  )
    return "contact";
  return "open";
}

/** Whether the key of a record says "password" in another language than code does, whose names are in the list of secret keys. */
export function namesPassword(key: string): boolean {
  return hasWord(key, spoken) || hasPart(key, spokenCompounding);
}

function namesSecret(name: string): boolean {
  return hasWord(name, removed) || hasPart(name, compounding);
}

/** A field that makes a whole page `restricted` when it is filled: a password or a card. */
export function isCritical({ type, autocomplete }: Pick<FieldTraits, "type" | "autocomplete">): boolean {
  return type.toLowerCase() === "password" || autocomplete.toLowerCase().split(/\s/).some(isCriticalToken);
}

function isCriticalToken(token: string): boolean {
  return token.startsWith("cc-") || token.endsWith("-password");
}

/** Words of a name in snake, kebab or camel case, one by one and two or three together (`card_number`, `oneTimeCode`). */
function hasWord(name: string, list: ReadonlySet<string>): boolean {
  const words = wordsOf(name);
  return words.some((word, index) => {
    const two = word + (words[index + 1] ?? "");
    return [word, two, two + (words[index + 2] ?? "")].some((words) => list.has(words) || list.has(words.replace(fieldNumber, "")));
  });
}

/** The number of a field among several for one value: `otp1` to `otp6`, `cardNumber4`. */
const fieldNumber = /[0-9]{1,2}$/;

function hasPart(name: string, parts: readonly string[]): boolean {
  const joined = joinedWords(name);
  return parts.some((part) => joined.includes(part));
}

function joinedWords(name: string): string {
  return wordsOf(name).join("");
}

/** Lower case and without accents. */
function wordsOf(name: string): string[] {
  return withoutStandIns(name)
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .split(/[^\p{L}\p{M}\p{N}]/u)
    .filter((word) => word !== "")
    .slice(0, 24);
}

/** Scripts that write no blanks between words, or few. */
function isUnspaced(word: string): boolean {
  return /[^\u0000-\u024f]/.test(word);
}
