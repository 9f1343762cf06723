import { mkdtempDisposableSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { SearchQuery } from "@periscope/schemas";
import { numbers } from "./deep.js";
import { languageTexts } from "./language-texts.js";
import { PostgresDatabase } from "./postgres-database.js";
import { type ContextRow, firstCapture, openSearchWorld } from "./search-world.js";

vi.setConfig({ testTimeout: 300_000 });

const count = 6000;

const next = numbers(7);
/** Few words are frequent, and many are rare. */
const word = () => `w${Math.floor(Math.exp((next(1000) / 1000) * Math.log(3000))).toString(36)}`;
const words = (length: number) => Array.from({ length }, word).join(" ");
const levels = ["public", "private", "filtered", "restricted"] as const;

/** Nearly all is taken for English; of the rest each language has forms of its own for these words. */
function inLanguage(index: number): string {
  const some = Object.values(languageTexts);
  const text = index % 29 === 0 ? some[(index / 29) % some.length] : undefined;
  return text === undefined ? "" : `. ${text} running ${index % 2 === 0 ? "" : "the "}directories. ${text} ${text}`;
}

const rows: ContextRow[] = Array.from({ length: count }, (_, index) => ({
  contextId: `c${index}`,
  capturedAt: firstCapture + next(400) * 3_600_000,
  type: next(5) === 0 ? "form" : "page",
  privacyLevel: levels[next(20) === 0 ? 3 : next(3)] ?? "public",
  url: `https://site${next(40)}.example/Path/${index}`,
  title: words(3),
  content: `${words(20 + next(40))}${index === 2500 ? " lonelyword" : ""}${index % 3 === 0 ? " frequentword" : ""}${inLanguage(index)}`,
  metadata: { project: word() },
}));

const day = (offset: number) => new Date(firstCapture + offset * 86_400_000).toISOString();
const wordQueries = [
  'lonelyword|frequentword|w1|w1 w2|frequentword lonelyword|w9 w8 -w1|"w1 w2"|"w1 w2 w3"|"w1 w1" OR "w2 w1"',
  '"running directories"|"running the directories" frequentword|directories -"running directories"',
  'frequentword "w1 w2"|w1 -"w1 w2"|w1 OR w2 -frequentword|w2 w3 w4 w5|which w11 w12 w13 lonelyword w14 frequentword',
  "w1 frequentword w3|w11 w12 w13|lonelywird|nothing|nothing frequentword|w1 w2 nothing whatever|-w1|w1w2|w1-w2 w3",
];
const queries: Array<Partial<SearchQuery>> = wordQueries.flatMap((line) => line.split("|")).map((query) => ({ query }));
queries.push(
  ...["site12.example", "*/path/1*", "e", "HTTPS://SITE3*99", "%", "site1_"].map((urlPattern) => ({ urlPattern })),
  { query: "frequentword", urlPattern: "site7" },
  { query: "w1", type: "form" },
  { query: "w1", privacyLevel: "filtered" },
  { query: "frequentword", startTime: day(3), endTime: day(5) },
  { query: "w2", startTime: day(10) },
  { query: '"running directories"', startTime: day(2.5), endTime: day(9) },
  { urlPattern: "example", startTime: day(2), endTime: day(2.5) },
);

/** Best of the engine's own ranking, which are ranked again by what both engines store alike. */
const rerankedMax = 100;
const pageMax = 2_000;

it("finds the same on both engines, and ranks alike what is few", async () => {
  using directory = mkdtempDisposableSync(join(scratchFolder(), "periscope-engines-"));
  await using database = await PostgresDatabase.create();
  await using onPostgres = await openSearchWorld(database.url);
  await using onSqlite = await openSearchWorld(`file:${join(directory.path, "periscope.db")}`);
  const [postgres, sqlite] = [onPostgres.newUser(), onSqlite.newUser()];
  for (const { add } of [postgres, sqlite]) for (let start = 0; start < count; start += 1000) await add(...rows.slice(start, start + 1000));
  let [found, ranked] = [0, 0];
  for (const query of queries)
    for (const maxPrivacyLevel of ["restricted", "private"] as const) {
      const ask = ({ search, userId }: typeof postgres) => search({ userId, maxPrivacyLevel }, { ...query, limit: pageMax, offset: 0 });
      const [{ results: ones, ...one }, { results: others, ...other }] = [await ask(postgres), await ask(sqlite)];
      expect({ asked: query, ...one }).toEqual({ asked: query, ...other });
      const ids = (results: typeof ones) => results.map(({ contextId }) => contextId).toSorted();
      // Of more contexts than a page takes, each engine gives its own best.
      const seen = (results: typeof ones) => (one.total <= rerankedMax ? results : one.total <= pageMax ? ids(results) : results.length);
      expect({ asked: query, seen: seen(ones) }).toEqual({ asked: query, seen: seen(others) });
      found += ones.length;
      if (one.total <= rerankedMax) ranked += ones.length;
    }
  expect(found).toBeGreaterThan(2_000);
  expect(ranked).toBeGreaterThan(200);
});
