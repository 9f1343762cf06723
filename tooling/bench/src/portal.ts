import { createOwner, startBrowser, startPortal } from "@periscope/harness/portal";
import { figure, renderTable } from "@periscope/harness/table";
import { createWriter } from "./load.ts";
import { numberFrom, percentile, processorSeconds, readOptions, writeResults } from "./measure.ts";

const usage = `Usage: pnpm bench portal [options]
  --contexts N      contexts of the person (20000)
DATABASE_URL names a PostgreSQL database; without it, SQLite is measured.`;

/** Milliseconds from a key that is pressed in Explore to the results on the screen, and of the server's part of it; 95 % of them. */
const aimMs = 100;
/** Typed key by key: common words, rarer ones, a phrase and a word that is left out. */
const queries = ["the module", "configuration", '"source map"', "server -client", "typescript react testing"];

/** How long Explore takes to answer each key that a person presses. */
export async function runPortalBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = readOptions({ args, defaults: { contexts: "20000" }, usage });
  const contexts = numberFrom(values, "contexts", 100);
  await using portal = await startPortal({ signal, databaseUrl: process.env["DATABASE_URL"] });
  const cookie = await createOwner(portal);
  await createWriter(contexts).fill(portal, contexts);

  await using chromium = await startBrowser();
  const page = await chromium.open(`${portal.origin}/explore`, { cookie });
  const screens: number[] = [];
  await page.waitForSelector("#explore-query");
  const shown = (query: string) =>
    page.waitForFunction(
      (wanted) => document.querySelector<HTMLElement>("[data-shown]")?.dataset["shown"] === wanted,
      { polling: "mutation" },
      query,
    );
  const before = processorSeconds(portal.pid);
  for (const query of queries) {
    await page.$eval("#explore-query", (field) => (field as HTMLInputElement).select());
    for (let typed = 1; typed <= query.length; typed++) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      await page.keyboard.type(query[typed - 1] ?? "");
      await shown(query.slice(0, typed));
      screens.push(performance.now() - startedAt);
    }
  }
  const processorMs = ((processorSeconds(portal.pid) - before) * 1_000) / screens.length;
  const answers = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name }) => name.includes("/explore.search"))
      .map(({ requestStart, responseStart }) => responseStart - requestStart),
  );
  const row = (what: string, times: number[]) => [
    what,
    times.length,
    figure(percentile(times, 0.5)),
    figure(percentile(times, 0.95)),
    figure(Math.max(...times)),
  ];
  console.log(
    renderTable([["", "keys", "p50 ms", "p95 ms", "most ms"], row("answer of the server", answers), row("key to screen", screens)]),
  );
  console.log(`The server takes ${figure(processorMs)} ms of processor time a key.`);
  console.log(`${contexts.toLocaleString("en-US")} contexts. Aim: 95 % of the keys within ${aimMs} ms.`);
  writeResults("portal", { contexts, answers, screens, processorMs });
}
