import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "@periscope/harness/program";
import { type RunningServer, startServer } from "@periscope/harness/server";
import { figure, renderTable } from "@periscope/harness/table";
import { createDocuments, createQueries, type Documents, type Queries } from "./documents.ts";
import { type Amount, countContexts, readLoad, type Sample, writeLoad } from "./load.ts";
import {
  median,
  memoryMiB,
  numberFrom,
  percentile,
  processorSeconds,
  readOptions,
  resultsFolder,
  takeTurns,
  writeResults,
} from "./measure.ts";
import { SqliteFloor } from "./sqlite-floor.ts";

const usage = `Usage: pnpm bench [service] [options]
  --contexts N      contexts in the database (20000)
  --rounds N        measurements of each side (5)
  --seconds S       length of one measurement (2)
  --only A,B        these scenarios only
  --profile NAME    CPU profile of the server under one scenario, in place of the table`;

/** In this order: what writes comes last, so that all reads find the same data. */
const names = ["current", "history", "search-rare", "search-medium", "search-common", "sync", "batch-sync"] as const;
type Name = (typeof names)[number];

/** Contexts of different text. A bench of more contexts has them again under other addresses. */
const documentsMax = 5_000;
const batchSize = 100;
const readers = 8;
const connectionsOf = { sync: 16, "batch-sync": 2 } as const;

/** The service beside bare programs that do the same work: reads from a filled database, then writes, then its memory. */
export async function runServiceBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const defaults = { contexts: "20000", rounds: "5", seconds: "2", only: names.join(), profile: "" };
  const { values } = readOptions({ args, defaults, usage });
  const [contexts, rounds, seconds] = [
    numberFrom(values, "contexts", 1_000),
    numberFrom(values, "rounds", 1),
    numberFrom(values, "seconds", 0.1),
  ];
  const wanted = names.filter((name) => (values.profile || values.only).split(",").includes(name));
  const [scenario] = wanted;
  if (scenario === undefined) throw new Error(`There is no scenario ${values.profile || values.only}. There are: ${names.join(", ")}.`);

  await using stack = new AsyncDisposableStack();
  const first = stack.use(await startServer({ signal }));
  const create = createDocuments();
  const different = Array.from({ length: Math.min(contexts, documentsMax) }, (_, number) => create(number));
  const documents: Documents = (number) => {
    const document = different[number % different.length] ?? create(number);
    return { ...document, url: `${document.url}?visit=${number}` };
  };
  const queries = createQueries(different, 50);
  const memoryBefore = memoryMiB(first.pid);
  console.log(`Seeding ${contexts.toLocaleString("en-US")} contexts of about 5 KB.`);
  const writer = createWriter(documents);
  const seeded = await writer(first, batchSize, { connections: 2, requests: Math.ceil(contexts / batchSize) });
  console.log(
    `Seeded at ${figure(seeded.perSecond)} contexts/s. Memory: ${figure(memoryBefore)} MiB before, ${figure(memoryMiB(first.pid))} after.`,
  );

  if (values.profile !== "") {
    const folder = join(resultsFolder, `profile-${values.profile}`);
    mkdirSync(folder, { recursive: true });
    await first.stop();
    await using server = await startServer({ dataDir: first.dataDir, nodeFlags: ["--cpu-prof", `--cpu-prof-dir=${folder}`], signal });
    const sample = await loadServer(server, { name: scenario, queries, writer, seconds: Math.max(seconds, 5) });
    console.log(`${figure(sample.perSecond)} a second while profiled. Open ${folder}/*.cpuprofile in the developer tools of a browser.`);
    return;
  }

  const file = join(first.dataDir, "floor.db");
  const floor = stack.use(new SqliteFloor(file, join(first.dataDir, "periscope.db")));
  await floor.fill();
  const script = fileURLToPath(new URL("floor-server.ts", import.meta.url));
  const program = stack.use(await startProgram({ name: "The floor", args: [script, file, first.userId], signal }));
  const bare = { baseUrl: program.address, key: "none" };
  await checkSameAnswers(first, bare.baseUrl);

  const results = [];
  for (const name of wanted) {
    const sides = {
      server: async () => {
        const before = processorSeconds(first.pid);
        const sample = await loadServer(first, { name, queries, writer, seconds });
        return { ...sample, processorMs: ((processorSeconds(first.pid) - before) * 1_000) / sample.count };
      },
      floor: async () =>
        name === "sync" || name === "batch-sync"
          ? insertLoad(floor, seconds, name === "sync" ? 1 : batchSize)
          : await readLoad(bare, pathsOf(name, queries), { connections: readers, seconds }),
    };
    const measured = await takeTurns<"server" | "floor", Sample & { processorMs?: number }>(sides, { rounds, signal });
    const of = (side: "server" | "floor", key: keyof Sample | "processorMs") => median(measured.map((round) => round[side][key] ?? NaN));
    const ratio = median(measured.map((round) => round.server.perSecond / round.floor.perSecond));
    results.push({
      name,
      ratio,
      server: of("server", "perSecond"),
      floor: of("floor", "perSecond"),
      p50: of("server", "p50"),
      p99: of("server", "p99"),
      floorP50: of("floor", "p50"),
      processorMs: of("server", "processorMs"),
      measured,
    });
    console.log(`${name}: ${ratio.toFixed(2)} of the floor`);
  }
  const rows = results.map((one) => [
    one.name,
    ...[one.server, one.floor, one.ratio, one.p50, one.p99, one.floorP50, one.processorMs].map(figure),
  ]);
  console.log(`\n${renderTable([["scenario", "server/s", "floor/s", "ratio", "p50 ms", "p99 ms", "floor p50", "CPU ms"], ...rows])}\n`);
  const memory = memoryMiB(first.pid);
  console.log(`Memory of the server with ${(await countContexts(first)).toLocaleString("en-US")} contexts: ${figure(memory)} MiB.`);
  writeResults("service", { options: values, seeded: seeded.perSecond, memoryBefore, memory, results });
}

