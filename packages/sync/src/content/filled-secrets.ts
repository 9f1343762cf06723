import { isCriticalField } from "@periscope/privacy";
import { attributeOf, fieldsOf, isHtml, localNameOf, matches } from "./dom-access.js";

/** Whether a password or card field of a document is filled: then of the page only that it was there may be kept. Shadow trees are not looked into. */
export const hasFilledSecret = (document: Document): boolean => fieldsOf(document).some(isFilledSecret);

/** Whether an element is a password or card field with something in it, also when only the browser may read what it filled in. */
export function isFilledSecret(element: Element): boolean {
  if (!isHtml(element)) return false;
  const name = localNameOf(element);
  if (name !== "input" && name !== "select" && name !== "textarea") return false;
  const type = attributeOf(element, "type") ?? "";
  if (!isCriticalField({ type, autocomplete: attributeOf(element, "autocomplete") ?? "" })) return false;
  // A list has something chosen always.
  if (name === "select") return (element as HTMLSelectElement).selectedIndex > 0;
  return (element as HTMLInputElement | HTMLTextAreaElement).value !== "" || matches(element, ":autofill");
}
