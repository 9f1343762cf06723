import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  cutsAfterStoring,
  cutsAnswer,
  cutsBeforeReading,
  portal,
  refuses,
  stalls,
  stallsInBody,
  type Stand,
  standsBeforeAnswer,
  standsBeforeStoring,
  standsInBody,
  truncates,
} from "@periscope/harness/faults";
import { type Fault, passes } from "@periscope/harness/fault-proxy";
import { waitUntil, within } from "@periscope/harness/wait-until";
import type { QueueStep } from "@periscope/sync/core";
import { expect } from "vitest";
import { steps } from "../../../packages/sync/test/world.ts";
import { manifests } from "./harness/build-extension.ts";
import { type QueueClient, settle, test } from "./harness/queue-client.ts";

// The queue in a worker of Chromium: what becomes of workers, pages, files and lines there. What it makes of each answer is tested in Node:
// `packages/sync/test/scenarios`.

const isDeep = process.env["TEST_DEEP"] === "1";

/** CI runs a fifth of what takes hundreds of kills or thousands of messages; `pnpm test:deep` runs all of them. */
const sampleOf = (all: number): number => (isDeep ? all : Math.ceil(all / 5));

const hour = 3_600_000;

/** Moments of a request that only the other end can see: half of the body is sent; sent and not yet stored; stored without an answer. */
const moments: (() => Stand)[] = [standsInBody, standsBeforeStoring, standsBeforeAnswer];

/** What the first two requests after the kill meet. */
const answers: Fault[] = [passes, refuses(503, "unavailable"), cutsBeforeReading, cutsAfterStoring];
/** A deep run has every answer after every kill; others have each kill and each answer. */
const answersAfter = (kill: number): Fault[] => (isDeep ? answers : answers.filter((_, index) => index === kill % answers.length));

async function killAtStep(client: QueueClient, step: QueueStep): Promise<void> {
  if (step.endsWith("-enqueue")) await client.killAt(step, () => client.enqueue(1, { parkAt: step }));
  else await client.killAt(step, () => client.call("flush", { parkAt: step }));
}

async function killInRequest(client: QueueClient, stand: Stand): Promise<void> {
  const { browser, proxy } = client.stage;
  proxy.faults.length = 0;
  proxy.faults.push(stand.fault);
  const flushing = client.call("flush");
  await within("A request at the moment of the kill", stand.reached);
  await browser.killWorker();
  await flushing;
  stand.release();
}

test("F1: the worker killed at 7 steps and 3 moments of a request, 4 answers after", async ({ client, stage }) => {
  const queue = client();
  const life = await queue.ask("life");
  await stage.browser.killWorker();
  expect(await queue.ask("life")).not.toBe(life);
  let kills = 0;
  for (const [index, moment] of [...steps, ...moments].entries()) {
    for (const answer of answersAfter(index)) {
      kills += 1;
      await queue.enqueue(3, typeof moment === "string" ? {} : { size: 200_000 });
      await (typeof moment === "string" ? killAtStep(queue, moment) : killInRequest(queue, moment()));
      stage.proxy.faults.push(answer, answer);
      await queue.drain();
    }
  }
  await settle(queue);
  expect(queue.ledger.queued().length).toBeGreaterThanOrEqual(3 * kills);
});

test("F2: kills at random moments while it takes and sends messages", async ({ client, stage }) => {
  const queue = client({ batch: { items: 5 } });
  const kills = sampleOf(150);
  for (let life = 0; life < kills; life += 1) {
    const flushing = queue.call("flush");
    const taking = [1, 2, 1].map((count) => queue.enqueue(count, { mayDie: true }));
    // Somewhere between nothing and all of it done.
    if (life % 5 > 0) await Promise.race([taking[life % 3], flushing]);
    await stage.browser.killWorker();
    await Promise.all([flushing, ...taking]);
  }
  await queue.drain();
  // A message that was about to be read at three of the kills looks like one that crashes the worker. Nothing else is given up.
  const given = await queue.ask("dead");
  expect(given.filter(({ code }) => code !== "crashed")).toEqual([]);
  expect(given.length).toBeLessThanOrEqual(3);
  expect(await queue.ask("retry")).toBe(given.length);
  await settle(queue);
  // Each of them is delivered at the first attempt that nothing kills.
  expect(await queue.ask("dead")).toEqual([]);
  expect(queue.ledger.queued().length).toBeGreaterThan((100 * kills) / 150);
});

