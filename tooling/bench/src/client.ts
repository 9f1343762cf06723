import { Periscope } from "@periscope/client";
import { startServer } from "@periscope/harness/server";
import { figure, renderTable } from "@periscope/harness/table";
import { contextOf } from "./documents.ts";
import { median, numberFrom, readOptions, takeTurns, writeResults } from "./measure.ts";

const usage = `Usage: pnpm bench client [options]
  --rounds N        measurements of each side (9)
  --calls N         calls of one measurement (2000)`;

/** Processor time of the client as a multiple of bare `fetch`. */
const aim = 1.3;

/** Processor time of a call, beside bare `fetch` that reads the answer as JSON, with and without a time limit. */
export async function runClientBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = readOptions({ args, defaults: { rounds: "9", calls: "2000" }, usage });
  const [rounds, calls] = [numberFrom(values, "rounds", 1), numberFrom(values, "calls", 10)];
  await using server = await startServer({ signal });
  const client = new Periscope({ baseUrl: server.baseUrl, apiKey: server.key });
  const document = { url: "https://example.com/keeper", title: "The keeper", content: "The keeper lights the lamp at dusk. ".repeat(30) };
  const epoch = Date.now() - 86_400_000;
  const messages = Array.from({ length: 40 }, (_, number) => ({
    type: "create" as const,
    payload: { context: contextOf(document, number, epoch).context },
  }));
  (await client.syncAll(messages)).throwIfFailed();

  const headers = { Authorization: `Bearer ${server.key}` };
  const bare = (path: string) => async (init?: RequestInit) => await (await fetch(server.baseUrl + path, { ...init, headers })).json();
  const scenarios: Record<string, { client: () => PromiseLike<unknown>; fetch: (init?: RequestInit) => Promise<unknown>; share?: number }> =
    {
      current: { client: () => client.current(), fetch: bare("/context/current") },
      "search, 20 results": { client: () => client.search("lamp"), fetch: bare("/context/search?query=lamp") },
      "history, 40 items": { client: () => client.history(), fetch: bare("/context/history") },
      "sync, a heartbeat": {
        // A write waits for the disk, which takes no processor time.
        share: 0.1,
        client: () => client.sync({ type: "heartbeat" }),
        async fetch(init) {
          const body = JSON.stringify({ type: "heartbeat", id: crypto.randomUUID(), timestamp: new Date().toISOString() });
          const request = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body, ...init };
          return await (await fetch(`${server.baseUrl}/context/sync`, request)).json();
        },
      },
    };
  const results = [];
  for (const [name, { client: call, fetch: plain, share = 1 }] of Object.entries(scenarios)) {
    const count = Math.ceil(calls * share);
    const sides = {
      client: () => processorTime(call, count),
      fetch: () => processorTime(() => plain(), count),
      limited: () => processorTime(() => plain({ signal: AbortSignal.timeout(10_000) }), count),
    };
    const measured = await takeTurns<keyof typeof sides, number>(sides, { rounds, signal });
    const of = (take: (round: (typeof measured)[number]) => number) => median(measured.map(take));
    results.push({
      name,
      client: of((round) => round.client),
      fetch: of((round) => round.fetch),
      limited: of((round) => round.limited),
      toFetch: of((round) => round.client / round.fetch),
      toLimited: of((round) => round.client / round.limited),
      measured,
    });
  }
  const rows = results.map((one) => [
    one.name,
    figure(one.client),
    figure(one.fetch),
    figure(one.toFetch),
    figure(one.limited),
    figure(one.toLimited),
  ]);
  console.log(`\n${renderTable([["µs of CPU", "client", "fetch", `ratio, aim ${aim}`, "fetch, limited", "ratio"], ...rows])}\n`);
  writeResults("client", { options: values, results });
}

/** Microseconds of processor time a call, of the whole process. */
async function processorTime(call: () => PromiseLike<unknown>, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < calls; count += 1) if ((await call()) === undefined) throw new Error("A call answered nothing.");
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}
