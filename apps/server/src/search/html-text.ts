import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

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
export function htmlText(html: string): string {
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
