import { classifyField } from "@periscope/privacy";
import { attributeOf, controlsOf, isHtml, isShown, localNameOf, parentElementOf, select } from "./dom-access.js";
import { type DomRules, isField, isFilledSecret, leftOutWith } from "./dom-rules.js";
import { cutToWhole, fitBytes } from "../fit-text.js";

const fieldsMax = 500;
const labelUnitsMax = 200;
const valueBytesMax = 8_192;
const ignoredTypes: ReadonlySet<string> = new Set(["hidden", "submit", "reset", "button", "image"]);

/**
 * The fields of a form that are shown, with what is entered only where the rules let it through: never of passwords, codes, cards, files and the
 * like, of contact details only with `keepsContact`. Fields that the extension denies are not named either. As JSON, with whether a field or a value
 * did not fit, and how many values the rules left out: `secret_value`, `contact_value`.
 */
export function readForm(
  form: Element,
  rules: DomRules,
  { bytesMax, keepsContact }: { bytesMax: number; keepsContact: boolean },
): { content: string; isTruncated: boolean; leftOut: Record<string, number> } {
  const leftOut: Record<string, number> = {};
  const parts: string[] = [];
  let left = bytesMax - 2;
  let hasLongValue = false;
  const fields = fieldsOf(form).filter((field) => isListed(field, rules));
  for (const element of fields.slice(0, fieldsMax)) {
    const json = JSON.stringify(describe(element));
    const { bytes, end } = fitBytes(json, left - 1);
    if (end < json.length) break;
    left -= bytes + 1;
    parts.push(json);
  }
  return { content: `[${parts.join(",")}]`, isTruncated: hasLongValue || parts.length < fields.length, leftOut };

  /** A field as it stands in the content of a form. */
  function describe(element: Element) {
    const type = typeOf(element);
    const name = attributeOf(element, "name") || attributeOf(element, "id") || "";
    const label = labelOf(element);
    const autocomplete = (attributeOf(element, "autocomplete") ?? "").trim().slice(0, labelUnitsMax);
    const value = valueOf(element, type);
    const filled = value !== "" || isFilledSecret(element);
    const kind = classifyField({ type, name, label, autocomplete });
    const isKept = kind === "open" || (kind === "contact" && keepsContact);
    if (filled && !isKept) {
      const counted = kind === "contact" ? "contact_value" : "secret_value";
      leftOut[counted] = (leftOut[counted] ?? 0) + 1;
    }
    // Cut before the filter, half a secret would pass it.
    const fits = !isKept || fitBytes(value, valueBytesMax).end === value.length;
    hasLongValue ||= !fits;
    return {
      name: shortened(name),
      type,
      ...(label !== "" && { label }),
      ...(autocomplete !== "" && { autocomplete }),
      filled,
      ...(isKept && fits && value !== "" && { value }),
    };
  }
}

function fieldsOf(form: Element): readonly Element[] {
  if (isHtml(form) && localNameOf(form) === "form") return controlsOf(form as HTMLFormElement);
  return select(form, "input,select,textarea");
}

/** A hidden field was not filled in by a person, so it is not read. */
function isListed(element: Element, rules: DomRules): boolean {
  if (!isField(element) || ignoredTypes.has(typeOf(element)) || !isShown(element)) return false;
  const around = parentElementOf(element);
  return rules.leftOut(element) === "field" && (around === null || leftOutWith(around, rules) === undefined);
}

function typeOf(element: Element): string {
  const name = localNameOf(element);
  // As written: a type that the browser does not know is one of a text, but may say what is in it.
  return name === "input" ? (attributeOf(element, "type")?.trim().toLowerCase().slice(0, 32) ?? "") || "text" : name;
}

function valueOf(element: Element, type: string): string {
  if (type === "select") {
    const chosen = Array.from((element as HTMLSelectElement).selectedOptions);
    return chosen
      .filter(({ value }) => value !== "")
      .map(({ text }) => text)
      .join(", ");
  }
  const input = element as HTMLInputElement;
  if (type === "checkbox" || type === "radio") return input.checked ? input.value : "";
  return input.value;
}

function labelOf(element: Element): string {
  const [label] = Array.from((element as HTMLInputElement).labels ?? []);
  const text =
    attributeOf(element, "aria-label") ||
    (label === undefined ? "" : labelText(label)) ||
    attributeOf(element, "placeholder") ||
    attributeOf(element, "title") ||
    "";
  return shortened(text.replaceAll(/\s+/g, " ").trim());
}

const shortened = (text: string): string => (text.length > labelUnitsMax ? cutToWhole(text.slice(0, labelUnitsMax)) : text).toWellFormed();

/** What is written in a label, without the field that may stand in it. */
function labelText(label: Element): string {
  const walker = label.ownerDocument.createTreeWalker(label, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && (isField(node) || !isShown(node)) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  let text = "";
  while (text.length < labelUnitsMax * 4 && walker.nextNode() !== null) {
    if (walker.currentNode instanceof Text) text += `${walker.currentNode.data} `;
  }
  return text;
}
