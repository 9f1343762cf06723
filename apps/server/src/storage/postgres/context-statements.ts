import type { StoredContext } from "../../contexts/context.store.js";
import { columnValue, type ColumnKind, type ContextColumn, contextColumns } from "../context-columns.js";
import { timeColumn } from "../sql.js";
import { statement } from "./pool.js";
import { dialect } from "./sql.js";

export const millis = (column: string): string => timeColumn(dialect, column);

// Every statement names the user first, and takes any number of rows as arrays: one text each, prepared once a connection.
// New rows take their user from the user's row, which the transaction has locked. A Citus cluster then sees where they belong and makes
// them there; with the value itself it makes them on the coordinator and copies them.

const written: readonly ContextColumn[] = contextColumns.filter(({ name }) => name !== "userId");
const arrayTypes: Record<ColumnKind, ArrayType> = { text: "text[]", time: "float8[]", json: "text[]" };
const arrayType = ({ kind }: ContextColumn) => arrayTypes[kind];
const names = written.map(({ name }) => `"${name}"`).join(", ");
const arrays = written.map((column, index) => `$${index + 2}::${arrayType(column)}`).join(", ");
const sent = ({ name, kind }: ContextColumn) => (kind === "time" ? `to_timestamp(r."${name}" / 1000)` : `r."${name}"`);

/** Contexts as the values of {@link insertContexts} and {@link replaceContexts}, after the user. */
export function toArrays(contexts: readonly StoredContext[]): Buffer[] {
  return written.map((column) => arrayOf(arrayType(column), contexts, (context) => columnValue(context, column)));
}

/** The order of arrival goes on from the user's last: no other writer of the user is at work. */
export const insertContexts = statement(`INSERT INTO contexts ("userId", seq, ${names})
    SELECT u."userId", r.place + coalesce((SELECT max(seq) FROM contexts WHERE "userId" = $1), 0), ${written.map(sent).join(", ")}
    FROM users u, unnest(${arrays}) WITH ORDINALITY AS r(${names}, place) WHERE u."userId" = $1`);

export const replaceContexts = statement(`UPDATE contexts c SET ${written.map((column) => `"${column.name}" = ${sent(column)}`).join(", ")}
    FROM unnest(${arrays}) AS r(${names}) WHERE c."userId" = $1 AND c."contextId" = r."contextId"`);

export const markViewed =
  statement(`UPDATE contexts c SET "viewedAt" = to_timestamp(r.viewed / 1000), "lastSeenAt" = to_timestamp(r.seen / 1000)
    FROM unnest($2::text[], $3::float8[], $4::float8[]) AS r("contextId", viewed, seen)
    WHERE c."userId" = $1 AND c."contextId" = r."contextId"`);

export const deleteContexts = statement(`DELETE FROM contexts WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`);

export const writeTombstones = statement(`INSERT INTO tombstones ("userId", "contextId", "deletedAt", "storedAt")
    SELECT u."userId", r."contextId", to_timestamp(r.at / 1000), to_timestamp($4::float8 / 1000)
    FROM users u, unnest($2::text[], $3::float8[]) AS r("contextId", at) WHERE u."userId" = $1
    ON CONFLICT ("userId", "contextId") DO UPDATE SET "deletedAt" = excluded."deletedAt", "storedAt" = excluded."storedAt"`);

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

/** One value of each row as such an array. */
export function arrayOf<RowType>(type: ArrayType, rows: readonly RowType[], value: (row: RowType) => Element): Buffer {
  return binaryArray(type, rows.map(value));
}

function lengthOf(value: Element): number {
  if (value === null) return nullLength;
  if (typeof value === "string") return Buffer.byteLength(value);
  return typeof value === "number" ? numberBytes : value.length;
}
