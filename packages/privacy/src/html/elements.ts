/** Elements that are dropped with everything in them: code, styles, drawings, embedded documents, templates. */
export const droppedElements: ReadonlySet<string> = new Set([
  "script",
  "style",
  "svg",
  "math",
  "iframe",
  "object",
  "embed",
  "applet",
  "noembed",
  "noframes",
  "template",
  "canvas",
  "xmp",
  "noscript",
]);

/** Elements whose text is that of a control, not of the page. */
export const unreadElements: ReadonlySet<string> = new Set(["textarea", "select", "datalist", "option", "plaintext"]);

/** Elements without an end tag (WHATWG HTML, 13.1.2). */
export const voidElements: ReadonlySet<string> = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "param",
  "source",
  "track",
  "wbr",
]);

/** Elements inside a line of text; see {@link edgeOf} for the others. */
const inlineElements: ReadonlySet<string> = new Set([
  "a",
  "abbr",
  "acronym",
  "b",
  "bdi",
  "bdo",
  "big",
  "cite",
  "code",
  "data",
  "del",
  "dfn",
  "em",
  "font",
  "i",
  "ins",
  "kbd",
  "mark",
  "nobr",
  "q",
  "rp",
  "rt",
  "ruby",
  "s",
  "samp",
  "small",
  "span",
  "strike",
  "strong",
  "sub",
  "sup",
  "time",
  "tt",
  "u",
  "var",
  "wbr",
]);

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

/** Attributes with a URL (WHATWG HTML, index of attributes). */
export const urlAttributes: ReadonlySet<string> = new Set([
  "href",
  "src",
  "action",
  "formaction",
  "poster",
  "cite",
  "background",
  "data",
  "longdesc",
  "manifest",
  "icon",
  "xlink:href",
  "itemid",
  "usemap",
  "profile",
  "classid",
  "codebase",
]);

/** Attributes that say nothing about a person and are not looked at: layout, roles, states. */
export const plainAttributes: ReadonlySet<string> = new Set([
  "class",
  "id",
  "role",
  "type",
  "rel",
  "lang",
  "dir",
  "width",
  "height",
  "target",
  "tabindex",
  "colspan",
  "rowspan",
  "for",
  "name",
  "align",
  "valign",
  "border",
  "scope",
  "hidden",
  "disabled",
  "checked",
  "selected",
  "readonly",
  "required",
  "multiple",
  "method",
  "enctype",
  "charset",
  "media",
  "sizes",
  "loading",
  "decoding",
  "itemprop",
  "itemscope",
  "itemtype",
  "property",
  "autocomplete",
  "aria-hidden",
  "aria-expanded",
  "aria-controls",
  "aria-labelledby",
  "aria-describedby",
  "cellpadding",
  "cellspacing",
  "http-equiv",
  "viewport",
  "min",
  "max",
  "step",
  "maxlength",
  "minlength",
  "size",
  "rows",
  "cols",
  "wrap",
  "start",
  "span",
  "crossorigin",
  "referrerpolicy",
  "fetchpriority",
  "integrity",
  "datetime",
]);

/** Attributes that are dropped: code, styles, embedded documents, one-time values, beacons. */
export function isDroppedAttribute(name: string): boolean {
  return (
    name.startsWith("on") ||
    name === "style" ||
    name === "srcdoc" ||
    name === "nonce" ||
    name === "ping" ||
    name === "srcset" ||
    name === "imagesrcset" ||
    name === "attributionsrc"
  );
}
