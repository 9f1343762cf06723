import { hashOf } from "./analysis/term-hash.js";

const units = 3;
/** Of a long piece of a pattern, what is looked up: a few already leave next to nothing else. */
const pieceGramsMax = 5;

/** Hashes of every three characters in a row of a URL, whatever their case. */
export function urlGrams(url: string): number[] {
  return [...new Set(gramsOf(url.toLowerCase()))];
}

/** Hashes that a URL must have to match the pattern; empty when the pattern is too short to say. */
export function gramsOfPattern(pattern: string): number[] {
  const pieces = pattern.toLowerCase().split("*").map(gramsOf);
  return [...new Set(pieces.flatMap((grams) => evenly(grams, pieceGramsMax)))].slice(0, 2 * pieceGramsMax);
}

function gramsOf(text: string): number[] {
  return Array.from({ length: Math.max(0, text.length - units + 1) }, (_, at) => hashOf(text, at, at + units));
}

function evenly<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * (all.length - 1)) / (count - 1))] as T);
}
