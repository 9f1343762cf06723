import { randomOf } from "../../measure/random.ts";
import { frequencies } from "./kinds.ts";
import type { WordCounts } from "./word-counts.ts";

/** Searches of each kind, none twice. */
export interface SearchQueries {
  rare: string[];
  common: string[];
  /** With their quotes. */
  phrase: string[];
  /** Parts of URLs. */
  url: string[];
  none: string[];
}

const urlChars = { min: 6, max: 14 };
const noSuchWordChars = 9;

/**
 * Draws at most `count` searches of each kind from what stands in a user's documents; fewer where they do not have so many.
 * The same seed draws the same ones.
 */
export function searchQueries(counts: WordCounts, count: number, seed: number): SearchQueries {
  const random = randomOf(seed);
  const between = ([least, most]: readonly [number, number]) =>
    [...counts.holders]
      // Of a few documents the smallest share is less than one of them.
      .filter(([, held]) => held >= least * counts.documents && held <= Math.max(1, most * counts.documents))
      .map(([word]) => word);
  const draw = (values: readonly string[]) => shuffled(values, random).slice(0, count);
  const parts = [...new Set(counts.urls.map((url) => partOf(url, random)))];
  const unknown = new Set<string>();
  while (unknown.size < count) unknown.add(noSuchWord(random));
  return {
    rare: draw(between(frequencies.rare)),
    common: draw(between(frequencies.common)),
    phrase: draw(counts.pairs).map((pair) => `"${pair}"`),
    url: draw(parts),
    none: [...unknown].filter((word) => !counts.holders.has(word)),
  };
}

/** Part of a URL behind its scheme, from a word's start. */
function partOf(url: string, random: () => number): string {
  const text = url.slice(url.indexOf("//") + 2);
  const starts = [...text.matchAll(/(?<=[/.-]|^)[A-Za-z]/g)].map(({ index }) => index).filter((at) => at + urlChars.min <= text.length);
  const start = starts[Math.floor(random() * starts.length)] ?? 0;
  return text.slice(start, start + urlChars.min + Math.floor(random() * (urlChars.max - urlChars.min + 1)));
}

/** Letters as no language puts them together, so that nothing is a typo away. */
function noSuchWord(random: () => number): string {
  return Array.from({ length: noSuchWordChars }, () => "qxzjvwkq".charAt(Math.floor(random() * 8))).join("");
}

function shuffled(values: readonly string[], random: () => number): string[] {
  const mixed = [...values];
  for (let at = mixed.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [mixed[at], mixed[other]] = [mixed[other] ?? "", mixed[at] ?? ""];
  }
  return mixed;
}
