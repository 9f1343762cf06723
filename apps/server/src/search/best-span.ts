import { isAscii } from "./analysis/fold.js";
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

/** A stretch of text that shows something of what is wanted. */
export interface ShowingSpan extends Span {
  /** Weight of what it shows. */
  shown: number;
}

/** Sums of the same weights may differ in their last bits. */
export const rounding = 1e-9;

/** Of a long text about as many units are read at once, so that others can have their turn in between. */
const partUnits = 65_536;

/**
 * Finds in one text after the other the first stretch of at most `width` units (or one match, when that is longer) that shows the most of
 * what is wanted; undefined when nothing is found. One pass, which ends early where everything is shown together, and yields between
 * parts of a long text.
 */
export function spanFinder(
  wanted: readonly WantedGroup[],
  width: number,
): (text: string, language: Language) => Generator<void, ShowingSpan | undefined> {
  const weightMax = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const endings = endingsOf(wanted);
  const pattern = beginningsOf(wanted);

  return function* find(text, language) {
    if (wanted.length === 0) return undefined;
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

    const finder = new HitFinder(endings, (hit) => {
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
    // What stands between spaces is read where something wanted may begin.
    for (let read = 0, yielded = 0; !finder.isDone;) {
      const at = nextBeginning(pattern, text, read);
      if (at < 0) break;
      let from = at;
      while (from > read && text.charCodeAt(from - 1) > space) from--;
      if (anyWord.test(text.slice(read, from))) finder.term("", read, from);
      const untilMax = Math.min(text.length, from + partUnits);
      for (read = at + 1; read < untilMax && text.charCodeAt(read) > space;) read++;
      readTerms(text, language, finder, { from, to: read });
      if (read - yielded < partUnits) continue;
      yielded = read;
      yield;
    }
    return best;
  };
}

const space = 0x20;
const anyWord = /[\p{L}\p{N}\p{M}\p{Co}]/u;
/** Signs that may stand within a word: `e-mail`. */
const joiners = "[-._'\\u2019\\u2010\\u2011]*";
const foreign = "[^\\0-\\x7f]";
/** What is not ASCII and may be part of a word that is ASCII when folded; halves of pairs among it. */
const foldedForeign =
  "[\\x80-\\u037f\\u0591-\\u0670\\u1d00-\\u1eff\\u2070-\\u24ff\\u2c7c\\u2c7d\\u3250-\\u32bf\\ua7f1-\\ua7f9\\ud800-\\udfff\\ufb00-\\uffff]";

/**
 * Finds every place where a wanted term may begin. Stems keep the beginnings of words, but for a y that they write as i (`dying`, `die`);
 * what is not ASCII may be written in many ways, so all of it is found that could be.
 */
function beginningsOf(wanted: readonly WantedGroup[]): RegExp {
  const terms = wanted.flatMap(({ group }) => group.phrases.flat());
  const beginnings = new Set([terms.every(isAscii) ? foldedForeign : foreign]);
  for (const term of terms) {
    // C++, C#, .NET
    if (/(?:plusplus|sharp)$/.test(term)) beginnings.add("\\+\\+").add("#");
    if (term.startsWith("dot")) beginnings.add("\\.");
    const letters = /^[a-z0-9]*/.exec(term.slice(0, Math.max(2, Math.min(4, term.length - 1))))?.[0] ?? "";
    // Without regard to case by classes: the flag takes three times as long.
    const classes = letters.split("").map((letter) => `[${/[iy]/.test(letter) ? "iIyY" : letter + letter.toUpperCase()}]`);
    if (letters !== "") beginnings.add(classes.join(joiners));
  }
  return new RegExp([...beginnings].join("|"), "g");
}

/** The next place from `at` on where the pattern is found and a word may begin; -1 without any. */
function nextBeginning(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    if (!withinWord.test(text.slice(Math.max(0, found.index - 1), found.index + 1))) return found.index;
    pattern.lastIndex = found.index + 1;
  }
  return -1;
}

/** No word begins at the second of such two characters. */
const withinWord = /^[A-Za-z0-9][a-z0-9]$/;

interface Hit extends Span {
  group: number;
}

/** Phrases of groups by their last term. */
type Endings = ReadonlyMap<string, ReadonlyArray<{ group: number; phrase: Phrase }>>;

function endingsOf(wanted: readonly WantedGroup[]): Endings {
  const endings = new Map<string, Array<{ group: number; phrase: Phrase }>>();
  for (const [index, { group }] of wanted.entries())
    for (const phrase of group.phrases) {
      const last = phrase.at(-1) ?? "";
      endings.set(last, [...(endings.get(last) ?? []), { group: index, phrase }]);
    }
  return endings;
}

interface SeenTerm {
  term: string;
  start: number;
}

/** Finds every occurrence of a wanted group, by its end. */
class HitFinder implements TermSink {
  isDone = false;
  readonly #report: (hit: Hit) => void;
  readonly #endings: Endings;
  readonly #longest: number;
  #recent: SeenTerm[] = [];

  constructor(endings: Endings, report: (hit: Hit) => void) {
    this.#report = report;
    this.#endings = endings;
    this.#longest = Math.max(1, ...[...endings.values()].flat().map(({ phrase }) => phrase.length));
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
