import { edgeOf, keepsSpace } from "./elements.js";
import type { DecodedPiece } from "./entities.js";
import { JoinedText } from "./joined-text.js";
import { isSpace, isWordish } from "../text/chars.js";
import { seam } from "../text/invisible.js";

/** What can stand between two stretches of text; a stronger one takes the place of a weaker. */
const gap = { none: 0, blank: 1, line: 2, block: 3, cell: 4, row: 5 } as const;
type Gap = (typeof gap)[keyof typeof gap];

const blank = 0x20;
const lineEnd = 0x0a;
/** White space of HTML and the no-break space. */
const isGap = (c: number): boolean => c === blank || (c >= 0x09 && c <= 0x0d && c !== 0x0b) || c === 0xa0;
const isIrregular = /^ |[\t\n\f\r\u00a0]| {2}| $/;
/** Longer lines label no control. */
const labelMax = 40;

/**
 * The text of a page as its reader sees it, for detectors and for the level that keeps nothing else: white space is one blank, a
 * line end of the source or one between blocks is one line end, cells of a row (and a term with what is said of it) are a tab apart,
 * and `<pre>` keeps its spaces.
 */
export class PageText extends JoinedText {
  #gap: Gap = gap.none;
  /** Where a gap that is white space of the source stands there. */
  #source: { start: number; end: number } | undefined;
  #cells = 0;
  #tabs = 0;
  #rowStart = 0;
  #preDepth = 0;
  /** A tag of an element inside a line came after the last text. */
  #isSeam = false;
  #last = Number.NaN;

  /** A start tag. */
  open(name: string): void {
    const edge = edgeOf(name);
    this.#isSeam = true;
    if (edge === "row" || name === "dt") this.#endRow();
    if (edge === "cell") {
      if (this.#cells++ === 0) this.#widen(gap.block);
      else {
        this.#tabs++;
        this.#widen(gap.cell);
      }
    } else this.#widen(gap[edge]);
    if (keepsSpace(name)) this.#preDepth++;
  }

  /** An end tag. */
  close(name: string): void {
    const edge = edgeOf(name);
    this.#isSeam = true;
    if (edge === "row") this.#endRow();
    else this.#widen(edge === "cell" ? gap.block : gap[edge]);
    if (keepsSpace(name) && this.#preDepth > 0) this.#preDepth--;
  }

  /** Text of the source. */
  override add(pieces: readonly DecodedPiece[]): void {
    for (const { start, end, text } of pieces) {
      if (this.#preDepth > 0) this.#addRaw(text, start, end);
      else if (isIrregular.test(text)) this.#addSpaced(text, start, end);
      else this.#addSolid(text, start, end);
    }
  }

  /** Text apart from its neighbours, such as the alternative text of an image. */
  addApart(pieces: readonly DecodedPiece[]): void {
    this.#widen(gap.blank);
    this.add(pieces);
    this.#widen(gap.blank);
  }

  /** The last line or cell so far, which may label what comes next; `""` when it is too long to. */
  get label(): string {
    const end = this.tail(labelMax + 1);
    const label = end.slice(Math.max(end.lastIndexOf("\n"), end.lastIndexOf("\t")) + 1).replaceAll(seam, "");
    return label.length > labelMax ? "" : label;
  }

  #addSolid(text: string, start: number, end: number): void {
    if (this.#gap !== gap.none) this.#fill();
    else if (this.#isSeam && isWordish(this.#last) && !isSpace(text.charCodeAt(0))) this.separate(seam);
    this.put(text, start, end);
    this.#isSeam = false;
    this.#last = text.charCodeAt(text.length - 1);
  }

  #addRaw(text: string, start: number, end: number): void {
    // A line end after `<pre>` is no part of its text, and one before `</pre>` and the block's own are one.
    const from = this.#gap >= gap.block && end - start === text.length ? text.search(/[^\r\n]/) : 0;
    if (from >= 0) this.#addSolid(text.slice(from), start + from, end);
  }

  #addSpaced(text: string, start: number, end: number): void {
    // A character reference stands for its text as a whole.
    const isSource = end - start === text.length;
    const length = text.length;
    let from = 0;
    for (let at = 0; at < length; at++) {
      const first = at;
      let hasLineEnd = false;
      for (; at < length && isGap(text.charCodeAt(at)); at++) hasLineEnd ||= text.charCodeAt(at) === lineEnd;
      if (at === first) continue;
      // One blank between words stays as it is.
      if (at - first === 1 && first > 0 && at < length && text.charCodeAt(first) === blank) continue;
      if (first > from) this.#addSolid(text.slice(from, first), start + from, start + first);
      this.#addSpace(hasLineEnd ? gap.line : gap.blank, isSource ? start + first : start, isSource ? start + at : end);
      from = at;
    }
    if (from < length) this.#addSolid(text.slice(from), isSource ? start + from : start, end);
  }

  #addSpace(wide: Gap, start: number, end: number): void {
    if (this.#gap === gap.none) this.#source = { start, end };
    this.#gap = wide > this.#gap ? wide : this.#gap;
  }

  #widen(wide: Gap): void {
    if (wide === gap.none) return;
    this.#source = undefined;
    if (wide > this.#gap) this.#gap = wide;
  }

  #endRow(): void {
    // Empty cells at the end of a row count: a column is told by the number of its cell.
    if (this.#tabs > 0 && this.length > this.#rowStart) this.separate("\t".repeat(this.#tabs));
    this.#tabs = 0;
    this.#cells = 0;
    this.#rowStart = this.length;
    this.#widen(gap.row);
  }

  /** Puts what stands before the text that comes now. */
  #fill(): void {
    const wide = this.#gap;
    if (wide === gap.none) return;
    if (this.length > 0 && wide !== gap.cell) {
      const space = wide === gap.blank ? " " : "\n";
      if (this.#source !== undefined) this.put(space, this.#source.start, this.#source.end);
      else if (space === " " || this.tail(1) !== "\n") this.separate(space);
    }
    if (this.#tabs > 0) this.separate("\t".repeat(this.#tabs));
    this.#gap = gap.none;
    this.#source = undefined;
    this.#tabs = 0;
  }
}
