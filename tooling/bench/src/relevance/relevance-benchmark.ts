import { parseArgs } from "node:util";
import { startServer } from "@periscope/harness/server";
import { type Column, renderTable } from "@periscope/harness/old-table";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import type { BenchmarkInput } from "../benchmarks.ts";
import { writeResults } from "../results.ts";
import { depth, ndcg } from "./ndcg.ts";
import { fts5, miniSearch, type Peer } from "./peers.ts";
import { periscope } from "./periscope-peer.ts";
import { tsRankCd } from "./postgres-peer.ts";
import { readTestSet, type TestSet } from "./test-set.ts";

const usage = `Usage: pnpm bench relevance FILE
  FILE              test set: JSON of docs, queries and judgements, gzipped or not`;

const columns: readonly Column[] = [{ title: "search" }, { title: `nDCG@${depth}`, align: "right" }, { title: "to FTS5", align: "right" }];

/** How well the service's search ranks, beside peers on the same documents and queries. */
export async function runRelevanceBenchmark({ args, signal, print }: BenchmarkInput): Promise<void> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) throw new Error(`Name one test set.\n${usage}`);
  const set = readTestSet(path);
  await using directory = await temporaryDirectory("periscope-relevance-");
  await using server = await startServer({ dataDir: directory.path, signal });
  print(`${set.docs.length.toLocaleString("en-US")} documents, ${judgedOf(set).length} judged queries.`);
  await using postgres = await tsRankCd(set);
  const baseline = fts5(set);
  const scores: Array<{ name: string; score: number }> = [];
  for (const peer of [await periscope(set, server), baseline, miniSearch(set), postgres]) {
    scores.push({ name: peer.name, score: await mean(peer, set) });
    signal.throwIfAborted();
  }
  const base = scores.find(({ name }) => name === baseline.name)?.score ?? 0;
  const rows = scores.map(({ name, score }) => [
    name,
    score.toFixed(4),
    `${score >= base ? "+" : ""}${((score / base - 1) * 100).toFixed(1)} %`,
  ]);
  print(`\n${renderTable(columns, rows).join("\n")}\n`);
  print(`Written to ${writeResults("relevance", { at: new Date(), path, scores })}`);
}

const judgedOf = ({ queries, judgements }: TestSet) =>
  queries.filter(({ id }) => Object.values(judgements[id] ?? {}).some((gain) => gain > 0));

async function mean(peer: Peer, set: TestSet): Promise<number> {
  const judged = judgedOf(set);
  let sum = 0;
  for (const { id, text } of judged) sum += ndcg(await peer.find(text), set.judgements[id] ?? {});
  return sum / judged.length;
}
