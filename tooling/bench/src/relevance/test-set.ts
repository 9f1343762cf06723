import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Documents, queries, and which documents answer which query. */
export interface TestSet {
  docs: Array<{ id: string; title: string; text: string }>;
  queries: Array<{ id: string; text: string }>;
  /** By query, then by document: how well it answers; 0 or absent for not at all. */
  judgements: Record<string, Record<string, number>>;
}

/** Reads a test set from JSON, gzipped or not. @throws Error when the file is not there or is none */
export function readTestSet(path: string): TestSet {
  const bytes = readFileSync(path);
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const set = JSON.parse((isZipped ? gunzipSync(bytes) : bytes).toString("utf8")) as Partial<TestSet>;
  const { docs, queries, judgements } = set;
  if (!docs || !queries || !judgements) throw new Error(`${path} is no test set: it needs docs, queries and judgements.`);
  return { docs, queries, judgements };
}