type Writer = (server: RunningServer, perRequest: number, amount: Amount) => Promise<Sample>;

/** Returns a load of contexts that are numbered through. It checks that the server has all that it accepted. */
function createWriter(documents: Documents): Writer {
  const epoch = Date.now() - 30 * 86_400_000;
  let number = 0;
  return async (server, perRequest, amount) => {
    const before = await countContexts(server);
    const from = number;
    const sample = await writeLoad(
      server,
      { perRequest, document: documents, epoch, next: () => (number += perRequest) - perRequest },
      amount,
    );
    const stored = (await countContexts(server)) - before;
    // Of requests that were cut at the end, the server may have stored some.
    if (stored < sample.count * perRequest || stored > number - from)
      throw new Error(`Of ${sample.count * perRequest} contexts that the server accepted, it has ${stored}.`);
    return sample;
  };
}

interface ServerLoad {
  name: Name;
  queries: Queries;
  writer: Writer;
  seconds: number;
}

function loadServer(server: RunningServer, { name, queries, writer, seconds }: ServerLoad): Promise<Sample> {
  if (name === "sync" || name === "batch-sync")
    return writer(server, name === "sync" ? 1 : batchSize, { connections: connectionsOf[name], seconds });
  return readLoad(server, pathsOf(name, queries), { connections: readers, seconds });
}

function pathsOf(name: Name, queries: Queries): string[] {
  if (!name.startsWith("search-")) return [`/context/${name}`];
  return queries[name.slice("search-".length) as "rare" | "medium" | "common"].map((word) => `/context/search?query=${word}`);
}

function insertLoad(floor: SqliteFloor, seconds: number, perTransaction: number): Sample {
  const latencies = floor.insertFor(seconds, perTransaction);
  const total = latencies.reduce((sum, latency) => sum + latency, 0) / 1_000;
  const at = (share: number) => percentile(latencies, share);
  return { count: latencies.length, perSecond: (latencies.length * perTransaction) / total, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** @throws Error when the floor does other work than the service */
async function checkSameAnswers({ baseUrl, key }: RunningServer, floorUrl: string): Promise<void> {
  for (const path of ["/context/current", "/context/history"]) {
    const [served = "", bare = ""] = await Promise.all(
      [baseUrl, floorUrl].map(async (url) => await (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).text()),
    );
    const idsIn = (text: string) => [...text.matchAll(/"contextId":"([^"]+)"/g)].map(([, id]) => id).join();
    const isSame = path === "/context/current" ? served === bare : idsIn(served) === idsIn(bare);
    if (!isSame) throw new Error(`The service and its floor answer ${path} differently:\n${served.slice(0, 500)}\n${bare.slice(0, 500)}`);
  }
}
