import { expect, it } from "vitest";
import { limits } from "@periscope/schemas";
import { KnownSamples } from "../src/search/known-samples.js";
import { runSearch } from "../src/search/run-search.js";
import { openPool, rowsOf } from "../src/storage/postgres/pool.js";
import { type Ask, openSnapshot } from "../src/storage/postgres/search-snapshot.js";
import { languageTexts } from "./language-texts.js";
import { PostgresDatabase } from "./postgres-database.js";
import { openSearchWorld } from "./search-world.js";

const bounds = { totalMax: limits.searchTotalMax, snippetCharsMax: limits.snippetCharsMax };

it("a search asks little, and most of it at once", async () => {
  await using database = await PostgresDatabase.create();
  await using world = await openSearchWorld(database.url);
  const { add, everything } = world.newUser();
  await add(
    ...Array.from({ length: 1_100 }, (_, index) => ({ title: `tea ${index}`, content: index % 100 === 0 ? "green harbour" : "tea" })),
  );
  const pool = openPool(database.url, { connectionsMax: 1, statementTimeoutMs: 20_000 });
  const samples = new KnownSamples();
  /** Questions of a search, and how many answers it had to wait for, one after the other. */
  const cost = async (query: string) => {
    let [questions, trips, answered] = [0, 0, 0];
    const ask: Ask = async (statement, values) => {
      questions++;
      const trip = answered + 1;
      const rows = await rowsOf<any>(pool, statement, values);
      trips = Math.max(trips, trip);
      answered = Math.max(answered, trip);
      return rows;
    };
    const snapshot = await openSnapshot(ask, everything.userId, samples);
    if (!snapshot) throw new Error("there is nothing to search");
    const { total } = await runSearch(snapshot, everything, { query, limit: 20, offset: 0 }, bounds);
    return { total, questions, trips };
  };
  try {
    await cost("tea");
    expect(await cost("harbour")).toEqual({ total: 11, questions: 5, trips: 5 });
    expect(await cost('"green harbour"')).toEqual({ total: 11, questions: 5, trips: 5 });
    // Words that stand beside others are weighed, and one that nobody has is looked for among those a letter away.
    expect(await cost("green tea")).toEqual({ total: 11, questions: 7, trips: 5 });
    expect(await cost("harbuor")).toEqual({ total: 11, questions: 12, trips: 12 });
    // Of three words those with some are ranked, too, and the best of all read once more as a whole.
    expect(await cost("green harbour tea")).toEqual({ total: 1_100, questions: 14, trips: expect.any(Number) });
    // Vectors of a thousand contexts are read in four parts, each while the one before it is ranked.
    const common = await cost("tea");
    expect(common).toEqual({ total: 1_100, questions: 9, trips: expect.any(Number) });
    expect(common.trips).toBeLessThan(9);
    // With a second language, of which the words have other forms, a phrase has two parts. A new context makes a new sample necessary, for which
    // ranking waits, and the walk does not.
    const phrase = '"running directories"';
    await add({ content: `${languageTexts.de} running directories` }, { content: "running directories" });
    expect(await cost("tea")).toEqual({ total: 1_100, questions: 11, trips: expect.any(Number) });
    expect(await cost(phrase)).toEqual({ total: 2, questions: 6, trips: 5 });
    await add({ content: "running directories" });
    expect(await cost(phrase)).toEqual({ total: 3, questions: 8, trips: 6 });
  } finally {
    await pool.end();
  }
});
