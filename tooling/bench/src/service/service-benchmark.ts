import { startServer, type RunningServer as Periscope } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import type { BenchmarkInput } from "../benchmarks.ts";
import { thisMachine } from "../measure/machine.ts";
import { processMemory } from "../measure/process-memory.ts";
import { measure, type ScenarioResult } from "../measure/rounds.ts";
import { writeResults } from "../results.ts";
import { benchDocuments } from "./documents.ts";
import { serviceOptions, type ServiceOptions } from "./options.ts";
import { profileScenario } from "./profile-scenario.ts";
import { queryWords, type Frequency } from "./query-words.ts";
import { memoryLine, resultTable } from "./report.ts";
import { checkSameAnswers, findable } from "./same-answers.ts";
import { scenarioNames, scenariosOf, serverWork, type ScenarioName } from "./scenarios.ts";
import { countOf, Floor, Workbench } from "./workbench.ts";

const wordsPerKind = 50;
const seedSecondsMax = 1_800;
const seedConnections = 2;
const seedBatch = 100;

/** The REST service beside its floors: reads over a filled database, then writes, then its memory. */
export async function runServiceBenchmark({ args, signal, print }: BenchmarkInput): Promise<void> {
  const options = serviceOptions(args);
  const names = chosen(options);
  await using directory = await temporaryDirectory("periscope-bench-");
  await using bench = new Workbench(signal);
  const dataDir = directory.path;
  await using disposer = new AsyncDisposableStack();

  print(`Seeding ${options.contexts.toLocaleString("en-US")} contexts of about 5 KB of documentation.`);
  const server = disposer.use(await startServer({ dataDir, signal }));
  const atStart = processMemory(server.pid);
  const seeded = await seed(bench, server, options.contexts);
  const afterSeed = processMemory(server.pid);
  print(`Seeded at ${Math.round(seeded)} contexts/s.`);
  print(memoryLine("of the server before", atStart));
  print(memoryLine("of the server after", afterSeed));
  const words = names.some((name) => name.startsWith("search")) ? await searchWords(server) : { rare: [], medium: [], common: [] };

  if (options.profile !== undefined) {
    await server.stop();
    await profileScenario({ name: names[0] ?? "current", seconds: options.seconds, bench, words, dataDir, signal, print });
    return;
  }

  const floor = disposer.use(await Floor.start(server, { dataDir, signal }));
  await checkSameAnswers(server, floor);
  const results: ScenarioResult[] = [];
  for (const scenario of scenariosOf(serverWork(bench, server, words), { bench, floor, words })) {
    if (!names.some((name) => name === scenario.name)) continue;
    print(`Measuring ${scenario.name}: ${options.rounds} rounds of ${options.seconds} s a side.`);
    results.push(await measure(scenario, options));
  }
  const atEnd = processMemory(server.pid);
  print(`\n${resultTable(results)}\n`);
  const contextsAtEnd = await countOf(server);
  print(memoryLine(`of the server at the end, with ${contextsAtEnd.toLocaleString("en-US")} contexts`, atEnd));
  const memory = { atStart, afterSeed, atEnd, contextsAtEnd };
  const path = writeResults("service", { at: new Date(), machine: thisMachine(), options, seedContextsPerSecond: seeded, memory, results });
  print(`Written to ${path}`);
}

/** Fills the database through the service itself; contexts per second. */
async function seed(bench: Workbench, server: Periscope, contexts: number): Promise<number> {
  const target = { connections: seedConnections, seconds: seedSecondsMax, requests: Math.ceil(contexts / seedBatch) };
  const { perSecond } = await bench.write(server, target, seedBatch);
  return perSecond;
}

async function searchWords(server: Periscope): Promise<Record<Frequency, string[]>> {
  const words = queryWords(benchDocuments(), wordsPerKind);
  return {
    rare: await findable(server, words.rare),
    medium: await findable(server, words.medium),
    common: await findable(server, words.common),
  };
}

function chosen({ only, profile }: ServiceOptions): ScenarioName[] {
  const wanted = profile === undefined ? only : [profile];
  const unknown = wanted.find((name) => !scenarioNames.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}; there are: ${scenarioNames.join(", ")}.`);
  return wanted.length === 0 ? [...scenarioNames] : scenarioNames.filter((name) => wanted.includes(name));
}
