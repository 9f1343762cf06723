import { type Language, languages } from "./languages.js";
import {
  fieldCount,
  fields,
  fieldUnit,
  hashShift,
  headerAt,
  partBegin,
  partBytes,
  partCount,
  partsAt,
  type Place,
  vectorPartOf,
  vectorVersions,
} from "./term-vector.js";
import { Reader } from "./vector-bytes.js";

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

/**
 * Reads a vector of any of the `vectorVersions`, of its terms those with these hashes only. `wanted` is sorted ascending, as numbers without
 * a sign; of a vector with some of its parts, these are the parts of `wanted`.
 * @throws Error when the vector is of a version from after this
 */
export function decodeVector(bytes: Uint8Array, wanted: readonly number[]): DecodedVector {
  const version = bytes[0];
  if (version !== vectorVersions.list && version !== vectorVersions.parts && version !== vectorVersions.someParts)
    throw new Error("a term vector of another version");
  const hasDirectory = version === vectorVersions.parts;
  const reader = new Reader(bytes, hasDirectory ? headerAt : 1);
  const language = languages[reader.byte()] ?? languages[0];
  const isCut = reader.byte() === 1;
  const titleHash = reader.varint();
  const lengths = Array.from({ length: fieldCount }, () => reader.varint());
  const found = new Map<number, FoundTerm>();
  if (version === vectorVersions.list) {
    readTerms(reader, { wanted, from: 0, end: wanted.length, hashBefore: 0, toEnd: false }, found);
    return { language, titleHash, lengths, isCut, found };
  }
  for (let from = 0; from < wanted.length;) {
    const part = vectorPartOf(wanted[from] ?? 0);
    let end = from + 1;
    while (end < wanted.length && vectorPartOf(wanted[end] ?? 0) === part) end++;
    if (hasDirectory) reader.at = uint24At(bytes, partsAt + part * partBytes);
    readTerms(reader, { wanted, from, end, hashBefore: partBegin(part), toEnd: !hasDirectory }, found);
    from = end;
  }
  return { language, titleHash, lengths, isCut, found };
}

/** All terms of a vector that is whole, by ascending hash; of a hash the bits that are not stored are 0. */
export function* termsOfVector(bytes: Uint8Array): Generator<{ hash: number; term: FoundTerm }> {
  const hasParts = bytes[0] === vectorVersions.parts;
  const reader = new Reader(bytes, hasParts ? headerAt : 1);
  // Language and whether it is cut, then the hash of the title and the lengths.
  reader.at += 2;
  for (let skipped = 0; skipped <= fieldCount; skipped++) reader.varint();
  for (let part = 0; part < (hasParts ? partCount : 1); part++) {
    let hash = partBegin(part);
    for (let left = reader.varint(); left > 0; left--) {
      hash += reader.varint();
      const header = reader.varint();
      yield { hash: (hash << hashShift) >>> 0, term: readTerm(reader, header, reader.at + (header >>> 2)) };
    }
  }
}

function uint24At(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
}

/** Terms that are looked for in one list: those of `wanted` from `from` on and before `end`. */
interface Sought {
  wanted: readonly number[];
  from: number;
  end: number;
  /** To which the first hash of the list is the difference. */
  hashBefore: number;
  /** Whether another list begins where this one ends, so that the reader is to stand there. */
  toEnd: boolean;
}

function readTerms(reader: Reader, { wanted, from, end, hashBefore, toEnd }: Sought, found: Map<number, FoundTerm>): void {
  const { bytes } = reader;
  const count = reader.varint();
  let { at } = reader;
  let hash = hashBefore;
  let next = from;
  let sought = (wanted[next] ?? 0) >>> hashShift;
  // Most of the time of a search goes by here, so the numbers are read in place.
  for (let index = 0; index < count && (toEnd || next < end); index++) {
    let byte = bytes[at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) value |= ((byte = bytes[at++] ?? 0) & 127) << shift;
    hash += value;
    byte = bytes[at++] ?? 0;
    value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) value |= ((byte = bytes[at++] ?? 0) & 127) << shift;
    const termEnd = at + (value >>> 2);
    while (hash >= sought && next < end) {
      reader.at = at;
      if (hash === sought) found.set(wanted[next] ?? 0, readTerm(reader, value, termEnd));
      sought = (wanted[++next] ?? 0) >>> hashShift;
    }
    at = termEnd;
  }
  reader.at = at;
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
