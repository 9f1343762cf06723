import { isLetter } from "../text/chars.js";

/** An attribute as it stands in the source. */
export interface HtmlAttribute {
  /** Lower case. */
  readonly name: string;
  /** First unit of the attribute. */
  readonly start: number;
  /** First unit past it, closing quote included. */
  readonly end: number;
  /** The value without quotes; both equal when there is none. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** One piece of an HTML source. Together the pieces are the whole source. A tag that is not closed reaches to the end of it. */
export type HtmlToken = { readonly start: number; readonly end: number } & (
  | { readonly type: "text" | "doctype" | "comment" }
  | { readonly type: "raw"; readonly name: string }
  | { readonly type: "end"; readonly name: string; readonly hasAttributes: boolean; readonly isClosed: boolean }
  | { readonly type: "start"; readonly name: string; readonly attributes: readonly HtmlAttribute[]; readonly isClosed: boolean }
);

/** A start tag. */
export type StartTag = Extract<HtmlToken, { type: "start" }>;

/** Elements whose content is text up to their end tag (WHATWG HTML 13.2.5, RCDATA and RAWTEXT states). */
const rawElements = new Set(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"]);

/** Tab, line feed, form feed, carriage return, blank. */
function isHtmlSpace(c: number): boolean {
  return c === 0x20 || c === 0x0a || c === 0x09 || c === 0x0d || c === 0x0c;
}

/**
 * Splits HTML into tokens the way a browser does (WHATWG HTML, 13.2.5), broken markup included: no DOM, so it runs in
 * a service worker; every unit is looked at a bounded number of times. What comes after an unclosed comment, tag or
 * raw element belongs to it.
 */
export function tokenizeHtml(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  let at = 0;
  const text = (end: number): void => {
    if (end > at) tokens.push({ type: "text", start: at, end });
    at = end;
  };
  for (;;) {
    const open = nextMarkup(html, at);
    text(open);
    if (open >= html.length) return tokens;
    const token = readMarkup(html, open);
    tokens.push(token);
    at = token.end;
    if (token.type !== "start" || !rawElements.has(token.name)) continue;
    const close = rawEnd(html, at, token.name);
    if (close > at) tokens.push({ type: "raw", name: token.name, start: at, end: close });
    at = close;
  }
}

/** The next `<` that starts markup: `a < b` is text. */
function nextMarkup(html: string, from: number): number {
  for (let open = html.indexOf("<", from); open >= 0; open = html.indexOf("<", open + 1)) {
    const c = html.charCodeAt(open + 1);
    if (isLetter(c) || c === 0x21 || c === 0x3f || (c === 0x2f && isLetter(html.charCodeAt(open + 2)))) return open;
  }
  return html.length;
}

function readMarkup(html: string, start: number): HtmlToken {
  const next = html.charAt(start + 1);
  if (next === "!" || next === "?") {
    if (html.startsWith("<!--", start)) return { type: "comment", start, end: after(html, "-->", start + 2) };
    const end = after(html, ">", start + 2);
    return { type: /^<!doctype/i.test(html.slice(start, start + 9)) ? "doctype" : "comment", start, end };
  }
  const isEnd = next === "/";
  const nameStart = start + (isEnd ? 2 : 1);
  const nameEnd = endOf(html, nameStart, endsTagName);
  const name = html.slice(nameStart, nameEnd).toLowerCase();
  const { attributes, isClosed, end } = readAttributes(html, nameEnd);
  return isEnd
    ? { type: "end", name, hasAttributes: attributes.length > 0, isClosed, start, end }
    : { type: "start", name, attributes, isClosed, start, end };
}

function readAttributes(html: string, from: number): { attributes: HtmlAttribute[]; isClosed: boolean; end: number } {
  const attributes: HtmlAttribute[] = [];
  let at = from;
  for (;;) {
    at = endOfSpace(html, at);
    if (at >= html.length) return { attributes, isClosed: false, end: html.length };
    const c = html.charCodeAt(at);
    if (c === 0x3e) return { attributes, isClosed: true, end: at + 1 };
    if (c === 0x2f) {
      at++;
      continue;
    }
    const start = at;
    // An `=` that comes first is the name.
    at = c === 0x3d ? at + 1 : endOf(html, at, endsAttributeName);
    const name = html.slice(start, at).toLowerCase();
    const equals = endOfSpace(html, at);
    if (html.charCodeAt(equals) !== 0x3d || name === "=") {
      attributes.push({ name, start, end: at, valueStart: at, valueEnd: at });
      continue;
    }
    at = endOfSpace(html, equals + 1);
    const quote = html.charAt(at);
    if (quote === '"' || quote === "'") {
      const close = html.indexOf(quote, at + 1);
      const valueEnd = close < 0 ? html.length : close;
      attributes.push({ name, start, end: Math.min(html.length, valueEnd + 1), valueStart: at + 1, valueEnd });
      at = Math.min(html.length, valueEnd + 1);
    } else {
      const valueEnd = endOf(html, at, endsUnquoted);
      attributes.push({ name, start, end: valueEnd, valueStart: at, valueEnd });
      at = valueEnd;
    }
  }
}

function rawEnd(html: string, from: number, name: string): number {
  if (name === "plaintext") return html.length;
  const close = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, "gi");
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

function endOfSpace(html: string, from: number): number {
  let at = from;
  while (isHtmlSpace(html.charCodeAt(at))) at++;
  return at;
}

/** The first unit from `from` on that `ends`, or the end of the document. */
function endOf(html: string, from: number, ends: (c: number) => boolean): number {
  let at = from;
  while (at < html.length && !ends(html.charCodeAt(at))) at++;
  return at;
}

const endsUnquoted = (c: number): boolean => c === 0x3e || isHtmlSpace(c);
const endsTagName = (c: number): boolean => c === 0x2f || endsUnquoted(c);
const endsAttributeName = (c: number): boolean => c === 0x3d || endsTagName(c);
