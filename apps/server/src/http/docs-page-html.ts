/** HTML that is safe to put into a page. Only the functions below make it, so nothing gets in unescaped by mistake. */
export class Html {
  constructor(readonly text: string) {}
}

/** Text of this program's own, such as a style sheet, as it stands. */
export function verbatim(text: string): Html {
  return new Html(text);
}

export type HtmlPart = Html | string | number | undefined | readonly HtmlPart[];

/** A template of HTML: what is filled in is escaped, unless it is HTML already; undefined is nothing, a list is its parts in a row. */
export function html(strings: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  return new Html(strings.reduce((text, string, index) => text + textOf(parts[index - 1]) + string));
}

/** The parts with `separator` between them. */
export function join(parts: readonly HtmlPart[], separator: HtmlPart): Html {
  return new Html(parts.map(textOf).join(textOf(separator)));
}

function textOf(part: HtmlPart): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(textOf).join("") : escaped(String(part));
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
