import { isSecretKey } from "../data/secret-keys.js";
import { classifyField, type FieldTraits, isCritical } from "../fields/field-rules.js";
import type { PrivacyLevel } from "../levels.js";
import { decodeEntities, type DecodedPiece, decodePieces } from "./entities.js";
import type { HtmlAttribute, StartTag } from "./tokenizer.js";

/** Reads one attribute's value, decoded; `""` when the element has none. */
export function attributeValue(html: string, attributes: readonly HtmlAttribute[], name: string): string {
  const found = attributes.find((attribute) => attribute.name === name);
  return found === undefined ? "" : decodeEntities(html.slice(found.valueStart, found.valueEnd));
}

/** The alternative text of an image: read in its place. */
export function alternative(html: string, { attributes }: StartTag): DecodedPiece[] {
  const found = attributes.find(({ name }) => name === "alt");
  return found === undefined ? [] : decodePieces(html, found.valueStart, found.valueEnd);
}

/** What the form rules need to know of an element. */
export function fieldTraits(html: string, attributes: readonly HtmlAttribute[]): FieldTraits {
  const value = (name: string): string => attributeValue(html, attributes, name);
  return {
    type: value("type"),
    name: `${value("name")} ${value("id")}`,
    label: `${value("aria-label")} ${value("placeholder")}`,
    autocomplete: value("autocomplete"),
  };
}

/** Whether the value of a form control has to go at a level that keeps HTML. */
export function isValueRemoved(traits: FieldTraits, level: PrivacyLevel): boolean {
  if (/^(?:submit|button|reset|image)$/i.test(traits.type)) return false;
  const kind = classifyField(traits);
  return kind === "removed" || (kind === "contact" && level !== "public");
}

/** Whether an element is a password or card field that holds a value. */
export function isFilledCritical(html: string, name: string, attributes: readonly HtmlAttribute[]): boolean {
  return name === "input" && attributeValue(html, attributes, "value") !== "" && isCritical(fieldTraits(html, attributes));
}

/** `<meta name="csrf-token" content="…">` and the like. */
export function isSecretMeta(html: string, attributes: readonly HtmlAttribute[]): boolean {
  return ["name", "property", "itemprop", "http-equiv"].some(
    (name) => isSecretKey(attributeValue(html, attributes, name)) || /^set-cookie$/i.test(attributeValue(html, attributes, name)),
  );
}
