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

/** Of a long text about as many units are read at once, so that others can have their turn in between. */
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
    // Sums of the same weights may differ in their last bits.
    if (shown <= bestShown + 1e-9) return;
    best = { start: Math.min(...hits.map(({ start }) => start)), end: hit.end };
    bestShown = shown;
    if (shown >= weightMax - 1e-9) finder.isDone = true;
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
