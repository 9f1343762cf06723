import { stemOf } from "./stem.js";
import { isWordUnit, wordEnd } from "./word-scan.js";

/** A stretch of text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** Alternative sequences of stems, and what showing one of them is worth. */
export interface WantedStems {
  terms: ReadonlyArray<readonly string[]>;
  weight: number;
}

interface Hit extends Span {
  group: number;
}

/**
 * The first stretch of at most `width` units (or one match, when that is longer) that shows the most of what is wanted;
 * undefined when nothing is found. One pass, which ends early where everything is shown together.
 */
export function bestSpan(text: string, wanted: readonly WantedStems[], width: number): Span | undefined {
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

  for (const hit of hitsIn(text, wanted)) {
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
    if (shown > bestShown + 1e-9) {
      best = { start: Math.min(...hits.map(({ start }) => start)), end: hit.end };
      bestShown = shown;
      if (shown >= weightMax - 1e-9) break;
    }
  }
  return best;
}

/** Every occurrence of a wanted term, by its end. */
function* hitsIn(text: string, wanted: readonly WantedStems[]): Generator<Hit> {
  const { endingWith, initials, longest } = lookupOf(wanted);
  const stems = new Map<string, string>();
  const recent: Array<{ stem: string; start: number }> = [];
  for (let start = nextWord(text, 0); start < text.length;) {
    const end = wordEnd(text, start);
    // Only a word that begins like a wanted one is worth its stem. Within a phrase all words are.
    let stem = "";
    if (initials.has(text.charCodeAt(start)) || text.charCodeAt(start) > 127) {
      const word = text.slice(start, end);
      stem = stems.get(word) ?? stemOf(word);
      if (stems.size < 10_000) stems.set(word, stem);
    }
    recent.push({ stem, start });
    if (recent.length > longest) recent.shift();
    for (const { group, words } of endingWith.get(stem) ?? []) {
      const first = recent.length - words.length;
      const from = recent[first];
      if (from && words.every((word, index) => recent[first + index]?.stem === word)) yield { group, start: from.start, end };
    }
    start = nextWord(text, end);
  }
}

interface Lookup {
  endingWith: Map<string, Array<{ group: number; words: readonly string[] }>>;
  /** Units with which a wanted word may begin, as far as they are ASCII. */
  initials: Set<number>;
  longest: number;
}

function lookupOf(wanted: readonly WantedStems[]): Lookup {
  const lookup: Lookup = { endingWith: new Map(), initials: new Set(), longest: 1 };
  for (const [group, { terms }] of wanted.entries()) {
    for (const words of terms) {
      const last = words.at(-1);
      if (last === undefined) continue;
      const ending = lookup.endingWith.get(last) ?? [];
      lookup.endingWith.set(last, [...ending, { group, words }]);
      lookup.longest = Math.max(lookup.longest, words.length);
      for (const word of words) {
        lookup.initials.add(word.charCodeAt(0));
        lookup.initials.add(word.toUpperCase().charCodeAt(0));
      }
    }
  }
  return lookup;
}

function nextWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isWordUnit(text, at)) at++;
  return at;
}
