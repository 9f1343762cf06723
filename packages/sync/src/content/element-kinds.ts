/** Where an element stands in a text: in a line, on lines of its own, as a paragraph, as a cell of a row; or it has no text of the page. */
export type ElementKind = "inline" | "block" | "paragraph" | "cell" | "break" | "none";

const lists: Readonly<Record<Exclude<ElementKind, "inline">, string>> = {
  // What a browser draws by other means, or does not draw.
  none: "script style noscript template head iframe frame frameset object embed video audio canvas",
  paragraph: "p",
  cell: "td th",
  break: "br",
  block:
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option plaintext pre search section summary table tbody tfoot thead tr ul xmp",
};

const kinds: ReadonlyMap<string, ElementKind> = new Map(
  Object.entries(lists).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind as ElementKind])),
);

/** The kind of an element by its name, as browsers draw it by default: to ask for the style of each would take as long as all the rest. */
export function kindOf(localName: string, isHtml: boolean): ElementKind {
  const kind = kinds.get(localName);
  if (isHtml && kind !== undefined) return kind;
  if (kind === "none") return kind;
  // Elements of the page's own, and those of other languages, say nothing about themselves. A line too many does less harm than two words in one.
  return isHtml && !localName.includes("-") ? "inline" : "block";
}
