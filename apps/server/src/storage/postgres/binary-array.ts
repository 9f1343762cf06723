/** Object ids of the elements' types, the same in every PostgreSQL. */
const types = { "text[]": 25, "float8[]": 701, "bytea[]": 17, "tsvector[]": 3614 } as const;

/** A type of array that a statement takes. */
export type ArrayType = keyof typeof types;

type Element = string | number | Uint8Array | null;

const headerBytes = 20;
const lengthBytes = 4;
const numberBytes = 8;
const nullLength = -1;

/**
 * An array as a parameter in PostgreSQL's binary form (`array_recv`): dimensions, whether there are nulls, the type of the elements, count
 * and lower bound, then each element behind its length. The text form escapes every quote and backslash and doubles bytes, which would be
 * most of the cost of a batch of pages.
 */
export function binaryArray(type: ArrayType, values: readonly Element[]): Buffer {
  const lengths = values.map(lengthOf);
  const total = lengths.reduce((sum, length) => sum + lengthBytes + Math.max(0, length), headerBytes);
  const array = Buffer.allocUnsafe(total);
  const header = [values.length === 0 ? 0 : 1, values.includes(null) ? 1 : 0, types[type], values.length, 1];
  header.forEach((number, index) => array.writeInt32BE(number, index * 4));
  let at = headerBytes;
  for (const [index, value] of values.entries()) {
    const length = lengths[index] ?? nullLength;
    at = array.writeInt32BE(length, at);
    if (typeof value === "string") at += array.write(value, at, length, "utf8");
    else if (typeof value === "number") at = array.writeDoubleBE(value, at);
    else if (value !== null) {
      array.set(value, at);
      at += length;
    }
  }
  // Without elements there are no dimensions either.
  return values.length === 0 ? array.subarray(0, 12) : array;
}

function lengthOf(value: Element): number {
  if (value === null) return nullLength;
  if (typeof value === "string") return Buffer.byteLength(value);
  return typeof value === "number" ? numberBytes : value.length;
}
