import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type RunningServer, startServer } from "@periscope/harness/server";
import { figure, renderTable } from "@periscope/harness/table";
import { createQueries } from "./documents.ts";
import { createWriter, readLoad, type Sample } from "./load.ts";
import { median, memoryMiB, numberFrom, processorSeconds, readOptions, resultsFolder, writeResults } from "./measure.ts";

const usage = `Usage: pnpm bench [service] [options]
  --contexts N      contexts in the database (20000)
  --rounds N        measurements of each scenario (5)
  --seconds S       length of one measurement (2)
  --only A,B        these scenarios only
  --profile NAME    CPU profile of the server under one scenario, in place of the table`;

/** In this order: what writes comes last, so that all reads find the same data. */
const names = ["current", "history", "search-rare", "search-medium", "search-common", "sync", "batch-sync"] as const;
type Name = (typeof names)[number];

/** Contexts of different text. */
const documentsMax = 5_000;

type Load = (server: RunningServer, name: Name, seconds: number) => Promise<Sample>;

/** The service under load: reads from a filled database, then writes, then its memory. */
export async function runServiceBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const defaults = { contexts: "20000", rounds: "5", seconds: "2", only: names.join(), profile: "" };
  const { values } = readOptions({ args, defaults, usage });
  const contexts = numberFrom(values, "contexts", 1_000);
  const rounds = numberFrom(values, "rounds", 1);
  const seconds = numberFrom(values, "seconds", 0.1);
  const wanted = names.filter((name) => (values.profile || values.only).split(",").includes(name));
  const [scenario] = wanted;
  if (scenario === undefined) throw new Error(`There is no scenario ${values.profile || values.only}. There are: ${names.join(", ")}.`);

  await using server = await startServer({ signal });
  const memoryBefore = memoryMiB(server.pid);
  console.log(`Seeding ${contexts.toLocaleString("en-US")} contexts of about 5 KB.`);
  const { seeded, load } = await seed(server, contexts);
  console.log(
    `Seeded at ${figure(seeded.perSecond)} contexts/s. Memory: ${figure(memoryBefore)} MiB before, ${figure(memoryMiB(server.pid))} after.`,
  );

  if (values.profile !== "") {
    const folder = join(resultsFolder, `profile-${values.profile}`);
    mkdirSync(folder, { recursive: true });
    await server.stop();
    await using profiled = await startServer({
      dataDir: server.dataDir,
      nodeFlags: ["--cpu-prof", `--cpu-prof-dir=${folder}`],
      signal,
    });
    const { perSecond } = await load(profiled, scenario, Math.max(seconds, 5));
    console.log(`${figure(perSecond)} a second while profiled. Open ${folder}/*.cpuprofile in the developer tools of a browser.`);
    return;
  }

  const results = [];
  for (const name of wanted) {
    const measured: (Sample & { processorMs: number })[] = [];
    // The first round warms up and does not count.
    for (let round = -1; round < rounds; round += 1) {
      signal.throwIfAborted();
      const before = processorSeconds(server.pid);
      const sample = await load(server, name, seconds);
      const processorMs = ((processorSeconds(server.pid) - before) * 1_000) / sample.count;
      if (round >= 0) measured.push({ ...sample, processorMs });
    }
    const of = (key: keyof (typeof measured)[number]) => median(measured.map((sample) => sample[key]));
    results.push({ name, perSecond: of("perSecond"), p50: of("p50"), p99: of("p99"), processorMs: of("processorMs"), measured });
  }
  const rows = results.map((one) => [one.name, ...[one.perSecond, one.p50, one.p99, one.processorMs].map(figure)]);
  console.log(`\n${renderTable([["scenario", "a second", "p50 ms", "p99 ms", "CPU ms"], ...rows])}\n`);
  const memory = memoryMiB(server.pid);
  console.log(`Memory of the server with ${(await countOf(server)).toLocaleString("en-US")} contexts: ${figure(memory)} MiB.`);
  writeResults("service", { options: values, seeded: seeded.perSecond, memoryBefore, memory, results });
}

/** Fills the server, and returns the load of each scenario. */
async function seed(server: RunningServer, contexts: number): Promise<{ seeded: Sample; load: Load }> {
  const { documents, write, fill, written } = createWriter(Math.min(contexts, documentsMax));
  const queries = createQueries(documents, 50);
  const seeded = await fill(server, contexts);
  const count = await countOf(server);
  if (count !== written()) throw new Error(`Of ${written()} contexts that the server accepted, it has ${count}.`);
  const load: Load = (target, name, seconds) => {
    if (name === "sync") return write(target, 1, { connections: 16, seconds });
    if (name === "batch-sync") return write(target, 100, { connections: 2, seconds });
    const words = name.startsWith("search-") ? queries[name.slice("search-".length) as "rare" | "medium" | "common"] : undefined;
    const paths = words?.map((word) => `/context/search?query=${word}`) ?? [`/context/${name}`];
    return readLoad(target, paths, { connections: 8, seconds });
  };
  return { seeded, load };
}

async function countOf({ client }: RunningServer): Promise<number> {
  return (await client.history({ limit: 1 })).total;
}
