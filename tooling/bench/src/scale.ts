import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { totalmem } from "node:os";
import { join, resolve } from "node:path";
import { PostgresServer } from "@periscope/harness/postgres";
import { type RunningServer, startServer } from "@periscope/harness/server";
import { figure, renderTable } from "@periscope/harness/table";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import Database from "better-sqlite3";
import pg from "pg";
import { type BenchDocument, createDocuments, createQueries, type Documents } from "./documents.ts";
import { readLoad, type Sample, writeLoad } from "./load.ts";
import { memoryMiB, numberFrom, percentile, processorSeconds, readOptions, writeResults } from "./measure.ts";
import { openJoplin } from "./peer-joplin.ts";
import { openRecoll } from "./peer-recoll.ts";
import type { Peer } from "./peer.ts";

const usage = `Usage: pnpm bench scale [options]
  --engines A,B     of sqlite, postgres (both)
  --sizes N,N       contexts at each measurement, rising, multiples of 1000 (10000,100000,1000000)
  --peers A,B       of recoll, joplin, where they are installed (none)
  --samples N       requests of each kind (200)
  --seconds S       most that a peer may take for one kind (60)
  --out FILE        where the results go (tooling/bench/results/)
TMPDIR names where the stores are.`;

const engines = { sqlite: openSqlite, postgres: openPostgres } as const;
const peers = { recoll: { open: openRecoll, most: 100_000 }, joplin: { open: openJoplin, most: 10_000 } } as const;

const batchSize = 100;
const connections = 4;
/** Documents whose words become queries. */
const countedMax = 3_000;
/** Time of context 0. */
const epoch = Date.UTC(2026, 0, 1);

/** A server over a database of its own. */
interface Store extends AsyncDisposable {
  server: RunningServer;
  count(): Promise<number>;
  /** Does what an operator would do after a lot of writes. */
  settle?(): Promise<void>;
  bytes(): Promise<number>;
  /** Of the server and its database. */
  pids: number[];
}

interface Read extends Sample {
  processorMs: number;
}

/** What is done with every engine and peer. */
interface Plan {
  sizes: number[];
  documents: Documents;
  samples: number;
  /** Most that a peer may take for one kind of search. */
  seconds: number;
  signal: AbortSignal;
}

interface SizeResult {
  contexts: number;
  write: Sample & { processorMs: number };
  bytes: number;
  memory: number;
  reads: Record<string, Read>;
}

/** The service as a store grows, on each engine, beside other programs that find pages. */
export async function runScaleBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const defaults = {
    engines: "sqlite,postgres",
    sizes: "10000,100000,1000000",
    peers: "",
    samples: "200",
    seconds: "60",
    out: "",
  };
  const { values } = readOptions({ args, defaults, usage });
  const [samples, seconds] = [numberFrom(values, "samples", 1), numberFrom(values, "seconds", 0.1)];
  const sizes = values.sizes.split(",").map(Number);
  if (!sizes.every((size, index) => size % 1_000 === 0 && size > (sizes[index - 1] ?? 0)))
    throw new Error(`--sizes takes rising multiples of 1000.\n\n${usage}`);
  await using temporary = await temporaryDirectory("periscope-scale-");
  const plan: Plan = { sizes, documents: createDocuments(), samples, seconds, signal };
  const results: Record<string, unknown> = {};
  for (const engine of namesIn(values.engines, engines)) {
    const directory = join(temporary.path, engine);
    mkdirSync(directory);
    await using store = await engines[engine](directory, signal);
    results[engine] = await growEngine(engine, store, plan);
  }
  for (const name of namesIn(values.peers, peers)) {
    const { open, most } = peers[name];
    await using peer = await open(join(temporary.path, name), signal);
    if (peer === undefined) console.log(`${name} is not installed.`);
    else results[name] = await growPeer(peer, { ...plan, sizes: sizes.filter((size) => size <= most) });
  }
  writeResults("scale", { options: values, results }, values.out === "" ? undefined : resolve(values.out));
}

