import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { passes } from "@periscope/harness/fault-proxy";
import { standsBeforeAnswer, standsBeforeStoring } from "@periscope/harness/faults";
import { waitUntil, within } from "@periscope/harness/wait-until";
import { expect } from "vitest";
import { manifests } from "./harness/build-extension.ts";
import { settle } from "./harness/queue-client.ts";
import { row, sampleOf } from "./harness/queue-row.ts";
import { closeDatabase, openDatabase } from "./harness/raw-data.ts";

/** Messages that come while there is no server, and how much the heap may grow by them: 5 MiB by 10,000. */
const offline = sampleOf(10_000);
const heapMax = offline * 524;

row("F3: the browser killed at rest, with an answer on its way, and while it enqueues", async ({ client, stage }) => {
  const queue = client();
  await queue.enqueue(41);
  await stage.browser.crash();
  await stage.relaunch();
  expect(await queue.rows()).toHaveLength(41);
  const stand = standsBeforeAnswer();
  stage.proxy.faults.push(stand.fault);
  const flushing = queue.call("flush");
  await within("A request", stand.reached);
  await stage.browser.crash();
  await flushing;
  stand.release();
  await stage.relaunch();
  const taking = [1, 2, 3].map(() => queue.enqueue(40, { mayDie: true }));
  await taking[0];
  await stage.browser.crash();
  await Promise.all(taking);
  await stage.relaunch();
  await settle(queue);
}).finds("deletes before it sends");

