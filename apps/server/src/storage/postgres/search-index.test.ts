import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { type PostgresStorage, withPostgresStorage as it } from "../../../test/postgres-storage.js";
import { writtenContext } from "../../../test/written-context.js";
import { previewDelete } from "../../data/delete.service.js";
import type { RankRequest, SearchIndex } from "../../search/search-index.js";
import { openPool, rowsOf } from "./pool.js";
import { openIndex, readRange } from "./search-index.js";
import { bucketRows, largeBucketRows, type RowRange, stepsOf } from "./search-lexemes.js";

/** The index of a user, with the ids of what it ranks. */
async function indexOf({ database }: PostgresStorage, userId: string) {
  const pool = openPool(database.url, { connectionsMax: 1, statementTimeoutMs: 60_000 });
  const [range] = await rowsOf<{ oldest: number; newest: number }>(pool, readRange, [userId]);
  const index: SearchIndex = openIndex((...query) => rowsOf<any>(pool, ...query), userId, range as RowRange);
  const rank = async (request: Partial<RankRequest> & Pick<RankRequest, "match">) => {
    const found = await index.rank({ words: [], limit: 100, ...request });
    const ids = new Map<number, string>();
    for await (const { row, contextId } of index.page(found.rows)) ids.set(row, contextId);
    return { ids: found.rows.map((row) => ids.get(row) ?? `c${row}`), total: found.total, totalIsExact: found.totalIsExact };
  };
  return { index, rank, [Symbol.asyncDispose]: () => pool.end() };
}

const exactly = (...ids: string[]) => ({ ids, total: ids.length, totalIsExact: true });
const phrase = (...words: string[]) => ({ phrase: words.map((word) => `:${word}`) });

it("finds words and writes contexts past PostgreSQL's limits of positions and bytes", async ({ one }) => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `w${index}x`).join(" ");
  await one.write("ada", {
    created: [
      writtenContext("ada", "long", { content: `${many(20_000)} kettle brass` }),
      writtenContext("ada", "repeats", { content: `${"lamp ".repeat(2_000)} kettle` }),
      writtenContext("ada", "vast", { title: "vast", content: many(130_000) }),
      writtenContext("ada", "word", { content: "y".repeat(5_000) }),
    ],
  });
  await using ada = await indexOf(one, "ada");
  expect((await ada.rank({ match: { all: [":kettl", ":brass"] } })).ids).toEqual(["long"]);
  expect((await ada.rank({ match: ":kettl" })).ids).toEqual(["repeats", "long"]);
  expect((await ada.rank({ match: ":vast" })).ids).toEqual(["vast"]);
});

describe("many contexts", () => {
  /** Contexts of which every other has "green tea", all have both words, and three have "old brass". */
  async function fill(one: PostgresStorage, count: number): Promise<void> {
    const created = [
      writtenContext("ada", "c1", { content: "green tea and brass so old" }),
      writtenContext("ada", "c2", { content: "tea so green and old of brass" }),
      writtenContext("ada", "c3", { content: "green tea on old brass" }),
    ];
    await one.write("ada", { created });
    // With the places of their numbers.
    await one.database.rows(
      `INSERT INTO search_terms ("userId", seq, "capturedAt", url, terms, stored)
       SELECT t."userId", n, t."capturedAt", t.url, ts_delete(t.terms, ARRAY[p || '+0', p || '-0']) ||
         array_to_tsvector(ARRAY[p || '+' || (n >> 10), p || '-' || (n >> 15)]), ''
       FROM generate_series(4, ${count}) n JOIN search_terms t ON t.seq = 1 + n % 2,
         LATERAL (SELECT substring(lexeme FROM '^[a-z0-9]+') AS p FROM unnest(t.terms) WHERE lexeme LIKE '%:tea') p
       ORDER BY n`,
    );
    await one.database.rows(`UPDATE contexts SET seq = ${count} WHERE seq = 2`);
    await one.database.rows("ANALYZE search_terms");
  }

  it("counts up to a bound, finds rare phrases, and says where it looked at a part", async ({ one }) => {
    await fill(one, 30_000);
    await using ada = await indexOf(one, "ada");
    expect(await ada.index.count([":tea", phrase("green", "tea")], 5_000)).toEqual([
      { count: 5_000, oldest: 25_001 },
      { count: 5_000, oldest: 20_002 },
    ]);
    expect(await ada.index.count([":tea", phrase("green", "tea")], 5_000, 29_001)).toEqual([
      { count: 1_000, oldest: 29_001 },
      { count: 500, oldest: 29_002 },
    ]);

    const common = await ada.rank({ match: ":tea", words: [{ match: ":tea", weight: 1 }], limit: 2_500 });
    expect(common).toMatchObject({ total: 10_001, totalIsExact: true });
    // What is past the ranked ones follows, newest first.
    expect(common.ids).toHaveLength(2_500);
    expect(common.ids.slice(-2)).toEqual([`c${30_000 - 2_498}`, `c${30_000 - 2_499}`]);
    expect(await ada.rank({ match: phrase("green", "tea") })).toMatchObject({ total: 1_000, totalIsExact: false });
    // Nobody has it among the newest.
    expect(await ada.rank({ match: phrase("old", "brass") })).toEqual({ ids: [], total: 0, totalIsExact: false });
  });

  it("lets a deletion say that it could not look for a phrase everywhere", async ({ one }) => {
    await fill(one, 20_001);
    const scope = { userId: "ada", maxPrivacyLevel: "restricted" } as const;
    const preview = previewDelete({ stores: one.storage }, scope, { query: '"old brass"' });
    await expect(preview).rejects.toThrow(/^where\.query: has a phrase whose words are in more than 20,000 contexts/);
  });

  it("finds a phrase that one of 10,000 contexts with its words has", async ({ one }) => {
    await fill(one, 10_000);
    await using ada = await indexOf(one, "ada");
    expect(await ada.rank({ match: phrase("old", "brass") })).toEqual(exactly("c3"));
    expect(await ada.index.count([phrase("old", "brass")], 1_000)).toEqual([{ count: 1, oldest: 3 }]);
  });
});

