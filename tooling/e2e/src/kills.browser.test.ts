import {
  cutsAfterStoring,
  cutsBeforeReading,
  refuses,
  type Stand,
  standsBeforeAnswer,
  standsBeforeStoring,
  standsInBody,
} from "@periscope/harness/faults";
import { type Fault, passes } from "@periscope/harness/fault-proxy";
import { within } from "@periscope/harness/wait-until";
import type { QueueStep } from "@periscope/sync/core";
import { expect } from "vitest";
import { steps } from "../../../packages/sync/test/world.ts";
import { type QueueClient, settle } from "./harness/queue-client.ts";
import { isDeep, row, sampleOf } from "./harness/queue-row.ts";

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

row("F1: the worker killed at 7 steps and 3 moments of a request, 4 answers after", async ({ client, stage }) => {
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
}).finds("deletes before it sends");

row("F2: kills at random moments while it takes and sends messages", async ({ client, stage }) => {
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
}).finds("makes a new id for each attempt");
