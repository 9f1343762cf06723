/** A pair of terms in a row, as 32 bits without a sign. */
export type PairHash = number;

/** Bits for each different pair: with two of them set by each, one in twelve pairs that are not there is taken to be. */
const bitsPerPair = 6;
/** Bytes of a filter at least, and at most: room for 20 pairs, and for 2,700; with more, it says less. */
const bytesMin = 16;
const bytesMax = 2_048;
/** Different pairs past which a filter would say too little to be worth its room. */
const pairsMax = 8_000;

/** Bits of a term's hash that are left out, as a term vector does: where one takes two terms for the same, so does the other. */
const hashShift = 10;

/** The hash of two terms in a row, by their hashes. What is stored depends on it. */
export function pairHashOf(first: number, second: number): PairHash {
  let h = Math.imul(first >>> hashShift, 0x9e3779b1) ^ Math.imul(second >>> hashShift, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A bit of a filter: the byte is taken modulo the filter's length, the bit counts from the lowest. */
export interface FilterBit {
  byte: number;
  bit: number;
}

/** Bits that each pair sets. */
export const pairBits = 2;

/** The {@link pairBits} bits of a pair, of which a filter that has it has both. */
export const bitsOf = (pair: PairHash): readonly FilterBit[] => [
  { byte: pair >>> 19, bit: (pair >>> 16) & 7 },
  { byte: (pair >>> 3) & 0x1fff, bit: pair & 7 },
];

/** Whether a context of this filter may have a pair: always when it has, and mostly not when it has not. Engines ask the same in their own words. */
export function mayHavePair(filter: Uint8Array, pair: PairHash): boolean {
  return bitsOf(pair).every(({ byte, bit }) => ((filter[byte % filter.length] ?? 0) & (1 << bit)) !== 0);
}

/** Words back to which a term may be added that is made of several: more than are ever joined, and a power of 2. */
const placesKept = 8;
/** Terms at one place: a word, that with its accents, and what is written together from there on. */
const termsAtPlace = 4;

/**
 * Collects which terms of a text follow each other, and makes a filter of them. One collector serves text after text.
 */
export class PairCollector {
  readonly #terms = new Int32Array(placesKept * termsAtPlace);
  readonly #counts = new Uint8Array(placesKept);
  #place = 0;
  #pairs = new Uint32Array(1 << 12);
  #size = 0;
  #isWhole = true;
  readonly #seen = new Uint8Array(1 << 13);

  /** Forgets everything. */
  clear(): void {
    this.#size = 0;
    this.#isWhole = true;
    this.begin();
  }

  /** Begins a text that no word before it belongs to. */
  begin(): void {
    this.#counts.fill(0);
  }

  /** Goes on to the next place. */
  next(): void {
    this.#place = (this.#place + 1) % placesKept;
    this.#counts[this.#place] = 0;
  }

  /** Adds a term, by its hash, at this place; or so many places back, at most six. */
  add(hash: number, back = 0): void {
    const place = (this.#place - back + placesKept) % placesKept;
    const before = (place - 1 + placesKept) % placesKept;
    for (let at = before * termsAtPlace, end = at + (this.#counts[before] ?? 0); at < end; at++)
      this.#pair(pairHashOf(this.#terms[at] ?? 0, hash));
    if (back > 0) {
      const after = (place + 1) % placesKept;
      for (let at = after * termsAtPlace, end = at + (this.#counts[after] ?? 0); at < end; at++)
        this.#pair(pairHashOf(hash, this.#terms[at] ?? 0));
    }
    const count = this.#counts[place] ?? 0;
    if (count === termsAtPlace) {
      // No text has so many; if one had, its filter would leave out a pair that is there.
      this.#isWhole = false;
      return;
    }
    this.#terms[place * termsAtPlace + count] = hash;
    this.#counts[place] = count + 1;
  }

  /** The filter, in a few hundred bytes, by the number of pairs; null when there are too many for one. */
  filter(): Uint8Array | null {
    const different = this.#different();
    if (!this.#isWhole || different > pairsMax) return null;
    const filter = new Uint8Array(Math.min(bytesMax, Math.max(bytesMin, Math.ceil((different * bitsPerPair) / 8))));
    // As `bitsOf` says, and without its objects, which would be most of the time.
    for (let index = 0; index < this.#size; index++) {
      const pair = this.#pairs[index] ?? 0;
      const one = (pair >>> 19) % filter.length;
      const two = ((pair >>> 3) & 0x1fff) % filter.length;
      filter[one] = (filter[one] ?? 0) | (1 << ((pair >>> 16) & 7));
      filter[two] = (filter[two] ?? 0) | (1 << (pair & 7));
    }
    return filter;
  }

  /** How many different pairs there are, nearly. */
  #different(): number {
    this.#seen.fill(0);
    let count = 0;
    for (let index = 0; index < this.#size; index++) {
      const key = ((this.#pairs[index] ?? 0) >>> 8) & 0xffff;
      const bit = 1 << (key & 7);
      const byte = this.#seen[key >>> 3] ?? 0;
      if ((byte & bit) === 0) count++;
      this.#seen[key >>> 3] = byte | bit;
    }
    return count;
  }

  #pair(pair: PairHash): void {
    if (this.#size === this.#pairs.length) {
      const larger = new Uint32Array(2 * this.#size);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#size++] = pair;
  }
}
