import type { Language } from "./analysis/languages.js";
import { bestSpan, type Span, type WantedGroup } from "./best-span.js";
import { type Piece, piecesOf } from "./snippet-pieces.js";

/** What a snippet is made by. */
export interface SnippetOptions {
  /** What it should show. Empty when no words were searched. */
  wanted: readonly WantedGroup[];
  /** Of the text. */
  language: Language;
  /** Code points. */
  charsMax: number;
}

/** UTF-16 units of text looked at on either side of the match: room for the longest snippet of the widest characters, and for gaps. */
const reach = 1_000;

/**
 * At most `charsMax` code points of `text` around the place that shows the most of what is wanted, white space collapsed;
 * the start of the text when it shows none. Words are never cut: one that is too long by itself is left out, and cut (between
 * code points) only when there is nothing else to show.
 */
export function snippetOf(text: string, { wanted, language, charsMax }: SnippetOptions): string {
  const match = (wanted.length > 0 && bestSpan(text, wanted, { width: Math.floor(charsMax * 0.8), language })) || startOf(text);
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
