import { foldWord } from "./analysis/fold.js";
import type { Language } from "./analysis/languages.js";
import { scan, type TokenSink, withoutJoiners } from "./analysis/scan.js";
import { hashOf } from "./analysis/term-hash.js";
import { type WordLookup, type WordTerms, wordTermsIn } from "./analysis/word-terms.js";
import type { QueryGroup, Sequence } from "./query-plan.js";

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

/**
 * The first stretch of at most `width` units (or one match, when that is longer) that shows the most of what is wanted;
 * undefined when nothing is found. One pass, which ends early where everything is shown together.
 * @param language of the text
 */
export function bestSpan(
  text: string,
  wanted: readonly WantedGroup[],
  { width, language }: { width: number; language: Language },
): Span | undefined {
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

  const finder = new HitFinder(text, { wanted, language }, (hit) => {
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
  scan(text, finder);
  return best;
}

/** A word of the text by its position, as far as it is one of those wanted. */
interface Seen {
  readonly start: number;
  hashes: readonly number[];
}

/** Finds every occurrence of a wanted group, by its end. */
class HitFinder implements TokenSink {
  isDone = false;
  readonly #text: string;
  readonly #report: (hit: Hit) => void;
  readonly #termsOf: WordLookup;
  /** By the hash that they end with. */
  readonly #endings = new Map<number, Array<{ group: number; sequence: Sequence }>>();
  readonly #hashes = new Set<number>();
  /** Units with which a wanted word may begin, as far as they are ASCII. */
  readonly #initials = new Set<number>();
  readonly #longest: number;
  #recent: Seen[] = [];

  constructor(text: string, { wanted, language }: { wanted: readonly WantedGroup[]; language: Language }, report: (hit: Hit) => void) {
    this.#text = text;
    this.#report = report;
    this.#termsOf = wordTermsIn(language);
    let longest = 8;
    for (const [index, { group }] of wanted.entries()) {
      for (const sequence of group.sequences) {
        const last = sequence.at(-1);
        if (!last) continue;
        longest = Math.max(longest, last.offset + 1);
        for (const hash of last.hashes) this.#endings.set(hash, [...(this.#endings.get(hash) ?? []), { group: index, sequence }]);
        for (const { terms, hashes } of sequence) {
          for (const hash of hashes) this.#hashes.add(hash);
          for (const term of terms) this.#initials.add(term.charCodeAt(0)).add(term.toUpperCase().charCodeAt(0));
        }
      }
    }
    this.#longest = longest;
  }

  word(start: number, end: number): void {
    this.#see(start, end, this.#mayBegin(start) ? this.#hashesOf(this.#termsOf(this.#text, start, end)) : none);
  }

  joined(start: number, end: number, words: number): void {
    const first = this.#recent.at(-words);
    if (!first || !this.#mayBegin(start)) return;
    // As the index has it, the whole stands where its first word does.
    const whole = this.#hashesOf(this.#termsOf(withoutJoiners(this.#text.slice(start, end))));
    first.hashes = [...first.hashes, ...whole];
    for (const hash of whole) this.#endAt(end, hash, (sequence) => this.#firstOf(sequence, words - 1));
  }

  gram(start: number, end: number, pairEnd: number): void {
    const one = hashOf(foldWord(this.#text.slice(start, end)));
    const two = pairEnd > end ? hashOf(foldWord(this.#text.slice(start, pairEnd))) : one;
    this.#see(
      start,
      pairEnd,
      [...new Set([one, two])].filter((hash) => this.#hashes.has(hash)),
    );
  }

  /** Only a word that begins like a wanted one is worth its stem. */
  #mayBegin(start: number): boolean {
    const unit = this.#text.charCodeAt(start);
    return unit > 127 || this.#initials.has(unit);
  }

  #hashesOf({ hash, accented, accentedHash }: WordTerms): readonly number[] {
    const isWanted = this.#hashes.has(hash);
    if (accented === undefined || !this.#hashes.has(accentedHash)) return isWanted ? [hash] : none;
    return isWanted ? [hash, accentedHash] : [accentedHash];
  }

  #see(start: number, end: number, hashes: readonly number[]): void {
    this.#recent.push({ start, hashes });
    if (this.#recent.length > 4 * this.#longest) this.#recent = this.#recent.slice(-this.#longest);
    for (const hash of hashes) this.#endAt(end, hash, (sequence) => this.#firstOf(sequence));
  }

  #endAt(end: number, hash: number, firstOf: (sequence: Sequence) => Seen | undefined): void {
    for (const { group, sequence } of this.#endings.get(hash) ?? []) {
      const first = firstOf(sequence);
      if (first) this.#report({ group, start: first.start, end });
    }
  }

  /** Where the sequence begins that ends with the last word seen, or so many words before it. */
  #firstOf(sequence: Sequence, back = 0): Seen | undefined {
    const last = sequence.at(-1)?.offset ?? 0;
    const at = (offset: number): Seen | undefined => this.#recent[this.#recent.length - 1 - back - (last - offset)];
    const isThere = sequence.every(({ offset, hashes }) => at(offset)?.hashes.some((hash) => hashes.includes(hash)) === true);
    return isThere ? at(sequence[0]?.offset ?? 0) : undefined;
  }
}

const none: readonly number[] = [];
