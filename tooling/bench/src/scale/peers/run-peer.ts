import { join } from "node:path";
import type { BenchDocument } from "../../service/documents.ts";
import { percentile } from "../../measure/stats.ts";
import type { ScaleDocuments } from "../documents/scale-documents.ts";
import type { PeerName, ScaleOptions } from "../options.ts";
import { Plan } from "../plan.ts";
import { questionsNeeded } from "../reads/measure-reads.ts";
import { searchQueries } from "../reads/search-queries.ts";
import { countWords } from "../reads/word-counts.ts";
import type { PeerResult, PeerSize } from "../scale-results.ts";
import { openJoplin } from "./joplin.ts";
import { openRecoll } from "./recoll.ts";

/** Another program that finds pages, filled with the same ones. */
export interface Peer extends AsyncDisposable {
  version: string;
  /** Takes further pages; only that counts, and not writing them down first. Peak memory in MiB. */
  add(documents: Iterable<BenchDocument>): Promise<{ seconds: number; memory: number | undefined }>;
  /** Searches for words, or for a phrase in quotes; resolves when the best results are there. */
  search(text: string): Promise<void>;
  /** Bytes on disk of what it keeps. */
  bytes(): number;
}

/** What the peers need. */
export interface PeerInput {
  options: ScaleOptions;
  documents: ScaleDocuments;
  directory: string;
  signal: AbortSignal;
  note: (text: string) => void;
}

/** Opens a peer in a directory of its own; undefined when it is not installed. */
export type OpenPeer = (directory: string, signal: AbortSignal) => Promise<Peer | undefined>;

/** How each is opened, and the most pages that it is tried with. */
const peers: Readonly<Record<PeerName, { open: OpenPeer; most: number }>> = {
  recoll: { open: openRecoll, most: 100_000 },
  joplin: { open: openJoplin, most: 10_000 },
};
const countedMax = 5_000;
const warmUps = 5;
const seed = 20_261_123;

/** Fills a peer with the same pages as the store and searches it in the same ways. */
export async function runPeer(name: PeerName, { options, documents, directory, signal, note }: PeerInput): Promise<PeerResult> {
  const { open, most } = peers[name];
  const opened = await open(join(directory, name), signal);
  if (opened === undefined) return { peer: name, version: "not installed", sizes: [] };
  await using peer = opened;
  const plan = new Plan(options.sizes);
  const document = (number: number) => {
    const batch = Math.floor(number / plan.batchSize);
    return documents.document(plan.batch(batch).document + (number % plan.batchSize));
  };
  const sizes: PeerSize[] = [];
  for (const size of options.sizes.filter((wanted) => wanted <= most)) {
    const before = sizes.at(-1)?.contexts ?? 0;
    try {
      const { seconds, memory } = await peer.add(numbers(before, size, document));
      note(`${name} ${size.toLocaleString("en-US")}: ${Math.round((size - before) / seconds)}/s, searching`);
      const reads = await measureSearches(peer, numbers(0, Math.min(size, countedMax), document), options);
      sizes.push({ contexts: size, perSecond: (size - before) / seconds, bytes: peer.bytes(), memory, reads });
    } catch (error) {
      // What fails here is not what is measured, and is said in its place.
      signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      return { peer: name, version: peer.version, failure: `${size.toLocaleString("en-US")} pages: ${reason}`, sizes };
    }
  }
  return { peer: name, version: peer.version, sizes };
}

async function measureSearches(
  peer: Peer,
  counted: Iterable<BenchDocument>,
  { samples, secondsMax }: ScaleOptions,
): Promise<PeerSize["reads"]> {
  const queries = searchQueries(countWords(counted), questionsNeeded(samples), seed);
  const reads: PeerSize["reads"] = [];
  for (const kind of ["rare", "common", "phrase", "none"] as const) {
    for (const text of queries[kind].slice(0, warmUps)) await peer.search(text);
    const latencies: number[] = [];
    const started = performance.now();
    for (const text of queries[kind].slice(warmUps, warmUps + samples)) {
      const asked = performance.now();
      if (asked - started > secondsMax * 1_000) break;
      await peer.search(text);
      latencies.push(performance.now() - asked);
    }
    const values = Float64Array.from(latencies);
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(values, share));
    reads.push({ kind: `search-${kind}`, samples: values.length, failures: 0, p50: p50 ?? NaN, p95: p95 ?? NaN, p99: p99 ?? NaN });
  }
  return reads;
}

function* numbers(from: number, to: number, document: (number: number) => BenchDocument): Generator<BenchDocument> {
  for (let number = from; number < to; number += 1) yield document(number);
}
