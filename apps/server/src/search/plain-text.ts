import type { ContentFormat, ContextType } from "@periscope/schemas";
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { parseJson } from "../formats.js";

/** Without tags, markdown's marks are no words: it can be searched as it stands, and is stripped where an excerpt is made. */
const tag = /<(?!https?:|mailto:)[A-Za-z!/]/;
/** Of a content with more UTF-16 units, the plain text is stored: stripping it takes too long for every result of a search. */
export const strippedCharsMax = 65_536;

/** What the text of a context is made from. */
export interface TextSource<Text extends string = string> {
  type: ContextType;
  contentFormat: ContentFormat;
  content: Text;
  plainText: Text | null;
}

/**
 * The text of a context as it is excerpted, without tags and marks. Time and memory are linear in the length of the content, and nothing
 * in it raises.
 */
export function excerptTextOf({ type, contentFormat, content, plainText }: TextSource): string {
  if (plainText !== null) return plainText;
  const form = type === "form" ? formText(content) : null;
  if (form !== null) return form;
  if (contentFormat === "html") return htmlText(content);
  return contentFormat === "markdown" ? markdownText(content) : content;
}

/** The text of a context as it is indexed. Markdown without tags stands as it is, so that the addresses of its links are found. */
export function indexedTextOf(source: TextSource): string {
  return isMarkdownAlone(source) ? source.content : excerptTextOf(source);
}

/** Whether the content is Markdown without tags: every line of it can be read by itself. */
export function isMarkdownAlone({ type, contentFormat, content, plainText }: TextSource): boolean {
  return plainText === null && type !== "form" && contentFormat === "markdown" && !tag.test(content);
}

/** One line a field, `label: value`, of a form's content; null when `content` is no JSON array of fields. */
function formText(content: string): string | null {
  const fields = parseJson(content);
  if (!Array.isArray(fields)) return null;
  const lines: string[] = [];
  for (const field of fields as unknown[]) {
    if (typeof field !== "object" || field === null) continue;
    const { label, name, value } = field as Record<string, unknown>;
    const caption = textOf(label) || textOf(name);
    const line = [caption, textOf(value)].filter((part) => part !== "").join(": ");
    if (line !== "") lines.push(line);
  }
  return lines.join("\n");
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return "";
}

// Markdown

const fence = /^ {0,3}(`{3,}|~{3,})/;
const fences = new RegExp(fence, "gm");
/** Underlines of headings, rules, and the line under a table's head. */
const ruler = /^[\s|:=*_-]+$/;
const definition = /^ {0,3}\[[^\]]+\]:\s/;
const blockMarks = /^(?:\s{0,64}(?:#{1,6}(?=\s)|>|[-*+](?=\s)|\d{1,9}[.)](?=\s)))+(?:\s+\[[ xX]\](?=\s))?/;

/** Most lines: none of the marks above is there. */
const prose = /^[A-Za-z]/;

/** Every pattern here stops at the character that would start the next match, so that no input takes more than linear time. */
const verbatim = /\\[!-/:-@[-`{-~]|(?<!`)(`{1,8})(?!`)[^`]*\1(?!`)/g;
const autolink = /<((?:https?:\/\/|mailto:)[^\s<>]*)>/g;
const link = /!?\[([^[\]]*)\](?:\((?:[^()]|\([^()]*\))*\)|\[[^[\]]*\])/g;
const stars = /(?<=\S)\*{1,3}|\*{1,3}(?=\S)|~~/g;
const underscores = /(?<![\p{L}\p{N}_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![\p{L}\p{N}_])/gu;

/** Stands for escaped characters and code spans while the marks around them are removed. */
const placeholder = "\ufdd1";

/** Room for the longest snippet on either side, with the addresses of links, which are not shown. UTF-16 units. */
export const aroundUnits = 1_000;

/** Of Markdown without tags, the text of the lines from `start` to `end` and {@link aroundUnits} on either side. */
export function markdownTextAround(markdown: string, { start, end }: { start: number; end: number }): string {
  const first = markdown.lastIndexOf("\n", start - aroundUnits) + 1;
  const last = markdown.indexOf("\n", end + aroundUnits);
  let openFence = "";
  for (const { 1: marker = "" } of markdown.slice(0, first).matchAll(fences)) {
    if (openFence === "") openFence = marker;
    else if (marker.startsWith(openFence)) openFence = "";
  }
  return markdownText(markdown.slice(first, last < 0 ? undefined : last), openFence);
}

/**
 * The text of `markdown` without its marks: words of headings, links, lists, tables, code and embedded HTML. Linear time.
 * @param fenceBefore the mark of a block of code that has begun before; empty outside of one
 */
function markdownText(markdown: string, fenceBefore = ""): string {
  const lines: string[] = [];
  let openFence = fenceBefore;
  for (const line of markdown.split("\n")) {
    if (openFence === "" && prose.test(line)) {
      lines.push(lineText(line));
      continue;
    }
    const marker = fence.exec(line)?.[1] ?? "";
    if (openFence !== "") {
      if (marker.startsWith(openFence)) openFence = "";
      else lines.push(escapeHtml(line));
    } else if (marker !== "") {
      openFence = marker;
    } else if (line !== "" && !ruler.test(line) && !definition.test(line)) {
      lines.push(lineText(line));
    }
  }
  return htmlText(lines.join("\n"));
}

/** Without one of these a line has no inline marks: most lines of prose. */
const inlineMark = /[\\`<>[\]*_~|]/;

function lineText(line: string): string {
  const inner = prose.test(line) ? line : line.replace(blockMarks, "");
  if (!inlineMark.test(inner)) return inner;
  if (!inner.includes("`") && !inner.includes("\\")) return unmark(inner);
  const kept: string[] = [];
  const marked = inner.replace(verbatim, (match) => {
    kept.push(escapeHtml(match.startsWith("\\") ? match.slice(1) : match.replaceAll("`", "")));
    return placeholder;
  });
  let next = 0;
  return unmark(marked).replaceAll(placeholder, () => kept[next++] ?? "");
}

/** Each pattern runs only where its mark is: looking for a character is much cheaper. */
function unmark(line: string): string {
  let plain = line;
  if (plain.includes("<")) plain = plain.replace(autolink, "$1");
  if (plain.includes("]")) plain = plain.replace(link, "$1");
  if (plain.includes("*") || plain.includes("~~")) plain = plain.replace(stars, "");
  if (plain.includes("_")) plain = plain.replace(underscores, "");
  return plain.includes("|") ? plain.replaceAll("|", " ") : plain;
}

function escapeHtml(text: string): string {
  if (!text.includes("<") && !text.includes("&")) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

// HTML

/** Elements whose text nobody reads on the page. The title is among them: contexts carry it beside their content. */
const hiddenElements = new Set(["script", "style", "noscript", "template", "svg", "title", "iframe", "object", "canvas"]);

/** Elements that stand within a line of text; any other one separates words. */
const inlineElements = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb ruby s samp small span strike strong " +
    "sub sup time tt u var wbr"
  ).split(" "),
);

