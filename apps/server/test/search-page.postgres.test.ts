import { expect, it } from "vitest";
import { runSearch } from "../src/search/run-search.js";
import { openPool, rowsOf } from "../src/storage/postgres/pool.js";
import { type Ask, openIndex } from "../src/storage/postgres/search-index.js";
import { PostgresDatabase } from "./postgres-database.js";
import { openSearchWorld } from "./search-world.js";

const mebibyte = 1024 * 1024;

it("reads a few megabytes of text for a page of large contexts, in its order", async () => {
  await using database = await PostgresDatabase.create();
  await using world = await openSearchWorld(database.url);
  const { add, everything, find } = world.newUser();
  await add(...Array.from({ length: 300 }, (_, index) => ({ title: `tea ${index}`, content: "tea" })));
  const order = await find("tea");
  expect(order).toHaveLength(300);
  await database.rows(`UPDATE contexts SET content = repeat('tea ', ${mebibyte / 4}) WHERE seq % 15 = 0`);

  const pool = openPool(database.url, { connectionsMax: 1, statementTimeoutMs: 60_000 });
  await using _ = { [Symbol.asyncDispose]: () => pool.end() };
  let bytes = 0;
  const ask: Ask = async (statement, values) => {
    const rows = await rowsOf<any>(pool, statement, values);
    for (const { text = "" } of rows) bytes += text.length;
    return rows;
  };
  const index = openIndex(ask, everything.userId, { oldest: 1, newest: 300 });
  const { results } = await runSearch(index, everything, { query: "tea", limit: 300, offset: 0 });
  expect(results.map(({ contextId }) => contextId)).toEqual(order);
  expect(bytes).toBeGreaterThan(8 * mebibyte);
  expect(bytes).toBeLessThan(10 * mebibyte);
});