test("F3: the browser killed at rest, with an answer on its way, and while it enqueues", async ({ client, stage }) => {
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
});

test("F14: the quota of an http origin reached, then lifted", async ({ client, stage }) => {
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
});

test("F16: the worker and 3 pages drain at once; then the lock's holder is killed", async ({ client, stage }) => {
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
});

test("F17: the page that asked for a flush is frozen, then one that drains itself", async ({ client, stage }) => {
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

test("F4: stored, then the connection cut, the answer cut, or half of its JSON", async ({ client, stage }) => {
  const queue = client();
  await queue.enqueue(5);
  stage.proxy.faults.push(cutsAfterStoring, cutsAnswer, truncates);
  expect(await queue.drain()).toMatchObject({ synced: 0, duplicates: 5, failed: 0 });
  // On a connection that was used before, the browser itself sends it again.
  stage.proxy.keepsAlive = true;
  await queue.enqueue(1);
  await queue.drain();
  await queue.enqueue(3);
  stage.proxy.faults.push(cutsAfterStoring);
  expect(await queue.drain()).toMatchObject({ synced: 0, duplicates: 3, failed: 0 });
  expect((await queue.status()).deadLetters).toBe(0);
  await settle(queue);
});

test("F9: a captive portal, cut lines, stalled answers, no such host, broken TLS", async ({ client, stage }) => {
  const timeoutMs = 1_500;
  const queue = client({ timeoutMs });
  await queue.enqueue(3);
  for (const fault of [portal, cutsBeforeReading, stalls, stallsInBody]) {
    stage.proxy.faults.push(fault);
    expect(await queue.ask("flush")).toMatchObject({ endedBy: "blocked", requests: 1, synced: 0 });
    expect(await queue.rows()).toHaveLength(3);
    queue.clockOffset += hour;
  }
  for (const baseUrl of ["http://periscope.invalid/api/v1", stage.proxy.baseUrl.replace("http:", "https:")]) {
    const lost = client({ timeoutMs, baseUrl });
    await lost.enqueue(3);
    expect(await lost.ask("flush")).toMatchObject({ endedBy: "blocked", requests: 1, synced: 0 });
    expect(await lost.rows()).toHaveLength(3);
  }
  await settle(queue);
});

test("F18: an update of the extension while 20 messages wait", async ({ client, stage }) => {
  const queue = client();
  await queue.enqueue(20);
  await writeFile(join(stage.directories.extension, "manifest.json"), JSON.stringify({ ...manifests.queue, version: "2.0.0" }));
  stage.panel = await stage.browser.reload(stage.panel, "panel.html");
  expect(await stage.panel.evaluate(() => chrome.runtime.getManifest().version)).toBe("2.0.0");
  expect(await queue.status()).toMatchObject({ waiting: 20 });
  await settle(queue);
});

/** Messages that come while there is no server, the first of them before the heap is measured, and how much it may grow by the rest: 5 MiB by 10,000. */
const offline = sampleOf(10_000);
const heapMax = (offline - 500) * 524;

test(`F26: ${offline} messages without a server, then with one`, async ({ client, stage }) => {
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
  expect((await heapBytes()) - before).toBeLessThan(heapMax);
  proxy.always = passes;
  queue.clockOffset += 60_000;
  expect(await queue.drain()).toMatchObject({ synced: offline });
  expect((await heapBytes()) - before).toBeLessThan(heapMax);
  await settle(queue);
});
