import type { Span } from "./best-span.js";

/** A stretch of text without white space that a snippet shows whole or not at all. */
export interface Piece extends Span {
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
export function piecesOf(text: string, range: Span, charsMax: number): Piece[] {
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
  const chars = codePoints(text);
  return { text, start, end: start + text.length, chars, spaceBefore: true, tooLong: chars > charsMax };
}

function isSolid(text: string, at: number): boolean {
  return /\S/.test(text.charAt(at));
}

function codePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    // The second half of a pair belongs to the first.
    if (
      text.charCodeAt(at) >= 0xd800 &&
      text.charCodeAt(at) <= 0xdbff &&
      text.charCodeAt(at + 1) >= 0xdc00 &&
      text.charCodeAt(at + 1) <= 0xdfff
    )
      at++;
    count++;
  }
  return count;
}
