import { Periscope } from "@periscope/client";
import { startServer } from "@periscope/harness/server";
import { type Column, renderTable } from "@periscope/harness/old-table";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import type { BenchmarkInput } from "../benchmarks.ts";
import { thisMachine } from "../measure/machine.ts";
import { median } from "../measure/stats.ts";
import { writeResults } from "../results.ts";
import { clientOptions } from "./options.ts";

/** The client's processor time a call, as a multiple of bare `fetch`, that is aimed at. */
const aim = 1.3;

/** The client, bare `fetch`, and `fetch` with a time limit: without one, a call may never end. */
const sides = ["client", "fetch", "limited"] as const;
type Side = (typeof sides)[number];

/** One request, made by each side, which reads the whole answer as JSON. */
interface Scenario {
  name: string;
  /** Share of the calls to make: a write waits for the disk, which is no processor's time. */
  share?: number;
  client: () => Promise<unknown>;
  fetch: (limit?: { signal: AbortSignal }) => Promise<unknown>;
}

/** Microseconds of processor time a call, of the whole process. */
type Round = Record<Side, number>;

/** What the client costs beside bare `fetch` to the same server, by turns in one process. */
export async function runClientBenchmark({ args, signal, print }: BenchmarkInput): Promise<void> {
  const options = clientOptions(args);
  await using data = await temporaryDirectory("periscope-bench-client-");
  await using server = await startServer({ dataDir: data.path, signal });
  const scenarios = await scenariosOf(server);
  print(`${options.calls} calls a side, ${options.rounds} rounds, one call after the other.`);
  const results = [];
  for (const scenario of scenarios) results.push({ name: scenario.name, ...(await compare(scenario, options, signal)) });
  const right = (title: string): Column => ({ title, align: "right" });
  const columns = [
    { title: "call, µs of CPU" },
    right("client"),
    right("fetch"),
    right("ratio"),
    { title: "aim" },
    right("fetch, limited"),
    right("ratio"),
  ];
  const rows = results.map(({ name, client, fetch, limited, toFetch, toLimited }) => {
    const met = `${aim} ${toFetch <= aim ? "met" : "missed"}`;
    return [name, client.toFixed(0), fetch.toFixed(0), toFetch.toFixed(2), met, limited.toFixed(0), toLimited.toFixed(2)];
  });
  print(`\n${renderTable(columns, rows).join("\n")}\n`);
  print(`Written to ${writeResults("client", { at: new Date(), machine: thisMachine(), options, results })}`);
}

async function scenariosOf({ baseUrl, key }: { baseUrl: string; key: string }): Promise<Scenario[]> {
  const periscope = new Periscope({ baseUrl, apiKey: key });
  const tabMetadata = { id: "7", url: "https://example.com/keeper", title: "The keeper" };
  const contexts = Array.from({ length: 40 }, (_, index) => {
    const content = `Page ${index}. ${"The keeper lights the lamp at dusk, and the lens throws its light far out. ".repeat(30)}`;
    return { id: `page-${index}`, type: "page", tabId: "7", capturedAt: new Date(index).toISOString(), content, tabMetadata } as const;
  });
  const outcome = await periscope.syncAll(contexts.map((context) => ({ type: "create" as const, payload: { context } })));
  outcome.throwIfFailed();
  const headers = { Authorization: `Bearer ${key}`, Accept: "application/json" };
  const json = async (path: string, init?: RequestInit) => await (await fetch(baseUrl + path, { ...init, headers })).json();
  const sendsJson = { ...headers, "Content-Type": "application/json" };
  return [
    { name: "current", client: async () => await periscope.current(), fetch: async (limit) => await json("/context/current", limit) },
    {
      name: "search, 20 results",
      client: async () => await periscope.search("lamp"),
      fetch: async (limit) => await json("/context/search?query=lamp", limit),
    },
    {
      name: "history, 40 items",
      client: async () => await periscope.history(),
      fetch: async (limit) => await json("/context/history", limit),
    },
    {
      name: "sync, a heartbeat",
      share: 0.1,
      client: async () => await periscope.sync({ type: "heartbeat" }),
      async fetch(limit) {
        const body = JSON.stringify({ type: "heartbeat", id: crypto.randomUUID(), timestamp: new Date().toISOString() });
        return await (await fetch(`${baseUrl}/context/sync`, { method: "POST", headers: sendsJson, body, ...limit })).json();
      },
    },
  ];
}

async function compare(scenario: Scenario, { rounds, calls }: { rounds: number; calls: number }, signal: AbortSignal) {
  const measured: Round[] = [];
  for (let round = -1; round < rounds; round += 1) {
    signal.throwIfAborted();
    // The side that begins changes; the first round warms up and does not count.
    const taken: Round = { client: NaN, fetch: NaN, limited: NaN };
    for (const index of sides.keys()) {
      const side = sides[(index + round + 1) % sides.length] ?? "client";
      const call = side === "limited" ? async () => await scenario.fetch({ signal: AbortSignal.timeout(10_000) }) : scenario[side];
      taken[side] = await processorTime(call, Math.ceil(calls * (scenario.share ?? 1)));
    }
    if (round >= 0) measured.push(taken);
  }
  const of = (take: (round: Round) => number) => median(measured.map(take));
  return {
    client: of(({ client }) => client),
    fetch: of(({ fetch }) => fetch),
    limited: of(({ limited }) => limited),
    toFetch: of(({ client, fetch }) => client / fetch),
    toLimited: of(({ client, limited }) => client / limited),
    rounds: measured,
  };
}

async function processorTime(call: () => Promise<unknown>, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < calls; index += 1) {
    if ((await call()) === undefined) throw new Error("A call answered nothing.");
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
