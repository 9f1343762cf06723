import type { Language } from "./analysis/languages.js";
import { rounding, type Span, spanFinder, type WantedGroup } from "./best-span.js";
import { aroundUnits, excerptTextOf, isMarkdownAlone, markdownTextAround, type TextSource } from "./plain-text.js";

/** UTF-16 units of text looked at on either side of the match: room for the longest snippet of the widest characters, and for gaps. */
const reach = 600;

/** Makes the snippet of a text. Yields between parts of a long one. */
export type MakeSnippet = (source: TextSource, language: Language) => Generator<void, string>;

/**
 * Snippets for what a search wants, nothing when no words were searched: at most `charsMax` code points of a text around the place that
 * shows the most of it, white space collapsed; the start of the text when it shows none. Words are never cut: one that is too long by
 * itself is left out, and cut (between code points) only when there is nothing else to show.
 */
export function snippetMaker(wanted: readonly WantedGroup[], charsMax: number): MakeSnippet {
  const find = spanFinder(wanted, Math.floor(charsMax * 0.8));
  return function* make(source, language) {
    // Finding the place among the marks of Markdown and removing those around it takes much less time than removing all.
    if (source.content.length > 3 * aroundUnits && isMarkdownAlone(source)) {
      const marked = yield* find(source.content, language);
      const text = markdownTextAround(source.content, marked ?? startOf(source.content));
      const span = yield* find(text, language);
      // Addresses of links are not shown: what was found in one may also stand elsewhere.
      if (marked === undefined || (span !== undefined && span.shown > marked.shown - rounding)) return excerptAt(text, span, charsMax);
    }
    const text = excerptTextOf(source);
    return excerptAt(text, yield* find(text, language), charsMax);
  };
}

function excerptAt(text: string, span: Span | undefined, charsMax: number): string {
  const match = span ?? startOf(text);
  const pieces = piecesOf(text, { start: match.start - reach, end: Math.min(match.end, match.start + reach) + reach }, charsMax);
  return (
    around(pieces, match, charsMax) ||
    Array.from(text.slice(match.start, match.start + 2 * charsMax))
      .slice(0, charsMax)
      .join("")
      .trim()
  );
}

function startOf(text: string): Span {
  const start = Math.max(0, text.search(/\S/));
  return { start, end: start };
}

/** Pieces around the match as far as they fit: a third of the room before it, the rest after it, then what is left before again. */
function around(pieces: readonly Piece[], match: Span, charsMax: number): string {
  const at = pieces.findIndex((piece) => piece.end > match.start);
  const matched = at < 0 ? pieces.length : at;
  const excerpt = new Excerpt(pieces, pieces[matched]?.tooLong ? matched + 1 : matched, charsMax);
  excerpt.growAfter(match.end);
  excerpt.growBefore(Math.floor((excerpt.room * 2) / 3));
  excerpt.growAfter(Number.POSITIVE_INFINITY);
  excerpt.growBefore(0);
  if (!excerpt.isEmpty) return excerpt.toString();
  // The match is a word too long to show at the end of the text: what stands before it is better than nothing.
  const before = new Excerpt(pieces, matched, charsMax);
  before.growBefore(0);
  return before.toString();
}

/** A run of pieces that grows at both ends. */
class Excerpt {
  room: number;
  private first: number;
  private last: number;
  private readonly pieces: readonly Piece[];

  constructor(pieces: readonly Piece[], at: number, room: number) {
    this.pieces = pieces;
    this.first = at;
    this.last = at;
    this.room = room;
  }

  get isEmpty(): boolean {
    return this.first === this.last;
  }

  growAfter(end: number): void {
    for (let piece = this.pieces[this.last]; piece && piece.start < end; piece = this.pieces[this.last]) {
      if (!this.take(piece, this.isEmpty ? undefined : piece, 0)) return;
      this.last++;
    }
  }

  /** Leaves at least `floor` code points of room. */
  growBefore(floor: number): void {
    for (let piece = this.pieces[this.first - 1]; piece; piece = this.pieces[this.first - 1]) {
      if (!this.take(piece, this.isEmpty ? undefined : this.pieces[this.first], floor)) return;
      this.first--;
    }
  }

  toString(): string {
    const shown = this.pieces.slice(this.first, this.last);
    return shown.map(({ text, spaceBefore }, index) => (index > 0 && spaceBefore ? ` ${text}` : text)).join("");
  }

  private take(piece: Piece, behindGap: Piece | undefined, floor: number): boolean {
    const cost = piece.chars + (behindGap?.spaceBefore ? 1 : 0);
    if (piece.tooLong || this.room - cost < floor) return false;
    this.room -= cost;
    return true;
  }
}

/** A stretch of text without white space that a snippet shows whole or not at all. */
interface Piece extends Span {
  text: string;
  /** Code points. */
  chars: number;
  /** Whether white space stands between it and the piece before. */
  spaceBefore: boolean;
  /** Longer than any snippet, so never shown whole. */
  tooLong: boolean;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * The pieces of `text` within `range`: what stands between white space, or, where that alone is longer than a snippet (as in
 * languages that put no spaces), its words. What the edges of the range may have cut is left out.
 */
function piecesOf(text: string, range: Span, charsMax: number): Piece[] {
  const start = Math.max(0, range.start);
  const end = Math.min(text.length, range.end);
  const pieces: Piece[] = [];
  for (const match of text.slice(start, end).matchAll(/\S+/g)) {
    const run = pieceOf(match[0], start + match.index, charsMax);
    const cutBefore = run.start === start && start > 0 && isSolid(text, start - 1);
    const cutAfter = run.end === end && end < text.length && isSolid(text, end);
    if (run.tooLong) pieces.push(...wordsWithin(run, { cutBefore, cutAfter }, charsMax));
    else if (!cutBefore && !cutAfter) pieces.push(run);
  }
  return pieces;
}

function wordsWithin(run: Piece, cut: { cutBefore: boolean; cutAfter: boolean }, charsMax: number): Piece[] {
  const segments = [...segmenter.segment(run.text)].map(({ segment, index }) => ({
    ...pieceOf(segment, run.start + index, charsMax),
    spaceBefore: index === 0,
  }));
  return segments.slice(cut.cutBefore ? 1 : 0, cut.cutAfter ? -1 : undefined);
}

function pieceOf(text: string, start: number, charsMax: number): Piece {
  let chars = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) chars++;
  return { text, start, end: start + text.length, chars, spaceBefore: true, tooLong: chars > charsMax };
}

function isSolid(text: string, at: number): boolean {
  return /\S/.test(text.charAt(at));
}
