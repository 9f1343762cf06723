import type { Span } from "../spans.js";
import type { DecodedPiece } from "./entities.js";

/** A change of the source: `[start, end)` becomes `text`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Segment {
  readonly plainStart: number;
  readonly plainEnd: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Text of a document as one string, with the way back to the source. Detectors see it whole, so a token
 * that inline tags or character references cut in pieces is still found.
 */
export class JoinedText {
  readonly #parts: string[] = [];
  readonly #segments: Segment[] = [];
  #length = 0;

  /** Adds text that stands in the source. */
  add(pieces: readonly DecodedPiece[]): void {
    for (const { start, end, text } of pieces) this.put(text, start, end);
  }

  /** Adds text that stands in the source at `[start, end)`, or that what stands there means. */
  protected put(text: string, start: number, end: number): void {
    this.#segments.push({ plainStart: this.#length, plainEnd: this.#length + text.length, start, end });
    this.separate(text);
  }

  /** Adds text that does not stand in the source, such as a line end between blocks. */
  separate(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  /** Length of the text so far. */
  get length(): number {
    return this.#length;
  }

  /** The last units of the text so far, `count` of them or some more. */
  tail(count: number): string {
    let tail = "";
    for (let index = this.#parts.length - 1; index >= 0 && tail.length < count; index--)
      tail = (this.#parts[index] ?? "").slice(-count) + tail;
    return tail;
  }

  /** The text so far. */
  get text(): string {
    return this.#parts.join("");
  }

  /**
   * Translates spans of the text into edits of the source: the first piece that a span touches gets the stand-in, from
   * the others the value is cut out, so tags in between stay. Spans of text that does not stand in the source change nothing, and
   * are left out of the result's, which are places in the source.
   */
  edits(spans: readonly Span[], standIn: (span: Span) => string): { edits: Edit[]; spans: Span[] } {
    const edits: Edit[] = [];
    const placed: Span[] = [];
    let first = 0;
    for (const span of spans) {
      while (first < this.#segments.length && (this.#segments[first]?.plainEnd ?? 0) <= span.start) first++;
      let text = standIn(span);
      const before = edits.length;
      for (let index = first; index < this.#segments.length; index++) {
        const segment = this.#segments[index];
        if (segment === undefined || segment.plainStart >= span.end) break;
        const isReference = segment.end - segment.start !== segment.plainEnd - segment.plainStart;
        const start = isReference ? segment.start : segment.start + Math.max(0, span.start - segment.plainStart);
        const end = isReference ? segment.end : segment.end - Math.max(0, segment.plainEnd - span.end);
        if (end > start) edits.push({ start, end, text });
        text = "";
      }
      const made = edits.slice(before);
      const [opening, closing] = [made[0], made.at(-1)];
      if (opening !== undefined && closing !== undefined) placed.push({ ...span, start: opening.start, end: closing.end });
    }
    return { edits, spans: placed };
  }
}

/** Applies edits that do not overlap; of two that do, the one that starts first wins. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue;
    parts.push(source.slice(at, start), text);
    at = end;
  }
  parts.push(source.slice(at));
  return parts.join("");
}
