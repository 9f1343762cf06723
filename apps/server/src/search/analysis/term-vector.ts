import { type Language, languages } from "./languages.js";

/** The fields of a context, by their place in what is stored. */
export const fields = { title: 0, url: 1, content: 2, metadata: 3 } as const;
export const fieldCount = 4;
export type Field = (typeof fields)[keyof typeof fields];

/** Where a term stands, as one number: places in a row differ by one, and those of different fields by far more than any text is long. */
export type Place = number;
const fieldUnit = 0x1000000;
export const placeOf = (field: Field, position: number): Place => field * fieldUnit + Math.min(position, fieldUnit - 1);
export const fieldOf = (place: Place): number => Math.floor(place / fieldUnit);

/** What a vector is made of. */
export interface VectorInput {
  language: Language;
  /** Hash of the words of the title. */
  titleHash: number;
  /** Words of each field. */
  lengths: readonly number[];
}

/** Terms by their index. */
export interface VectorTerms {
  size: number;
  hashes: ArrayLike<number>;
  /** Occurrences, of which the places may be the first only. */
  counts: ArrayLike<number>;
  /** Puts a term's places into `into`, at most {@link placesMax}, and says how many: field by field, ascending within each, the content last. */
  placesOf(index: number, into: Int32Array): number;
}

/** Places of one term that a vector takes. */
export const placesMax = 64;

/** Terms that a vector takes: the first. Of a context that has more, the others may be there or not. */
const vectorTermsMax = 4_000;

const version = 1;
/** Bits of a hash that are not stored. With the 22 that are, a context of 400 words is taken to have a word that it has not once in 10,000. */
const hashShift = 10;

/**
 * The terms of a context in a few bytes each, so that it can be scored without its text: a header, then for each term, by
 * its hash: the difference to the hash before, how many bytes its places take, and these as differences. All numbers are varints.
 */
export function encodeVector({ language, titleHash, lengths }: VectorInput, terms: VectorTerms): Uint8Array {
  const size = Math.min(terms.size, vectorTermsMax);
  out.length = 0;
  out.byte(version);
  out.byte(languages.indexOf(language));
  out.byte(size < terms.size ? 1 : 0);
  out.varint(titleHash);
  for (const length of lengths) out.varint(length);
  out.varint(size);
  let hashBefore = 0;
  const keys = keysByHash(terms.hashes, size);
  // By index, here and below: iterators and views would leave tens of kilobytes behind for every vector.
  for (let at = 0; at < size; at++) {
    const key = keys[at] ?? 0;
    const index = key % indexUnit;
    const hash = ((terms.hashes[index] ?? 0) >>> 0) >>> hashShift;
    const count = terms.counts[index] ?? 0;
    const placeCount = terms.placesOf(index, places);
    out.varint(hash - hashBefore);
    hashBefore = hash;
    body.length = 0;
    // The content is the last to be analysed: what begins there is nowhere else.
    const isContent = fieldOf(places[0] ?? 0) === fields.content;
    const isMore = count > placeCount;
    if (isMore) body.varint(count);
    let before = 0;
    for (let number = 0; number < placeCount; number++) {
      const place = places[number] ?? 0;
      const field = fieldOf(place);
      const position = place - field * fieldUnit;
      // A later field begins again at its start, which a difference below zero tells.
      if (isContent) body.varint(position - before);
      else body.varint(((position >= before ? position - before : position) << 3) | (position >= before ? 0 : 4) | field);
      before = position;
    }
    out.varint((body.length << 2) | (isMore ? 2 : 0) | (isContent ? 0 : 1));
    out.append(body);
  }
  return out.toBytes();
}

/** The terms by their hashes, each with its index behind it: numbers sort much faster than objects. */
function keysByHash(hashes: ArrayLike<number>, size: number): Float64Array {
  const keys = allKeys.subarray(0, size);
  for (let index = 0; index < size; index++) keys[index] = ((hashes[index] ?? 0) >>> 0) * indexUnit + index;
  return keys.sort();
}

/** More than a vector has terms. */
const indexUnit = 0x10000;
// Used again for every vector.
const allKeys = new Float64Array(vectorTermsMax);
const places = new Int32Array(placesMax);

/** A context as a search scores it. */
export interface DecodedVector {
  language: Language;
  titleHash: number;
  lengths: number[];
  isCut: boolean;
  /** The terms asked for that are there, by their hash. */
  found: Map<number, FoundTerm>;
}

export interface FoundTerm {
  count: number;
  places: Place[];
}

/** Reads a vector, of its terms those with these hashes only. `wanted` is sorted ascending, as numbers without a sign. */
export function decodeVector(bytes: Uint8Array, wanted: readonly number[]): DecodedVector {
  const reader = new Reader(bytes);
  if (reader.byte() !== version) throw new Error("a term vector of another version");
  const language = languages[reader.byte()] ?? languages[0];
  const isCut = reader.byte() === 1;
  const titleHash = reader.varint();
  const lengths = Array.from({ length: fieldCount }, () => reader.varint());
  const count = reader.varint();
  const found = new Map<number, FoundTerm>();
  let at = reader.at;
  let hash = 0;
  let next = 0;
  let sought = (wanted[0] ?? 0) >>> hashShift;
  // Most of the time of a search goes by here, so the numbers are read in place.
  for (let index = 0; index < count && next < wanted.length; index++) {
    let byte = bytes[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) value |= ((byte = bytes[at++] ?? 0) & 127) << shift;
    hash += value;
    byte = bytes[at++] ?? 0;
    value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) value |= ((byte = bytes[at++] ?? 0) & 127) << shift;
    const end = at + (value >>> 2);
    while (hash >= sought && next < wanted.length) {
      reader.at = at;
      if (hash === sought) found.set(wanted[next] ?? 0, readTerm(reader, value, end));
      sought = (wanted[++next] ?? 0) >>> hashShift;
    }
    at = end;
  }
  return { language, titleHash, lengths, isCut, found };
}

function readTerm(reader: Reader, header: number, end: number): FoundTerm {
  const told = (header & 2) === 0 ? 0 : reader.varint();
  const isContent = (header & 1) === 0;
  const places: Place[] = [];
  let position = 0;
  while (reader.at < end) {
    const value = reader.varint();
    position = isContent ? position + value : (value & 4) === 0 ? position + (value >>> 3) : value >>> 3;
    places.push((isContent ? fields.content : value & 3) * fieldUnit + position);
  }
  return { count: told || places.length, places };
}

class Bytes {
  length = 0;
  #bytes: Uint8Array;

  constructor(room: number) {
    this.#bytes = new Uint8Array(room);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  varint(value: number): void {
    this.#reserve(5);
    let rest = value >>> 0;
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  append(other: Bytes): void {
    this.#reserve(other.length);
    for (let at = 0; at < other.length; at++) this.#bytes[this.length++] = other.#bytes[at] ?? 0;
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + more));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

class Reader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0;
  }

  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value >>> 0;
  }
}

// Used again for every vector.
const out = new Bytes(1 << 14);
const body = new Bytes(1 << 9);
