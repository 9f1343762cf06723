import { createHash, randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { type RunningServer, startServer } from "@periscope/harness/server";
import { figure, renderTable } from "@periscope/harness/table";
import { contextOf, createDocuments } from "./documents.ts";
import { writeLoad } from "./load.ts";
import { memoryMiB, numberFrom, percentile, readOptions, writeResults } from "./measure.ts";

const usage = `Usage: pnpm bench data [options]
  --contexts N      contexts of the user who is exported, imported and erased (100000)
DATABASE_URL names a PostgreSQL database; without it, SQLite is measured.`;

/** Contexts of different text; more are the same under other addresses. */
const documentsMax = 2_000;
const others = 2_000;
const sampleMs = 20;
const idleMs = 5_000;

/** Export, import and erasure of many contexts: how fast, and how much memory and time of others they take. */
export async function runDataBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = readOptions({ args, defaults: { contexts: "100000" }, usage });
  const contexts = numberFrom(values, "contexts", 1_000);
  await using server = await startServer({ signal, databaseUrl: process.env["DATABASE_URL"] });
  const create = createDocuments();
  const different = Array.from({ length: documentsMax }, (_, number) => create(number));
  const epoch = Date.now() - 30 * 86_400_000;
  const document = (number: number) => {
    const { url = "", title = "", content = "" } = different[number % documentsMax] ?? {};
    return { url: `${url}?visit=${number}`, title, content };
  };

  // Somebody else reads and writes meanwhile, and was there before.
  const bystander = await server.createUser("bystander");
  let next = 0;
  const batches = { perRequest: 100, document, epoch, next: () => (next += 100) - 100 };
  const seeded = await writeLoad({ ...server, ...bystander }, batches, { connections: 2, requests: others / 100 });

  const [one, two] = [await server.createUser("one"), await server.createUser("two")];
  const watched = <T>(work: () => Promise<T>) => measured(server, bystander.key, work);
  const imported = await watched(() => importInto(server, one.key, exportOf(contexts, document, epoch)));
  let bytes = 0;
  const exported = await watched(async () => {
    bytes = await download(server, one.key);
  });
  const again = await watched(async () => {
    const response = await fetch(`${server.baseUrl}/data/export`, { headers: bearer(one.key), signal });
    await importInto(server, two.key, response.body as unknown as AsyncIterable<Uint8Array>);
  });
  const idle = await watched(() => wait(idleMs));
  const erased = await watched(async () => {
    const body = JSON.stringify({ confirm: one.userId });
    const headers = { ...bearer(one.key), "Content-Type": "application/json" };
    const response = await fetch(`${server.baseUrl}/data`, { method: "DELETE", body, headers, signal });
    if (!response.ok) throw new Error(`DELETE /data: ${response.status} ${await response.text()}`);
  });

  const row = (what: string, { seconds, growthMiB, p99, writeP99 }: Measured) => [
    what,
    figure(seconds),
    figure(contexts / seconds),
    ...[growthMiB, p99, writeP99].map(figure),
  ];
  console.log(
    `\n${contexts.toLocaleString("en-US")} contexts, ${figure(bytes / 1_048_576)} MiB. batch-sync: ${figure(seeded.perSecond)} contexts/s.\n`,
  );
  console.log(
    renderTable([
      ["what", "seconds", "contexts/s", "memory growth, MiB", "others' reads, p99 ms", "others' writes, p99 ms"],
      row("import of a file", imported),
      row("export", exported),
      row("export | import", again),
      row("erase", erased),
      ["nothing", "–", "–", ...[idle.growthMiB, idle.p99, idle.writeP99].map(figure)],
    ]),
  );
  writeResults("data", { contexts, bytes, batchSync: seeded, imported, exported, again, erased, idle });
}

interface Measured {
  seconds: number;
  /** Of the server: the most during the work, less what it was before. */
  growthMiB: number;
  /** Milliseconds of a page of history of another user meanwhile. */
  p99: number;
  /** Milliseconds until a context of that user is stored. */
  writeP99: number;
}

