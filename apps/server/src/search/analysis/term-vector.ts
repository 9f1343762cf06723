import { type Language, languages } from "./languages.js";
import { Bytes } from "./vector-bytes.js";

/** The fields of a context, by their place in what is stored. */
export const fields = { title: 0, url: 1, content: 2, metadata: 3 } as const;
export const fieldCount = 4;
export type Field = (typeof fields)[keyof typeof fields];

/** Where a term stands, as one number: places in a row differ by one, and those of different fields by far more than any text is long. */
export type Place = number;
export const fieldUnit = 0x1000000;
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

/** Bits of a hash that are not stored. With the 22 that are, a context of 400 words is taken to have a word that it has not once in 10,000. */
export const hashShift = 10;

/** How a vector is laid out, by its first byte. */
export const vectorVersions = {
  /** All terms in one list, as they were stored before there were parts. */
  list: 1,
  /** Terms in parts. */
  parts: 2,
  /** Not stored: the header and some of the parts of the one before, as an engine that reads no more of it sends them. */
  someParts: 3,
} as const;

/** Parts of a vector, each with the terms of as many hashes. */
export const partCount = 32;
const partShift = 27;
/** The part of a vector in which the term of this hash is, if anywhere. */
export const vectorPartOf = (hash: number): number => hash >>> partShift;
/** The least hash of a part, as it is stored. */
export const partBegin = (part: number): number => (part << (partShift - hashShift)) >>> 0;

/**
 * Where the parts begin stands from this byte on, each as three bytes, the highest first; behind the last where it ends. Then comes the
 * header, from {@link headerAt} to where the first part begins.
 */
export const partsAt = 1;
export const partBytes = 3;
export const headerAt = partsAt + (partCount + 1) * partBytes;

/**
 * The terms of a context in a few bytes each, so that it can be scored without its text, and a term be found without the others: where
 * each part begins, a header, then the parts. A part has the number of its terms, and for each, by its hash: the difference to the hash
 * before, how many bytes its places take, and these as differences. All numbers but the first are varints.
 */
export function encodeVector({ language, titleHash, lengths }: VectorInput, terms: VectorTerms): Uint8Array {
  const size = Math.min(terms.size, vectorTermsMax);
  out.length = 0;
  out.byte(vectorVersions.parts);
  for (let at = partsAt; at < headerAt; at++) out.byte(0);
  out.byte(languages.indexOf(language));
  out.byte(size < terms.size ? 1 : 0);
  out.varint(titleHash);
  for (const length of lengths) out.varint(length);
  const keys = keysByHash(terms.hashes, size);
  for (let part = 0, at = 0; part < partCount; part++) {
    out.uint24At(partsAt + part * partBytes, out.length);
    const end = endOfPart(keys, at, part);
    out.varint(end - at);
    for (let hashBefore = partBegin(part); at < end; at++) hashBefore = encodeTerm(terms, (keys[at] ?? 0) % indexUnit, hashBefore);
  }
  out.uint24At(partsAt + partCount * partBytes, out.length);
  return out.toBytes();
}

/** Writes one term, and says its hash as it is stored. By index: iterators and views would leave tens of kilobytes behind for every vector. */
function encodeTerm(terms: VectorTerms, index: number, hashBefore: number): number {
  const hash = ((terms.hashes[index] ?? 0) >>> 0) >>> hashShift;
  const count = terms.counts[index] ?? 0;
  const placeCount = terms.placesOf(index, places);
  out.varint(hash - hashBefore);
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
  return hash;
}

/** The terms by their hashes, each with its index behind it: numbers sort much faster than objects. */
function keysByHash(hashes: ArrayLike<number>, size: number): Float64Array {
  const keys = allKeys.subarray(0, size);
  for (let index = 0; index < size; index++) keys[index] = ((hashes[index] ?? 0) >>> 0) * indexUnit + index;
  return keys.sort();
}

function endOfPart(keys: Float64Array, from: number, part: number): number {
  let at = from;
  while (at < keys.length && vectorPartOf(Math.floor((keys[at] ?? 0) / indexUnit)) === part) at++;
  return at;
}

/** More than a vector has terms. */
const indexUnit = 0x10000;
// Used again for every vector.
const allKeys = new Float64Array(vectorTermsMax);
const places = new Int32Array(placesMax);
const out = new Bytes(1 << 14);
const body = new Bytes(1 << 9);