row("F14: the quota of an http origin reached, then lifted", async ({ client, stage }) => {
  const { site, browser } = stage;
  const page = await browser.visit(`${site.origin}/panel.html`);
  const session = await page.createCDPSession();
  const queue = client({ limits: { itemBytes: 8_000_000 }, timeoutMs: 100_000 });
  // Before the first write: afterwards the browser believes for a while what it was told of the room.
  await session.send("Storage.overrideQuotaForOrigin", { origin: site.origin, quotaSize: 1_000_000 });
  await queue.enqueue(2, { size: 150_000, page });
  // A content that the service would not take either; what counts is what is said of it.
  const outcomes = [...(await queue.enqueue(1, { size: 3_000_000, page })), ...(await queue.enqueue(1, { size: 3_000_000, page }))];
  await session.send("Storage.overrideQuotaForOrigin", { origin: site.origin });
  expect(outcomes).toEqual(Array.from({ length: 2 }, () => ({ status: "dropped", reason: "storage-failed" })));
  await queue.enqueue(1, { page });
  expect(await queue.ask("status", { page })).toMatchObject({ waiting: 3, dropped: { "storage-failed": 2 } });
  // A service that is only slow is asked again.
  await expect.poll(() => queue.ask("flush", { page })).toMatchObject({ endedBy: "empty", nextAt: null, failed: 0 });
  await page.close();
  expect(queue.ledger.problems(stage.oracle)).toEqual([]);
}).finds("is done when the requests succeeded, before the transaction is", { inEveryRun: true, says: /^expected \[ { status: 'queued'/ });

row("F16: the worker and 3 pages drain at once; then the lock's holder is killed", async ({ client, stage }) => {
  const { browser, proxy } = stage;
  const queue = client({ batch: { items: 5 } });
  const pages = await Promise.all([1, 2, 3].map(() => browser.open("panel.html")));
  await queue.enqueue(60);
  const first = standsBeforeAnswer();
  proxy.faults.push(first.fault);
  const flushes = [queue.ask("flush"), ...pages.map((page) => queue.ask("flush", { page }))];
  await within("A request", first.reached);
  // The others wait for the lock, or send as well.
  const pending = async () => (await stage.panel.evaluate(() => navigator.locks.query())).pending?.length ?? 0;
  await waitUntil("The others", async () => proxy.openMax > 1 || (await pending()) === 3);
  first.release();
  const reports = await Promise.all(flushes);
  expect(proxy.openMax).toBe(1);
  expect(reports.reduce((sum, { synced, duplicates }) => sum + synced + duplicates, 0)).toBe(60);
  await queue.enqueue(10);
  const stand = standsBeforeStoring();
  proxy.faults.push(stand.fault);
  const dying = queue.call("flush");
  await within("A request of the worker", stand.reached);
  const [page] = pages;
  const waiting = queue.ask("flush", { page });
  const { arrived } = proxy;
  await browser.killWorker();
  await waitUntil("A request of the next in line", () => proxy.arrived > arrived);
  stand.release();
  await Promise.all([dying, waiting]);
  await Promise.all(pages.map((one) => one.close()));
  await settle(queue);
}).finds("drains without a lock", { inEveryRun: true, says: /^expected \d+ to be 1 / });

row("F17: the page that asked for a flush is frozen, then one that drains itself", async ({ client, stage }) => {
  const { browser, proxy } = stage;
  const queue = client();
  const page = await browser.open("panel.html");
  const session = await page.createCDPSession();
  const freeze = (state: "active" | "frozen") => session.send("Page.setWebLifecycleState", { state });
  // Asked by the page, done by the worker.
  await queue.enqueue(3);
  const stand = standsBeforeAnswer();
  proxy.faults.push(stand.fault);
  const order = { scope: queue.scope, call: "flush", clockOffset: 0 } as const;
  await page.evaluate((given) => void window.ask(given), order);
  await within("A request", stand.reached);
  await freeze("frozen");
  stand.release();
  await queue.enqueue(2);
  expect(await queue.ask("flush")).toMatchObject({ endedBy: "empty", nextAt: null });
  await freeze("active");
  // A page that holds the lock itself, which ours do not: this is what freezing does to it.
  await queue.enqueue(2);
  const held = standsBeforeAnswer();
  proxy.faults.push(held.fault);
  await page.evaluate((given) => void window.run(given), order);
  await within("A request of the page", held.reached);
  await freeze("frozen");
  held.release();
  expect(await queue.ask("flush", { input: { deadlineMs: 700 } })).toMatchObject({ endedBy: "deadline", requests: 0 });
  await page.close();
  await settle(queue);
});

row("F18: an update with rows queued, a later schema, an old connection that stays", async ({ client, stage }) => {
  const queue = client();
  const { browser, directories } = stage;
  await queue.enqueue(20);
  expect(await queue.rows()).toHaveLength(20);
  await writeFile(join(directories.extension, "manifest.json"), JSON.stringify({ ...manifests.queue, version: "2.0.0" }));
  stage.panel = await browser.reload(stage.panel, "panel.html");
  expect(await stage.panel.evaluate(() => chrome.runtime.getManifest().version)).toBe("2.0.0");
  expect(await queue.status()).toMatchObject({ waiting: 20 });
  // A page of the old version gives way when the new one wants in; another program's does not, and is not waited for.
  const page = await browser.open("panel.html");
  expect((await queue.ask("status", { page })).waiting).toBe(20);
  Object.assign(queue.scope, { schema: 2, openMs: 1_000 });
  const held = await openDatabase(page, queue.scope.database);
  expect(await queue.ask("flush")).toMatchObject({ endedBy: "storage-failed", requests: 0 });
  await closeDatabase(held);
  delete queue.scope.openMs;
  expect(await queue.status()).toMatchObject({ waiting: 20 });
  await page.close();
  await settle(queue);
});

row(`F26: ${offline} messages without a server, then with one`, async ({ client, stage }) => {
  const { browser, proxy } = stage;
  const queue = client({ limits: { items: 20_000 } });
  proxy.always = ({ cut }) => cut();
  await queue.enqueue(500);
  const heapBytes = async () => {
    const session = await browser.workerSession();
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize;
  };
  const before = await heapBytes();
  for (let round = 1; round < offline / 500; round += 1) await queue.enqueue(500);
  await queue.ask("flush");
  const after = await heapBytes();
  expect(after - before).toBeLessThan(heapMax);
  proxy.always = passes;
  queue.clockOffset += 60_000;
  const sent = proxy.batches.length;
  const { requests, synced } = await queue.drain();
  expect({ synced, isManyRequests: requests >= offline / 100 }).toEqual({ synced: offline, isManyRequests: true });
  const batches = proxy.batches.slice(sent);
  expect(Math.max(...batches.map((ids) => ids.length))).toBeLessThanOrEqual(100);
  expect(batches.flat()).toEqual(queue.ledger.queued());
  expect((await heapBytes()) - before).toBeLessThan(heapMax);
  await settle(queue);
}).finds("remembers all that it was given");
