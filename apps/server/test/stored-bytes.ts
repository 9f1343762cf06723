import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A file with its bytes, one character each. */
export interface RawFile {
  file: string;
  bytes: string;
}

/** Every file of a directory as it is on disk now: database, log, shared memory, locks and whatever else is there. */
export function rawFiles(directory: string): RawFile[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ file: entry.name, bytes: readFileSync(join(entry.parentPath, entry.name), "latin1") }));
}

const letters = "bcdfghjkmnpqrtvwxz";
/** The full-text index stores a word without what it has in common with the word before it; no two of these words share more. */
const endLength = 9;
let count = 0;

/** A word of 18 letters that stands nowhere else, and that neither stemming nor folding changes. */
export function uniqueWord(): string {
  let state = (++count * 2_654_435_761) >>> 0;
  return Array.from({ length: 18 }, () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x6d2b79f5) >>> 0;
    return letters[(state >>> 8) % letters.length];
  }).join("");
}

/** Which of these unique words are in the files, whole or as the index shortens them. */
export function wordsIn(files: readonly RawFile[], words: readonly string[]): string[] {
  const ends = new Set<string>();
  for (const { bytes } of files)
    for (const [run] of bytes.matchAll(/[bcdfghjkmnpqrtvwxz]{9,}/g))
      for (let at = 0; at + endLength <= run.length; at++) ends.add(run.slice(at, at + endLength));
  return words.filter((word) => ends.has(word.slice(-endLength)));
}