it("reads a few megabytes of text for a page of large contexts", async ({ one }) => {
  const created = Array.from({ length: 40 }, (_, index) => writtenContext("ada", `c${index}`, { content: "tea" }));
  await one.write("ada", { created });
  await one.database.rows("UPDATE contexts SET content = repeat('tea ', 262144) WHERE seq % 2 = 0");
  await using ada = await indexOf(one, "ada");
  const rows = (await ada.index.rank({ match: ":tea", words: [], limit: 100 })).rows;
  const lengths: number[] = [];
  for await (const { source } of ada.index.page(rows)) lengths.push(source.content.length);
  expect(lengths).toHaveLength(40);
  const read = lengths.reduce((sum, length) => sum + length) / 1_048_576;
  expect([read > 8, read < 10]).toEqual([true, true]);
});

describe("steps of a walk", () => {
  const bits = Math.log2(bucketRows);
  const finds = (query: string | null, row: number) =>
    query === null || query.split(" | ").some((lexeme) => lexeme === `'u+${row >> bits}'` || lexeme === `'u-${row >> (bits + 5)}'`);

  it("follow each other from the newest row to the oldest, and find every row", () => {
    const row = fc.integer({ min: 1, max: 3_000_000 });
    fc.assert(
      fc.property(row, row, row, fc.boolean(), (...[one, other, wanted, isCostly]) => {
        const range = { oldest: Math.min(one, other), newest: Math.max(one, other) };
        const steps = stepsOf("u", range, isCostly);
        expect(steps.length).toBeLessThan(isCostly ? 3 : 12);
        expect([range.newest + 1, ...steps.map((step) => step.low)].slice(0, -1)).toEqual(steps.map((step) => step.high));
        expect(steps.at(-1)?.low).toBe(range.oldest);
        for (const step of steps) {
          const own = [step.low, step.high - 1, wanted].filter((each) => each >= step.low && each < step.high);
          expect(own.filter((each) => !finds(step.query, each))).toEqual([]);
        }
      }),
    );
  });

  it("grow, and are named by large buckets past the first", () => {
    const newest = 40 * largeBucketRows + 20 * bucketRows + 7;
    const rows = stepsOf("u", { oldest: 1, newest }).map((step) => step.high - step.low);
    expect(rows).toEqual([
      bucketRows + 8,
      5 * bucketRows,
      8 * bucketRows,
      6 * bucketRows,
      ...[1, 2, 4, 8, 16].map((large) => large * largeBucketRows),
      9 * largeBucketRows - 1,
    ]);
    expect(stepsOf("u", { oldest: 5, newest: 900 })).toEqual([{ query: null, low: 5, high: 901 }]);
  });
});