async function measured(server: RunningServer, key: string, work: () => Promise<unknown>): Promise<Measured> {
  const before = memoryMiB(server.pid);
  let most = before;
  const done = new AbortController();
  const repeat = async (request: () => Promise<Response>) => {
    const times: number[] = [];
    while (!done.signal.aborted) {
      const startedAt = performance.now();
      const response = await request();
      const text = await response.text();
      if (!response.ok) throw new Error(`Another user's request: ${response.status} ${text}`);
      times.push(performance.now() - startedAt);
      most = Math.max(most, memoryMiB(server.pid));
      await wait(sampleMs);
    }
    return percentile(times, 0.99);
  };
  const reading = repeat(() => fetch(`${server.baseUrl}/context/history?limit=20`, { headers: bearer(key) }));
  const writing = repeat(() => sync(server, key));
  const startedAt = performance.now();
  const timed = async () => {
    try {
      await work();
      return (performance.now() - startedAt) / 1000;
    } finally {
      done.abort();
    }
  };
  // The first failure counts: when the work fails, the server stops, and answers the others 503.
  const [seconds, p99, writeP99] = await Promise.all([timed(), reading, writing]);
  return { seconds, growthMiB: most - before, p99, writeP99 };
}

/** Stores a small context. */
function sync(server: RunningServer, key: string): Promise<Response> {
  const page = { url: "https://example.com/bystander", title: "Bystander", content: "Somebody else's page." };
  const { timestamp, context } = contextOf(page, 0, Date.now());
  const payload = { type: "context", operation: "create", context: { ...context, id: randomUUID() } };
  const body = JSON.stringify({ id: randomUUID(), type: "create", timestamp, extensionId: "bystander", payload });
  return fetch(`${server.baseUrl}/context/sync`, { method: "POST", headers: { ...bearer(key), "Content-Type": "application/json" }, body });
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

async function download(server: RunningServer, key: string): Promise<number> {
  const response = await fetch(`${server.baseUrl}/data/export`, { headers: { ...bearer(key), "Accept-Encoding": "identity" } });
  let bytes = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
  return bytes;
}

async function importInto(server: RunningServer, key: string, file: AsyncIterable<Uint8Array>): Promise<void> {
  const init = {
    method: "POST",
    headers: { ...bearer(key), "Content-Type": "application/x-ndjson" },
    body: Readable.toWeb(Readable.from(file)) as ReadableStream<Uint8Array>,
    duplex: "half",
  };
  const response = await fetch(`${server.baseUrl}/data/import`, init);
  const report = (await response.json()) as { created?: number; failed?: number };
  if (!response.ok || report.failed !== 0) throw new Error(`POST /data/import: ${response.status} ${JSON.stringify(report)}`);
}

/** An export as the service writes it. */
async function* exportOf(count: number, document: (number: number) => { url: string; title: string; content: string }, epoch: number) {
  const hash = createHash("sha256");
  const line = (value: object) => {
    const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
    hash.update(bytes);
    return bytes;
  };
  yield line({
    kind: "header",
    format: "periscope-export",
    version: 1,
    exportedAt: new Date(epoch).toISOString(),
    userId: "one",
    contexts: count,
  });
  for (let number = 0; number < count; number++) {
    const { id, tabId, url, title, content } = { id: `imported-${number}`, tabId: "7", ...document(number) };
    const timestamp = new Date(epoch + number).toISOString();
    const tabMetadata = { id: tabId, url, title, isActive: false, isLoading: false, windowId: 0, lastUpdated: timestamp };
    const about = { contextId: id, type: "page", contentFormat: "markdown", extensionId: "bench", privacyLevel: "private", metadata: {} };
    yield line({ kind: "context", ...about, url, title, content, tabId, timestamp, writtenAt: timestamp, tabMetadata });
  }
  yield Buffer.from(`${JSON.stringify({ kind: "end", lines: { context: count }, sha256: hash.digest("hex") })}\n`);
}
