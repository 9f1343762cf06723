import { contactAutofill, contactWords, removedAutofill, removedTypes, removedWords } from "../data/form-fields.js";

/** What is known of a form field. */
export interface FieldTraits {
  readonly type: string;
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
}

/** `removed`: the value is never kept. `contact`: kept at `public` only. `open`: filtered as text. */
export type FieldClass = "removed" | "contact" | "open";

const removed = new Set(removedWords);
const contact = new Set(contactWords);

/**
 * Classifies a form field by its type, its autofill tokens, its name and its label. A password field that "show
 * password" turned into `type=text` keeps its autofill token and its name.
 */
export function classifyField({ type, name, label, autocomplete }: FieldTraits): FieldClass {
  const tokens = autocomplete.toLowerCase().split(/\s/);
  if (
    removedTypes.has(type.toLowerCase()) ||
    tokens.some((token) => isRemovedToken(token)) ||
    hasWord(name, removed) ||
    hasWord(label, removed)
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

/** A field that makes a whole page `restricted` when it is filled: a password or a card. */
export function isCritical({ type, autocomplete }: Pick<FieldTraits, "type" | "autocomplete">): boolean {
  return (
    type.toLowerCase() === "password" ||
    autocomplete
      .toLowerCase()
      .split(/\s/)
      .some((token) => token.startsWith("cc-") || token.endsWith("-password"))
  );
}

function isRemovedToken(token: string): boolean {
  return token.startsWith("cc-") || token.endsWith("-password") || removedAutofill.has(token);
}

/** Words of a name in snake, kebab or camel case, one by one and two or three together (`card_number`, `oneTimeCode`). */
function hasWord(name: string, list: ReadonlySet<string>): boolean {
  const words = name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]/u)
    .filter((word) => word !== "")
    .slice(0, 24);
  return words.some((word, index) => {
    const two = word + (words[index + 1] ?? "");
    return list.has(word) || list.has(two) || list.has(two + (words[index + 2] ?? ""));
  });
}