async function growEngine(engine: string, store: Store, { sizes, documents, samples, signal }: Plan): Promise<SizeResult[]> {
  const done: SizeResult[] = [];
  for (const [index, size] of sizes.entries()) {
    const previous = sizes[index - 1] ?? 0;
    let next = previous;
    const work = {
      perRequest: batchSize,
      document: documents,
      epoch,
      next: () => (next += batchSize) - batchSize,
    };
    const before = processorOf(store);
    const write = await writeLoad(store.server, work, { connections, requests: (size - previous) / batchSize });
    const processorMs = ((processorOf(store) - before) * 1_000) / (size - previous);
    if ((await store.count()) !== size) throw new Error(`The store should have ${size} contexts and has ${await store.count()}.`);
    await store.settle?.();
    console.log(`${engine}, ${size.toLocaleString("en-US")} contexts: ${figure(write.perSecond)}/s`);
    const reads: Record<string, Read> = {};
    const step = Math.max(1, Math.floor(size / countedMax));
    const counted = Array.from({ length: Math.floor(size / step) }, (_, place) => documents(place * step));
    for (const [kind, paths] of Object.entries(await pathsOf(store.server, counted, samples))) {
      reads[kind] = await measureRead(store, paths, samples);
      signal.throwIfAborted();
    }
    const memory = store.pids.reduce((sum, pid) => sum + memoryMiB(pid), 0);
    done.push({ contexts: size, write: { ...write, processorMs }, bytes: await store.bytes(), memory, reads });
    report(engine, done, reads);
  }
  return done;
}

/** Paths of each kind of read, with words of these documents. No search is asked twice. */
async function pathsOf({ client }: RunningServer, documents: BenchDocument[], samples: number): Promise<Record<string, string[]>> {
  const queries = createQueries(documents, samples + 10);
  const search = (texts: readonly string[]) => texts.map((text) => `/context/search?query=${encodeURIComponent(text)}`);
  const deep: string[] = [];
  for (let cursor: string | undefined, page = 0; page < samples; page += 1) {
    ({ nextCursor: cursor } = await client.history({ limit: 200, cursor }));
    if (cursor === undefined) break;
    deep.push(`/context/history?limit=50&cursor=${encodeURIComponent(cursor)}`);
  }
  return {
    current: ["/context/current"],
    history: ["/context/history?limit=50"],
    "history-deep": deep.slice(Math.floor(deep.length / 2)),
    "search-rare": search(queries.rare),
    "search-common": search(queries.common),
    "search-phrase": search(queries.phrase),
    "search-url": queries.url.map((part) => `/context/search?urlPattern=${encodeURIComponent(part)}`),
    "search-none": search(queries.none),
  };
}

async function measureRead(store: Store, paths: string[], samples: number): Promise<Read> {
  const [warmUp, asked] = paths.length > 10 ? [paths.slice(0, 5), paths.slice(5)] : [paths, paths];
  await readLoad(store.server, warmUp, { connections: 1, requests: warmUp.length });
  const before = processorOf(store);
  const requests = paths.length > 10 ? Math.min(samples, asked.length) : samples;
  const sample = await readLoad(store.server, asked, { connections: 1, requests });
  return { ...sample, processorMs: ((processorOf(store) - before) * 1_000) / requests };
}

function report(engine: string, sizes: readonly SizeResult[], reads: Readonly<Record<string, Read>>): void {
  const growth = sizes.map(({ contexts, write, bytes, memory }) => [
    contexts,
    ...[write.perSecond, write.processorMs, bytes / contexts / 1_000, memory].map(figure),
  ]);
  console.log(`\n${renderTable([["contexts", `${engine}: contexts/s`, "CPU ms each", "KB each", "memory MiB"], ...growth])}\n`);
  const rows = Object.entries(reads).map(([kind, read]) => [kind, ...[read.p50, read.p95, read.p99, read.processorMs].map(figure)]);
  console.log(`${renderTable([[`${sizes.at(-1)?.contexts} contexts, ms`, "p50", "p95", "p99", "CPU"], ...rows])}\n`);
}

