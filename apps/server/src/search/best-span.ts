import type { Language } from "./analysis/languages.js";
import { readTerms, type TermSink } from "./analysis/term-stream.js";
import type { Phrase, QueryGroup } from "./query-plan.js";

/** A stretch of text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** A group of a query, and what showing it is worth. */
export interface WantedGroup {
  group: QueryGroup;
  weight: number;
}

interface Hit extends Span {
  group: number;
}

/** A long text is read in parts of about as many units, so that others can have their turn in between. */
const partUnits = 65_536;

/**
 * The first stretch of at most `width` units (or one match, when that is longer) that shows the most of what is wanted;
 * undefined when nothing is found. One pass, which ends early where everything is shown together.
 * @param language of the text
 */
export function* bestSpan(
  text: string,
  wanted: readonly WantedGroup[],
  { width, language }: { width: number; language: Language },
): Generator<void, Span | undefined> {
  const weightMax = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const counts = wanted.map(() => 0);
  const hits: Hit[] = [];
  let shown = 0;
  let best: Span | undefined;
  let bestShown = 0;

  const dropFirst = (): void => {
    const hit = hits.shift();
    if (!hit) return;
    const left = (counts[hit.group] ?? 0) - 1;
    counts[hit.group] = left;
    if (left === 0) shown -= wanted[hit.group]?.weight ?? 0;
  };

  const finder = new HitFinder(text, wanted, (hit) => {
    hits.push(hit);
    const count = counts[hit.group] ?? 0;
    counts[hit.group] = count + 1;
    if (count === 0) shown += wanted[hit.group]?.weight ?? 0;
    // What is shown again further on need not be kept, nor what is too far back.
    for (let [first] = hits; first && first !== hit; [first] = hits) {
      if (first.start >= hit.end - width && (counts[first.group] ?? 0) < 2) break;
      dropFirst();
    }
    // Sums of the same weights may differ in their last bits.
    if (shown <= bestShown + 1e-9) return;
    best = { start: Math.min(...hits.map(({ start }) => start)), end: hit.end };
    bestShown = shown;
    if (shown >= weightMax - 1e-9) finder.isDone = true;
  });
  for (let from = 0, to; from < text.length && !finder.isDone; from = to) {
    to = partEnd(text, from);
    readTerms(text, language, finder, { from, to });
    if (to < text.length) yield;
  }
  return best;
}

/** Where a part ends: at white space, if there is any near. */
function partEnd(text: string, from: number): number {
  const at = from + partUnits;
  if (at >= text.length) return text.length;
  const space = text.slice(at, at + partUnits).search(/\s/);
  return space < 0 ? at : at + space;
}

interface SeenTerm {
  term: string;
  start: number;
}

/** Finds every occurrence of a wanted group, by its end. */
class HitFinder implements TermSink {
  isDone = false;
  readonly #text: string;
  readonly #report: (hit: Hit) => void;
  /** Phrases by their last term. */
  readonly #endings = new Map<string, Array<{ group: number; phrase: Phrase }>>();
  /** The first letter of each wanted term, and its first two, as {@link beginningOf} writes them. */
  readonly #beginnings = new Set<number>();
  readonly #longest: number;
  #recent: SeenTerm[] = [];

  constructor(text: string, wanted: readonly WantedGroup[], report: (hit: Hit) => void) {
    this.#text = text;
    this.#report = report;
    let longest = 1;
    for (const [index, { group }] of wanted.entries()) {
      for (const phrase of group.phrases) {
        const last = phrase.at(-1) ?? "";
        longest = Math.max(longest, phrase.length);
        this.#endings.set(last, [...(this.#endings.get(last) ?? []), { group: index, phrase }]);
        for (const term of phrase) this.#beginnings.add(beginningOf(term, 0, 1)).add(beginningOf(term, 0, 2));
      }
    }
    // A sign can stand before a term: the dot of `.NET`.
    if ([...this.#endings.keys()].some((term) => term.startsWith("dot"))) this.#beginnings.add(".".charCodeAt(0));
    this.#longest = longest;
  }

  isWantedAt(start: number): boolean {
    const text = this.#text;
    if (text.charCodeAt(start) > 127) return true;
    // A word of one letter may be a part of what is written together: `R-squared`.
    const length = isLetter(text.charCodeAt(start + 1)) ? 2 : 1;
    return this.#beginnings.has(beginningOf(text, start, length));
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

/** Whether the unit is a small or capital letter of ASCII. */
function isLetter(unit: number): boolean {
  const small = unit | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

/** One or two letters in one number, small; y as i, which stems may make of it (`dying`, `die`). */
function beginningOf(text: string, start: number, length: 1 | 2): number {
  const first = text.charCodeAt(start);
  const small = isLetter(first) ? first | 0x20 : first;
  if (length === 1) return small;
  const second = text.charCodeAt(start + 1) | 0x20;
  return (small << 16) | (second === 0x79 ? 0x69 : second);
}
