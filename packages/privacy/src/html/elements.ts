import { droppedAttributes, inlineElements } from "../data/html-names.js";

/** What parts the text before a tag from the text after it. */
export type Edge = "none" | "blank" | "block" | "cell" | "row";

const edges: ReadonlyMap<string, Edge> = new Map<string, Edge>([
  ...[...inlineElements].map((name) => [name, "none"] as const),
  ...["img", "input", "button", "label", "option"].map((name) => [name, "blank"] as const),
  // A term and what is said of it are a pair, as the cells of a row are.
  ...["td", "th", "dt", "dd"].map((name) => [name, "cell"] as const),
  ...["tr", "table", "thead", "tbody", "tfoot", "caption", "dl"].map((name) => [name, "row"] as const),
]);

/** The edge that tags of this name make: the one rule for all that reads a page as text. */
export function edgeOf(name: string): Edge {
  return edges.get(name) ?? "block";
}

/** Elements in which white space counts. */
export function keepsSpace(name: string): boolean {
  return name === "pre" || name === "listing";
}

/** Attributes that are dropped: code, styles, embedded documents, one-time values, beacons. */
export function isDroppedAttribute(name: string): boolean {
  return name.startsWith("on") || droppedAttributes.has(name);
}

/**
 * Whether a tag ends its element as well: `<svg/>`. A browser overlooks the slash of an element of HTML (WHATWG HTML, 13.2.5.40), so that `<script/>` opens a
 * script.
 */
export function isSelfClosed(html: string, { name, end }: { readonly name: string; readonly end: number }): boolean {
  return (name === "svg" || name === "math") && html[end - 2] === "/";
}
