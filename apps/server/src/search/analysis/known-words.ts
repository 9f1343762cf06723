/** Words that are kept at most, and at first. */
const wordsMax = 1 << 15;
const wordsMin = 1 << 10;
/** UTF-16 units of a word that there is mostly room for; when words are longer, fewer are kept. */
const unitsPerWord = 12;
/** Longer words are not kept. UTF-16 units. */
const unitsMax = 64;

/** What is kept of a word beside its value stands together in memory, so that one access to it fetches all. */
const recordSize = 8;
const lengthAt = 1;
const unitsAt = 2;
const textAt = 3;
const indexAt = 4;
const accentedAt = 5;
const textsMax = 0x7fffffff;

export const unplaced = -2;

/** The number of a word, for as long as no other is looked for. */
export type WordNumber = number;

/**
 * Words of texts and what was worked out for each, once. Finds a word that it has seen without making a string of it: a page has a
 * thousand, and most of them again and again. Bounded: when it is full it begins anew.
 */
export class KnownWords<T> {
  readonly #make: (word: string) => T;
  #values: T[] = [];
  #units = new Uint16Array(wordsMin * unitsPerWord);
  #unitCount = 0;
  #records = new Int32Array(wordsMin * recordSize);
  /** One more than the number of a word, by a part of its hash; 0 for none. */
  #slots = new Int32Array(2 * wordsMin);
  /** The number of the text, from 1 on. */
  #text = 1;

  /** `make` gives the value of a word that was not seen before. */
  constructor(make: (word: string) => T) {
    this.#make = make;
  }

  /** Looks for the word of `text` from `start` to `end`. */
  find(text: string, start: number, end: number): WordNumber {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    const slots = this.#slots;
    const records = this.#records;
    const mask = slots.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const number = (slots[slot] ?? 0) - 1;
      if (number < 0) return this.#learn(text.slice(start, end), hash);
      const record = number * recordSize;
      if (
        records[record] === hash &&
        records[record + lengthAt] === end - start &&
        this.#isAt(records[record + unitsAt] ?? 0, text, start, end)
      )
        return number;
    }
  }

  valueOf(word: WordNumber): T {
    return this.#values[word] as T;
  }

  /** Begins a text: none of the words has a place in it. */
  begin(): void {
    if (this.#text === textsMax) this.#clear();
    this.#text++;
  }

  /** Whether the word was {@link place}d since the text began. */
  isPlaced(word: WordNumber): boolean {
    return this.#records[word * recordSize + textAt] === this.#text;
  }

  /** Keeps with a word where its term is among those of the text. */
  place(word: WordNumber, index: number): void {
    const record = word * recordSize;
    this.#records[record + textAt] = this.#text;
    this.#records[record + indexAt] = index;
    this.#records[record + accentedAt] = unplaced;
  }

  /** The same of its second term. */
  placeAccented(word: WordNumber, index: number): void {
    this.#records[word * recordSize + accentedAt] = index;
  }

  /** Where the term of a word is that was placed. */
  indexOf(word: WordNumber): number {
    return this.#records[word * recordSize + indexAt] ?? 0;
  }

  /** Where its second term is; {@link unplaced} when nobody has said so. */
  accentedIndexOf(word: WordNumber): number {
    return this.#records[word * recordSize + accentedAt] ?? 0;
  }

  #isAt(first: number, text: string, start: number, end: number): boolean {
    const units = this.#units;
    for (let at = start, unit = first; at < end; at++, unit++) if (units[unit] !== text.charCodeAt(at)) return false;
    return true;
  }

  #learn(slice: string, hash: number): WordNumber {
    // A word that is too long to be kept has a number like any other, and is never found.
    const isKept = slice.length <= unitsMax;
    const word = isKept ? copyOf(slice) : slice;
    const value = this.#make(word);
    this.#makeRoom(word.length);
    const number = this.#values.length;
    this.#values.push(value);
    const record = number * recordSize;
    this.#records[record] = hash;
    this.#records[record + lengthAt] = isKept ? word.length : -1;
    this.#records[record + unitsAt] = this.#unitCount;
    this.#records[record + textAt] = 0;
    if (isKept) for (let at = 0; at < word.length; at++) this.#units[this.#unitCount++] = word.charCodeAt(at);
    this.#enter(number, hash);
    return number;
  }

  #enter(number: WordNumber, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while ((this.#slots[slot] ?? 0) > 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }

  #makeRoom(units: number): void {
    const room = this.#records.length / recordSize;
    if (this.#values.length < room && this.#unitCount + Math.min(units, unitsMax) <= this.#units.length) return;
    if (room === wordsMax) return this.#clear();
    this.#records = larger(this.#records, new Int32Array(2 * this.#records.length));
    this.#units = larger(this.#units, new Uint16Array(2 * this.#units.length));
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let number = 0; number < this.#values.length; number++) this.#enter(number, this.#records[number * recordSize] ?? 0);
  }

  #clear(): void {
    this.#values = [];
    this.#unitCount = 0;
    this.#slots.fill(0);
    this.#text = 1;
  }
}

/** From here on V8 makes a slice that keeps the text it is of; shorter ones are copies already. UTF-16 units. */
const sliceUnitsMin = 13;

/** A text that keeps no other one in memory. */
export function copyOf(slice: string): string {
  return slice.length < sliceUnitsMin ? slice : slice.split("").join("");
}

function larger<T extends Int32Array | Uint16Array>(filled: T, empty: T): T {
  empty.set(filled);
  return empty;
}
