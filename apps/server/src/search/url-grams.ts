import { hashOf } from "./analysis/term-hash.js";

const units = 3;
/** What is looked up of a piece of a pattern, and of all pieces: a few leave little else, and each more costs as much again. */
const pieceGramsMax = 6;
const gramsMax = 12;

/** Hashes of every three characters in a row of a URL, whatever their case. */
export function urlGrams(url: string): number[] {
  return [...new Set(gramsOf(url.toLowerCase()))];
}

/** Hashes that a URL must have to match the pattern; empty when the pattern is too short to say. */
export function gramsOfPattern(pattern: string): number[] {
  // Of every piece some, since nobody knows which of them is rare; of very many the longest.
  const pieces = pattern
    .toLowerCase()
    .split("*")
    .map(gramsOf)
    .filter(({ length }) => length > 0)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, gramsMax);
  const each = Math.min(pieceGramsMax, Math.floor(gramsMax / pieces.length));
  return [...new Set(pieces.flatMap((grams) => evenly(grams, each)))];
}

function gramsOf(text: string): number[] {
  return Array.from({ length: Math.max(0, text.length - units + 1) }, (_, at) => hashOf(text, at, at + units));
}

function evenly<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  if (count === 1) return all.slice(all.length >> 1, (all.length >> 1) + 1);
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * (all.length - 1)) / (count - 1))] as T);
}