/** Fills another program with the same documents, and searches it in the same ways. */
async function growPeer(peer: Peer, { sizes, documents, samples, seconds }: Plan): Promise<object[]> {
  const results: object[] = [];
  const rows: string[][] = [];
  for (const [index, size] of sizes.entries()) {
    const before = sizes[index - 1] ?? 0;
    const added = await peer.add(Array.from({ length: size - before }, (_, place) => documents(before + place)));
    const queries = createQueries(
      Array.from({ length: Math.min(size, countedMax) }, (_, number) => documents(number)),
      samples,
    );
    const searches: Record<string, number[]> = {};
    for (const kind of ["rare", "common", "phrase", "none"] as const) {
      const latencies: number[] = [];
      const begun = performance.now();
      for (const text of queries[kind]) {
        const started = performance.now();
        if (started > begun + seconds * 1_000) break;
        await peer.search(text);
        latencies.push(performance.now() - started);
      }
      searches[kind] = [0.5, 0.95, 0.99].map((share) => percentile(latencies, share));
    }
    results.push({ peer: peer.name, contexts: size, perSecond: (size - before) / added, bytes: peer.bytes(), searches });
    rows.push([
      `${peer.name} ${size}`,
      figure((size - before) / added),
      figure(peer.bytes() / size / 1_000),
      ...Object.values(searches).map((times) => times.map(figure).join(" / ")),
    ]);
    console.log(`\n${renderTable([["p50 / p95 / p99 ms", "pages/s", "KB each", "rare", "common", "phrase", "none"], ...rows])}\n`);
  }
  return results;
}

async function openSqlite(dataDir: string, signal: AbortSignal): Promise<Store> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startServer({ dataDir, signal }));
  const database = stack.adopt(new Database(join(dataDir, "periscope.db"), { readonly: true }), (opened) => void opened.close());
  const owned = stack.move();
  return {
    server,
    count: async () => database.prepare<[], number>("SELECT count(*) FROM contexts").pluck().get() ?? 0,
    bytes: async () => readdirSync(dataDir).reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0),
    pids: [server.pid],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function openPostgres(directory: string, signal: AbortSignal): Promise<Store> {
  await using stack = new AsyncDisposableStack();
  // A quarter of the machine's memory, where PostgreSQL's manual starts.
  const settings = { shared_buffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB`, max_wal_size: "4GB" };
  const postgres = stack.use(await PostgresServer.start({ durable: true, settings }));
  const server = stack.use(await startServer({ dataDir: directory, databaseUrl: postgres.url(), signal }));
  const client = stack.adopt(new pg.Client(postgres.url()), (opened) => opened.end());
  await client.connect();
  const owned = stack.move();
  const number = async (sql: string) => Number((await client.query<{ value: string }>(`SELECT ${sql} AS value`)).rows[0]?.value);
  const ownTables = "FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'";
  return {
    server,
    count: async () => await number("(SELECT count(*) FROM contexts)"),
    settle: async () => void (await client.query("VACUUM (ANALYZE)"), await client.query("CHECKPOINT")),
    bytes: async () => await number(`(SELECT sum(pg_total_relation_size(c.oid)) ${ownTables})`),
    pids: [server.pid, Number(readFileSync(join(postgres.data, "postmaster.pid"), "utf8").split("\n")[0])],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function processorOf({ pids }: Store): number {
  return pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
}

function namesIn<T extends object>(text: string, known: T): (keyof T)[] {
  const names = text.split(",").filter((name) => name !== "");
  const unknown = names.find((name) => !(name in known));
  if (unknown !== undefined) throw new Error(`There is no ${unknown}. There are: ${Object.keys(known).join(", ")}.`);
  return names as (keyof T)[];
}
