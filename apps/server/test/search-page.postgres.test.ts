import { limits } from "@periscope/schemas";
import { expect, it } from "vitest";
import { KnownSamples } from "../src/search/known-samples.js";
import { runSearch } from "../src/search/run-search.js";
import { openPool, rowsOf } from "../src/storage/postgres/pool.js";
import { type Ask, openSnapshot } from "../src/storage/postgres/search-snapshot.js";
import { PostgresDatabase } from "./postgres-database.js";
import { openSearchWorld } from "./search-world.js";

const bounds = { totalMax: limits.searchTotalMax, snippetCharsMax: limits.snippetCharsMax };
const mebibyte = 1024 * 1024;

it("reads a page of large contexts a few megabytes at a time, keeps its order, and stops between them when its time is over", async () => {
  await using database = await PostgresDatabase.create();
  await using world = await openSearchWorld(database.url);
  const { add, everything, find } = world.newUser();
  await add(...Array.from({ length: 300 }, (_, index) => ({ title: `tea ${index}`, content: "tea" })));
  const pool = openPool(database.url, { connectionsMax: 1, statementTimeoutMs: 20_000 });
  await using _ = { [Symbol.asyncDispose]: () => pool.end() };
  /** Ids that a search finds, and the rows and bytes of text in each answer that has texts. */
  const answersOf = async (checkTime?: () => void) => {
    const read: Array<{ rows: number; bytes: number }> = [];
    const ask: Ask = async (statement, values) => {
      const rows = await rowsOf<any>(pool, statement, values);
      if (rows.some(({ content }) => content))
        read.push({ rows: rows.length, bytes: rows.reduce((sum, row) => sum + row.content.length, 0) });
      return rows;
    };
    const snapshot = await openSnapshot(ask, everything.userId, new KnownSamples(), checkTime && (() => read.length > 0 && checkTime()));
    if (!snapshot) throw new Error("there is nothing to search");
    const page = runSearch(snapshot, everything, { query: "tea", limit: 300, offset: 0 }, bounds);
    return {
      read,
      ids: await page.then(({ results }) => results.map(({ contextId }) => contextId)).catch((error: Error) => error.message),
    };
  };

  const order = await find("tea");
  expect(order).toHaveLength(300);
  expect(await answersOf()).toEqual({ ids: order, read: [expect.objectContaining({ rows: 250 }), expect.objectContaining({ rows: 50 })] });

  await database.rows(`UPDATE contexts SET content = repeat('tea ', ${mebibyte / 4}) WHERE seq % 15 = 0`);
  const large = await answersOf();
  expect(large.ids).toEqual(order);
  expect(large.read.reduce((sum, { rows }) => sum + rows, 0)).toBe(300);
  expect(Math.max(...large.read.map(({ bytes }) => bytes))).toBeLessThan(6 * mebibyte);
  expect(large.read.length).toBeLessThan(9);

  const late = await answersOf(() => {
    throw new Error("no time is left");
  });
  expect(late).toMatchObject({ ids: "no time is left", read: [expect.anything()] });
});
