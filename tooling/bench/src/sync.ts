import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { figure, renderTable } from "@periscope/harness/table";
import { fakeService } from "@periscope/sync/testing/fake-service";
import { bundleProgram, startChromium } from "./browser.ts";
import { median, numberFrom, readOptions, takeTurns, writeResults } from "./measure.ts";
import type { Extracted } from "./sync-page.ts";

const usage = `Usage: pnpm bench sync [options]
  --rounds N        measurements of each side of a capture (7)
  --messages N      messages that are enqueued, then drained (10000)
CHROMIUM_PATH names the browser (/usr/bin/chromium).`;

const sizes = [2_000, 20_000, 100_000] as const;

/** In Chromium: what a capture takes beside `innerText` and Readability, and how fast the queue takes and sends messages. */
export async function runSyncBenchmark(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = readOptions({ args, defaults: { rounds: "7", messages: "10000" }, usage });
  const [rounds, messages] = [numberFrom(values, "rounds", 1), numberFrom(values, "messages", 100)];
  await using site = await startSite(await bundleProgram());
  await using browser = await startChromium();
  const page = await browser.newPage();
  await page.goto(site.origin, { timeout: 0 });
  const inPage = async (expression: string) => await page.evaluate(expression);

  const captures = [];
  for (const size of sizes) {
    const elements = (await inPage(`program.fill(${size})`)) as number;
    const sideOf = (call: string) => async () => (await inPage(`program.${call}`)) as Extracted;
    const sides = { capture: sideOf("capture()"), innerText: sideOf("innerText()"), readability: sideOf("readability()") };
    const measured = await takeTurns<keyof typeof sides, Extracted>(sides, { rounds, signal });
    const of = (take: (round: (typeof measured)[number]) => number) => median(measured.map(take));
    captures.push({
      elements,
      capture: of((round) => round.capture.ms),
      toInnerText: of((round) => round.capture.ms / round.innerText.ms),
      toReadability: of((round) => round.capture.ms / round.readability.ms),
      share: of((round) => (round.capture.markdown?.length ?? 0) / (round.innerText.text?.length ?? NaN)),
    });
  }
  const rows = captures.map((one) => [
    one.elements,
    figure(one.capture),
    figure(one.toInnerText),
    one.toReadability.toFixed(3),
    figure(one.share),
  ]);
  console.log(`\n${renderTable([["elements", "capture, ms", "of innerText", "of Readability", "text, of innerText's"], ...rows])}\n`);

  await page.reload({ timeout: 0 });
  const session = await page.context().newCDPSession(page);
  const heapMiB = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize / 2 ** 20;
  };
  const baseUrl = JSON.stringify(`${site.origin}/api/v1`);
  const heaps = [await heapMiB()];
  const enqueueMs = (await inPage(`program.enqueue(${baseUrl}, ${messages})`)) as number;
  heaps.push(await heapMiB());
  signal.throwIfAborted();
  const drainMs = (await inPage(`program.drain(${baseUrl})`)) as number;
  heaps.push(await heapMiB());
  if (site.stored() !== messages) throw new Error(`The service has ${site.stored()} of ${messages} messages.`);
  const perSecond = (ms: number) => figure((messages / ms) * 1_000);
  console.log(`${messages} messages of 1 KB: ${perSecond(enqueueMs)} enqueued a second, ${perSecond(drainMs)} drained a second.`);
  const [before, waiting, after] = heaps.map(figure);
  console.log(`Heap of the page: ${before} MiB before, ${waiting} while all wait, ${after} after.`);
  writeResults("sync", { options: values, browser: browser.version(), captures, enqueueMs, drainMs, heaps });
}

/** A site whose page has the program, and which is a service in memory as well. */
async function startSite(program: string) {
  const service = fakeService();
  const html = `<!doctype html><meta charset="utf-8"><title>Bench</title><body><script src="/program.js"></script>`;
  const server = createServer((request, response) => {
    if (request.url === "/program.js") return response.setHeader("Content-Type", "text/javascript; charset=utf-8").end(program);
    if (request.method !== "POST") return response.setHeader("Content-Type", "text/html").end(html);
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      const answer = await service.fetch(request.url ?? "", { headers: { Authorization: request.headers.authorization ?? "" }, body });
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored: () => service.stored.size,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
