import type { Language } from "./analysis/languages.js";
import { readTerms, type TermSink } from "./analysis/term-stream.js";
import { aroundUnits, excerptTextOf, isMarkdownAlone, markdownTextAround, type TextSource } from "./plain-text.js";
import type { Phrase, QueryGroup } from "./query-plan.js";

/** A stretch of text, in UTF-16 units. */
interface Span {
  start: number;
  end: number;
}

/** A group of a query, and what showing it is worth. */
export interface WantedGroup {
  group: QueryGroup;
  weight: number;
}

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
const reach = 600;

/**
 * At most `charsMax` code points of a text around the place that shows the most of what is wanted, white space collapsed;
 * the start of the text when it shows none. Words are never cut: one that is too long by itself is left out, and cut (between
 * code points) only when there is nothing else to show. Yields between parts of a long text.
 */
export function* snippetOf(source: TextSource, { wanted, language, charsMax }: SnippetOptions): Generator<void, string> {
  const find = (text: string) => bestSpan(text, wanted, { width: Math.floor(charsMax * 0.8), language });
  // Finding the place among the marks of Markdown and removing those around it takes much less time than removing all.
  if (source.content.length > 3 * aroundUnits && isMarkdownAlone(source)) {
    const marked = yield* find(source.content);
    const text = markdownTextAround(source.content, marked ?? startOf(source.content));
    const span = yield* find(text);
    // Addresses of links are not shown: what was found in one may also stand elsewhere.
    if (marked === undefined || (span !== undefined && span.shown > marked.shown - rounding)) return excerptAt(text, span, charsMax);
  }
  const text = excerptTextOf(source);
  return excerptAt(text, yield* find(text), charsMax);
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
  const chars = Array.from(text).length;
  return { text, start, end: start + text.length, chars, spaceBefore: true, tooLong: chars > charsMax };
}

function isSolid(text: string, at: number): boolean {
  return /\S/.test(text.charAt(at));
}

interface Hit extends Span {
  group: number;
}

/** A stretch of text that shows something of what is wanted. */
interface ShowingSpan extends Span {
  /** Weight of what it shows. */
  shown: number;
}

/** Sums of the same weights may differ in their last bits. */
const rounding = 1e-9;

/** Of a long text about as many units are read at once, so that others can have their turn in between. */
const partUnits = 65_536;

/**
 * The first stretch of at most `width` units (or one match, when that is longer) that shows the most of what is wanted;
 * undefined when nothing is found. One pass, which ends early where everything is shown together.
 * @param language of the text
 */
function* bestSpan(
  text: string,
  wanted: readonly WantedGroup[],
  { width, language }: { width: number; language: Language },
): Generator<void, ShowingSpan | undefined> {
  if (wanted.length === 0) return undefined;
  const weightMax = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const counts = wanted.map(() => 0);
  const hits: Hit[] = [];
  let shown = 0;
  let best: ShowingSpan | undefined;

  const dropFirst = (): void => {
    const hit = hits.shift();
    if (!hit) return;
    const left = (counts[hit.group] ?? 0) - 1;
    counts[hit.group] = left;
    if (left === 0) shown -= wanted[hit.group]?.weight ?? 0;
  };

  const finder = new HitFinder(wanted, (hit) => {
    hits.push(hit);
    const count = counts[hit.group] ?? 0;
    counts[hit.group] = count + 1;
    if (count === 0) shown += wanted[hit.group]?.weight ?? 0;
    // What is shown again further on need not be kept, nor what is too far back.
    for (let [first] = hits; first && first !== hit; [first] = hits) {
      if (first.start >= hit.end - width && (counts[first.group] ?? 0) < 2) break;
      dropFirst();
    }
    if (shown <= (best?.shown ?? 0) + rounding) return;
    best = { start: Math.min(...hits.map(({ start }) => start)), end: hit.end, shown };
    if (shown >= weightMax - rounding) finder.isDone = true;
  });
  const pattern = beginningsOf(wanted);
  // What stands between spaces is read where something wanted may begin.
  for (let read = 0, yielded = 0; !finder.isDone;) {
    pattern.lastIndex = read;
    const found = pattern.exec(text);
    if (!found) break;
    let from = found.index;
    while (from > read && text.charCodeAt(from - 1) > space) from--;
    if (anyWord.test(text.slice(read, from))) finder.term("", read, from);
    const untilMax = Math.min(text.length, from + partUnits);
    for (read = found.index + 1; read < untilMax && text.charCodeAt(read) > space;) read++;
    readTerms(text, language, finder, { from, to: read });
    if (read - yielded < partUnits) continue;
    yielded = read;
    yield;
  }
  return best;
}

const space = 0x20;
const anyWord = /[\p{L}\p{N}\p{M}\p{Co}]/u;
/** Signs that may stand within a word: `e-mail`. */
const joiners = "[-._']*";

/**
 * Finds every place where a wanted term may begin. Stems keep the beginnings of words, but for a y that they write as i (`dying`, `die`);
 * what is not ASCII may be written in many ways, so all of it is found.
 */
function beginningsOf(wanted: readonly WantedGroup[]): RegExp {
  const beginnings = new Set(["[^\\0-\\x7f]"]);
  for (const term of wanted.flatMap(({ group }) => group.phrases.flat())) {
    // C++, C#, .NET
    if (/(?:plusplus|sharp)$/.test(term)) beginnings.add("\\+\\+").add("#");
    if (term.startsWith("dot")) beginnings.add("\\.");
    const letters = /^[a-z0-9]*/.exec(term.slice(0, Math.max(2, Math.min(4, term.length - 1))))?.[0] ?? "";
    if (letters !== "")
      beginnings.add(
        letters
          .split("")
          .map((letter) => (/[iy]/.test(letter) ? "[iy]" : letter))
          .join(joiners),
      );
  }
  return new RegExp([...beginnings].join("|"), "gi");
}

interface SeenTerm {
  term: string;
  start: number;
}

/** Finds every occurrence of a wanted group, by its end. */
class HitFinder implements TermSink {
  isDone = false;
  readonly #report: (hit: Hit) => void;
  /** Phrases by their last term. */
  readonly #endings = new Map<string, Array<{ group: number; phrase: Phrase }>>();
  readonly #longest: number;
  #recent: SeenTerm[] = [];

  constructor(wanted: readonly WantedGroup[], report: (hit: Hit) => void) {
    this.#report = report;
    let longest = 1;
    for (const [index, { group }] of wanted.entries()) {
      for (const phrase of group.phrases) {
        const last = phrase.at(-1) ?? "";
        longest = Math.max(longest, phrase.length);
        this.#endings.set(last, [...(this.#endings.get(last) ?? []), { group: index, phrase }]);
      }
    }
    this.#longest = longest;
  }

  term(term: string, start: number, end: number): void {
    this.#recent.push({ term, start });
    if (this.#recent.length > 4 * this.#longest) this.#recent = this.#recent.slice(-this.#longest);
    for (const { group, phrase } of this.#endings.get(term) ?? []) {
      const from = this.#recent.length - phrase.length;
      const first = this.#recent[from];
      if (first && phrase.every((each, index) => this.#recent[from + index]?.term === each))
        this.#report({ group, start: first.start, end });
    }
  }

  form(form: string, _kind: unknown, start: number, end: number): void {
    for (const { group, phrase } of this.#endings.get(form) ?? []) if (phrase.length === 1) this.#report({ group, start, end });
  }
}
