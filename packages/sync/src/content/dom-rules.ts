import { isCriticalField } from "@periscope/privacy";
import { attributeOf, designModeOf, fieldsOf, isHtml, localNameOf, matches, parentElementOf } from "./dom-access.js";

/** Why an element is not read: the extension denies it, it is a form field, or it is an editor. */
export type LeftOut = "denied" | "field" | "editable";

export type DomRules = ReturnType<typeof domRules>;

const editable = '[contenteditable]:not([contenteditable="false" i]),[role="textbox" i],[role="searchbox" i]';
const fieldNames: ReadonlySet<string> = new Set(["input", "textarea", "select", "datalist"]);

/**
 * What of a page is never read, whatever else is asked for.
 * @throws TypeError for a selector that is none
 */
export function domRules(selectorDeny: readonly string[]) {
  const denied = selectorDeny.join(",");
  // Each alone: in a list, some browsers drop an invalid part without an error.
  for (const selector of selectorDeny) requireSelector(selector);
  const rest = denied === "" ? editable : `${denied},${editable}`;
  return {
    /** Why an element itself is left out, if it is. */
    leftOut(element: Element): LeftOut | undefined {
      if (matches(element, rest)) return denied !== "" && matches(element, denied) ? "denied" : "editable";
      return isField(element) ? "field" : undefined;
    },
  };
}

/** Whether an element is a form field, whose text is what somebody entered. */
export const isField = (element: Element): boolean => fieldNames.has(localNameOf(element)) && isHtml(element);

/** Why an element cannot be read: for itself, or for what it is in. */
export function leftOutWith(element: Element, rules: DomRules): LeftOut | undefined {
  for (let at: Element | null = element; at !== null; at = parentElementOf(at)) {
    const reason = rules.leftOut(at);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

export const isEditor = (document: Document): boolean => designModeOf(document) === "on";

function requireSelector(selector: string): void {
  try {
    // An empty selector, or a comma at the end, would change the others in the list.
    new DocumentFragment().querySelector(`:not(${selector})`);
    new DocumentFragment().querySelector(selector);
  } catch {
    throw new TypeError(`selectorDeny takes selectors; this is none: ${selector}`);
  }
}

/** An attribute without blanks around it; empty when it is not there. */
export const plainAttribute = (element: Element, name: string): string => attributeOf(element, name)?.trim() ?? "";

/** Whether a password or card field of a document is filled: then of the page only that it was there may be kept. Shadow trees are not looked into. */
export const hasFilledSecret = (document: Document): boolean => fieldsOf(document).some(isFilledSecret);

/** Whether an element is a password or card field with something in it, also when only the browser may read what it filled in. */
export function isFilledSecret(element: Element): boolean {
  if (!isHtml(element)) return false;
  const name = localNameOf(element);
  if (name !== "input" && name !== "select" && name !== "textarea") return false;
  const type = attributeOf(element, "type") ?? "";
  if (!isCriticalField({ type, autocomplete: attributeOf(element, "autocomplete") ?? "" })) return false;
  // A list always has a selected option.
  if (name === "select") return (element as HTMLSelectElement).selectedIndex > 0;
  return (element as HTMLInputElement | HTMLTextAreaElement).value !== "" || matches(element, ":autofill");
}
