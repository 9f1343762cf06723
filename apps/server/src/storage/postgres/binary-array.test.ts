import pg from "pg";
import { expect } from "vitest";
import { withPostgresStorage as it } from "../../../test/postgres-storage.js";
import { binaryArray } from "./context-statements.js";

const texts = ["", "plain", null, `a "quoted" \\ back\\slash, {brace}`, "NULL", "Größe ✓ 🔑", "lone \ud800 half", "x".repeat(10_000), ""];
const numbers = [0, -1.5, null, 1.8e12, 2 ** 53];
const bytes = [new Uint8Array(), Uint8Array.of(0, 255, 92), null, Buffer.alloc(5_000, 7)];

it("is read by PostgreSQL as the same array in text is", async ({ one }) => {
  const client = new pg.Client(one.database.url);
  await client.connect();
  const pairs = [
    [binaryArray("text[]", texts), texts.map((text) => text?.toWellFormed() ?? null)],
    [binaryArray("float8[]", numbers), numbers],
    [binaryArray("bytea[]", bytes), bytes.map((each) => each && Buffer.from(each))],
    [binaryArray("text[]", []), []],
  ].flat();
  const equal = "$1::text[] = $2::text[] AND $3::float8[] = $4::float8[] AND $5::bytea[] = $6::bytea[] AND $7::text[] = $8::text[]";
  const { rows } = await client.query(`SELECT ${equal} AS equal, cardinality($1::text[]) AS count`, pairs);
  await client.end();
  expect(rows).toEqual([{ equal: true, count: texts.length }]);
});
