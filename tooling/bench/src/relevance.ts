import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { NewMessage, Periscope } from "@periscope/client";
import { PostgresServer } from "@periscope/harness/postgres";
import { startServer } from "@periscope/harness/server";
import { renderTable } from "@periscope/harness/table";
import Database from "better-sqlite3";
import { readOptions, writeResults } from "./measure.ts";

const usage = `Usage: pnpm bench relevance FILE
  FILE              test set, as JSON of docs, queries and judgements, gzipped or not`;

/** Places of a list that are judged. */
const depth = 10;

/** Documents, queries, and which documents answer which query. */
interface TestSet {
  docs: { id: string; title: string; text: string }[];
  queries: { id: string; text: string }[];
  /** By query, then by document: how well it answers; 0 or absent for not at all. */
  judgements: Record<string, Record<string, number>>;
}

/** Returns the places in `docs` of the ten best documents. */
type Find = (query: string) => Promise<number[]> | number[];

/** How well the service ranks on both engines, beside FTS5 alone on the same documents and queries. */
export async function runRelevanceBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const { positionals } = readOptions({ args, defaults: {}, usage, positionals: 1 });
  const set = readTestSet(positionals[0] ?? "");
  await using sqlite = await startServer({ signal });
  await using database = await PostgresServer.start();
  await using postgres = await startServer({ databaseUrl: database.url(), signal });
  const sides: Record<string, Find> = {
    "FTS5 bm25": fts5(set),
    "Periscope, SQLite": await periscope(set, sqlite.client),
    "Periscope, PostgreSQL": await periscope(set, postgres.client),
  };
  const scores: Record<string, number> = {};
  for (const [name, find] of Object.entries(sides)) {
    scores[name] = await meanScore(find, set);
    signal.throwIfAborted();
  }
  const base = scores["FTS5 bm25"] ?? NaN;
  const rows = Object.entries(scores).map(([name, score]) => [name, score.toFixed(4), `${((score / base - 1) * 100).toFixed(1)} %`]);
  console.log(`${set.docs.length} documents, ${judgedOf(set).length} judged queries\n`);
  console.log(`${renderTable([["search", `nDCG@${depth}`, "to FTS5"], ...rows])}\n`);
  writeResults("relevance", { file: positionals[0], scores });
}

/** nDCG of the first ten (Järvelin and Kekäläinen 2002): gain over log2 of place + 1, as a part of the best that is possible. */
function ndcg(ids: readonly string[], judged: Readonly<Record<string, number>>): number {
  const dcg = (gains: readonly number[]) => gains.slice(0, depth).reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
  const ideal = dcg(Object.values(judged).sort((a, b) => b - a));
  return ideal === 0 ? 0 : dcg(ids.map((id) => judged[id] ?? 0)) / ideal;
}

function readTestSet(path: string): TestSet {
  const bytes = readFileSync(path);
  const set = JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString("utf8")) as Partial<TestSet>;
  if (!set.docs || !set.queries || !set.judgements) throw new Error(`${path} is no test set: it needs docs, queries and judgements.`);
  return set as TestSet;
}

const judgedOf = ({ queries, judgements }: TestSet) =>
  queries.filter(({ id }) => Object.values(judgements[id] ?? {}).some((gain) => gain > 0));

async function meanScore(find: Find, set: TestSet): Promise<number> {
  const judged = judgedOf(set);
  let sum = 0;
  for (const { id, text } of judged) {
    const places = await find(text);
    sum += ndcg(
      places.map((place) => set.docs[place]?.id ?? ""),
      set.judgements[id] ?? {},
    );
  }
  return sum / judged.length;
}

const wordsOf = (query: string) => query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The service itself, filled by its client: what is searched has passed the privacy filter. */
async function periscope({ docs }: TestSet, client: Periscope): Promise<Find> {
  const start = Date.now() - docs.length * 1_000;
  const messages = docs.map(({ title, text }, place): NewMessage => {
    const tabMetadata = { id: "1", url: `https://documents.example/${place}`, title: title.slice(0, 500) };
    // Named by their place: ids of a test set may have any form.
    const context = {
      id: `d${place}`,
      type: "page",
      tabId: "1",
      capturedAt: new Date(start + place * 1_000).toISOString(),
      content: text,
      contentFormat: "text",
      tabMetadata,
    } as const;
    return { type: "create", payload: { context } };
  });
  (await client.syncAll(messages)).throwIfFailed();
  return async (query) => (await client.search({ query, limit: depth })).items.map(({ contextId }) => Number(contextId.slice(1)));
}

/** FTS5 with Porter's stems: any of the words, by bm25. A title counts four times. */
function fts5({ docs }: TestSet): Find {
  const db = new Database(":memory:");
  db.exec("CREATE VIRTUAL TABLE docs USING fts5(title, text, tokenize = 'porter unicode61 remove_diacritics 2')");
  const insert = db.prepare("INSERT INTO docs (rowid, title, text) VALUES (?, ?, ?)");
  for (const [place, { title, text }] of docs.entries()) insert.run(place, title, text);
  const ranked = db.prepare<[string], number>(`SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY bm25(docs, 4, 1) LIMIT ${depth}`).pluck();
  return (query) => {
    const words = wordsOf(query).map((word) => `"${word}"`);
    return words.length === 0 ? [] : ranked.all(words.join(" OR "));
  };
}