/** A noncharacter that stands for the edge of a block until the white space is collapsed. */
const blockEdge = "\ufdd0";

/**
 * The text that a reader of `html` sees: entities decoded, white space collapsed, one line a block.
 * Works on the tokens alone: a parser that keeps the stack of open elements takes quadratic time on deep nesting.
 */
function htmlText(html: string): string {
  if (!/[<&]/.test(html)) return html.replace(/\s{2,}|[^\S ]/g, " ").trim();
  const collector = new TextCollector(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, collector);
  tokenizer.write(html);
  tokenizer.end();
  return collector.toString();
}

class TextCollector implements TokenizerCallbacks {
  private readonly pieces: string[] = [];
  private tag = "";
  private inAlt = false;
  private hiddenBy = "";
  private hiddenDepth = 0;

  private readonly html: string;

  // No parameter property: the search thread runs this file as it stands in tests, with its types stripped.
  constructor(html: string) {
    this.html = html;
  }

  ontext(start: number, end: number): void {
    if (this.hiddenDepth === 0) this.pieces.push(this.html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    if (this.hiddenDepth === 0) this.pieces.push(String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.tag = this.html.slice(start, end).toLowerCase();
    if (!inlineElements.has(this.tag)) this.pieces.push(blockEdge);
    if (this.hiddenDepth > 0) {
      if (this.tag === this.hiddenBy) this.hiddenDepth++;
    } else if (hiddenElements.has(this.tag)) {
      this.hiddenBy = this.tag;
      this.hiddenDepth = 1;
    }
  }

  onselfclosingtag(): void {
    // HTML ignores the slash, but within SVG, where it counts, an empty element must not hide the rest.
    if (this.tag === "svg") this.leave("svg");
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if (!inlineElements.has(name)) this.pieces.push(blockEdge);
    this.leave(name);
  }

  onattribname(start: number, end: number): void {
    this.inAlt = this.hiddenDepth === 0 && end - start === 3 && this.html.slice(start, end).toLowerCase() === "alt";
  }

  onattribdata(start: number, end: number): void {
    if (this.inAlt) this.pieces.push(this.html.slice(start, end));
  }

  onattribentity(codePoint: number): void {
    if (this.inAlt) this.pieces.push(String.fromCodePoint(codePoint));
  }

  onattribend(): void {
    if (this.inAlt) this.pieces.push(blockEdge);
    this.inAlt = false;
  }

  oncdata(start: number, end: number): void {
    this.ontext(start, end);
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onopentagend(): void {}
  onprocessinginstruction(): void {}

  toString(): string {
    return this.pieces
      .join("")
      .replace(/[\s\ufdd0]{2,}|[^\S ]|\ufdd0/g, (gap) => (gap.includes(blockEdge) ? "\n" : " "))
      .trim();
  }

  private leave(name: string): void {
    if (this.hiddenDepth > 0 && name === this.hiddenBy) this.hiddenDepth--;
  }
}
