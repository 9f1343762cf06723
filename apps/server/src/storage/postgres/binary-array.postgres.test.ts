import pg from "pg";
import { expect, it } from "vitest";
import { TestServer } from "../../../test/test-server.js";
import { binaryArray } from "./context-statements.js";

const texts = ["", "plain", null, `a "quoted" \\ back\\slash, {brace}`, "NULL", "Größe ✓ 🔑", "lone \ud800 half", "x".repeat(10_000), ""];
const numbers = [0, -1.5, null, 1.8e12, 2 ** 53];
const bytes = [new Uint8Array(), Uint8Array.of(0, 255, 92), null, Buffer.alloc(5_000, 7)];

it("is read by PostgreSQL as the same array in text is", async () => {
  await using server = await TestServer.start();
  const client = new pg.Client(server.config.databaseUrl);
  await client.connect();
  await using _ = { [Symbol.asyncDispose]: () => client.end() };
  const { rows } = await client.query(
    `SELECT $1::text[] = $2::text[] AS texts, $3::float8[] = $4::float8[] AS numbers, $5::bytea[] = $6::bytea[] AS bytes,
       cardinality($1::text[]) AS count, $7::text[] = '{}' AS empty`,
    [
      binaryArray("text[]", texts),
      texts.map((text) => text?.toWellFormed() ?? null),
      binaryArray("float8[]", numbers),
      numbers,
      binaryArray("bytea[]", bytes),
      bytes.map((each) => each && Buffer.from(each)),
      binaryArray("text[]", []),
    ],
  );
  expect(rows).toEqual([{ texts: true, numbers: true, bytes: true, count: texts.length, empty: true }]);
});
