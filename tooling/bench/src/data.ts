import { createReadStream, createWriteStream, statSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { Periscope } from "@periscope/client";
import { type RunningServer, startServer } from "@periscope/harness/server";
import { figure, renderTable } from "@periscope/harness/table";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { contextOf } from "./documents.ts";
import { createWriter } from "./load.ts";
import { memoryMiB, numberFrom, percentile, readOptions, writeResults } from "./measure.ts";

const usage = `Usage: pnpm bench data [options]
  --contexts N      contexts of the user who is exported, imported and erased (100000)
DATABASE_URL names a PostgreSQL database; without it, SQLite is measured.`;

/** Contexts of different text. */
const documentsMax = 2_000;
const others = 2_000;
const sampleMs = 20;
const idleMs = 5_000;

/** Export, import and erasure of many contexts: how fast, and how much memory and time of others they take. */
export async function runDataBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = readOptions({ args, defaults: { contexts: "100000" }, usage });
  const contexts = numberFrom(values, "contexts", 1_000);
  await using server = await startServer({ signal, databaseUrl: process.env["DATABASE_URL"] });
  const { fill } = createWriter(documentsMax);
  const bystander = await server.createUser("bystander");
  const [one, two, three] = [await server.createUser("one"), await server.createUser("two"), await server.createUser("three")];
  // Somebody else reads and writes meanwhile, and was there before.
  await fill({ ...server, ...bystander }, others);
  const seeded = await fill({ ...server, ...one }, contexts);

  await using directory = await temporaryDirectory("periscope-data-");
  const file = join(directory.path, "export.ndjson");
  const watched = (work: () => Promise<unknown>) => measured(server, bystander.key, work);
  const exported = await watched(async () => pipeline(await exportOf(server, one.key), createWriteStream(file)));
  const bytes = statSync(file).size;
  const imported = await watched(() => importInto(server, two.key, createReadStream(file)));
  const again = await watched(async () => importInto(server, three.key, await exportOf(server, one.key)));
  const idle = await watched(() => wait(idleMs));
  const erased = await watched(() => new Periscope({ baseUrl: server.baseUrl, apiKey: one.key }).data.erase(one.userId));

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
      row("export", exported),
      row("import of a file", imported),
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
  const client = new Periscope({ baseUrl: server.baseUrl, apiKey: key, maxRetries: 0 });
  const repeat = async (request: () => PromiseLike<unknown>) => {
    const times: number[] = [];
    while (!done.signal.aborted) {
      const startedAt = performance.now();
      await request();
      times.push(performance.now() - startedAt);
      most = Math.max(most, memoryMiB(server.pid));
      await wait(sampleMs);
    }
    return percentile(times, 0.99);
  };
  const page = { url: "https://example.com/bystander", title: "Bystander", content: "Somebody else's page." };
  const { id: _, ...context } = contextOf(page, 0, Date.now()).context;
  const reading = repeat(() => client.history({ limit: 20 }));
  const writing = repeat(() => client.sync({ type: "create", payload: { context } }));
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

async function exportOf(server: RunningServer, key: string): Promise<Readable> {
  const headers = { Authorization: `Bearer ${key}`, "Accept-Encoding": "identity" };
  const { body } = await fetch(`${server.baseUrl}/data/export`, { headers });
  if (body === null) throw new Error("The export is empty.");
  return Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
}

async function importInto(server: RunningServer, key: string, file: Readable): Promise<void> {
  const init = {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/x-ndjson" },
    body: Readable.toWeb(file) as ReadableStream<Uint8Array>,
    duplex: "half",
  };
  const response = await fetch(`${server.baseUrl}/data/import`, init);
  const report = (await response.json()) as { created?: number; failed?: number };
  if (!response.ok || report.failed !== 0) throw new Error(`POST /data/import: ${response.status} ${JSON.stringify(report)}`);
}
