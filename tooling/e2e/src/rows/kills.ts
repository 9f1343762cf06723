import { expect } from "vitest";
import type { QueueStep } from "@periscope/sync/core";
import type { Fault } from "@periscope/harness/fault-proxy";
import {
  cutsAfterStoring,
  cutsBeforeReading,
  refuses,
  type Stand,
  standsBeforeAnswer,
  standsBeforeStoring,
  standsInBody,
} from "@periscope/harness/faults";
import { passes } from "@periscope/harness/fault-proxy";
import type { QueueClient } from "../harness/queue-client.ts";
import { within } from "@periscope/harness/wait-until";
import { isDeep, type Play, type Row, sampleOf } from "./row.ts";

const steps: QueueStep[] = [
  "before-enqueue",
  "after-enqueue",
  "after-select",
  "before-send",
  "after-answer",
  "before-settle",
  "after-settle",
];

/** Moments of a request that only the other end can see: half of the body is sent; sent and not yet stored; stored without an answer. */
const moments: (() => Stand)[] = [standsInBody, standsBeforeStoring, standsBeforeAnswer];

/** What the first two requests after the kill meet. */
const answers: Fault[] = [passes, refuses(503, "unavailable"), cutsBeforeReading, cutsAfterStoring];
/** A deep run has every answer after every kill; others have each kill and each answer. */
const answersAfter = (kill: number): Fault[] => (isDeep ? answers : answers.filter((_, index) => index === kill % answers.length));

async function killAtStep(client: QueueClient, step: QueueStep): Promise<void> {
  if (step.endsWith("-enqueue")) await client.killAt(step, () => client.enqueue(1, { parkAt: step }));
  else await client.killAt(step, () => client.call({ do: "flush" }, { parkAt: step }));
}

async function killInRequest(client: QueueClient, stand: Stand): Promise<void> {
  const { browser, proxy } = client.stage;
  proxy.faults.length = 0;
  proxy.faults.push(stand.fault);
  const flushing = client.call({ do: "flush" });
  await within("A request at the moment of the kill", stand.reached);
  await browser.killWorker();
  await flushing;
  stand.release();
}

export const killRows: Row[] = [
  {
    fault: "F1",
    injected: "the worker killed at 7 steps and 3 moments of a request, 4 answers after",
    mutation: "deletes before it sends",
    async run({ client, stage }: Play) {
      const queue = client();
      const life = await queue.ask({ do: "life" });
      await stage.browser.killWorker();
      expect(await queue.ask({ do: "life" })).not.toBe(life);
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
      const audit = await queue.settle();
      expect(audit.messages).toBeGreaterThanOrEqual(3 * kills);
      return audit;
    },
  },
  {
    fault: "F2",
    injected: "kills at random moments while it takes and sends messages",
    mutation: "makes a new id for each attempt",
    async run({ client, stage }: Play) {
      const queue = client({ batchItems: 5 });
      const kills = sampleOf(150);
      for (let life = 0; life < kills; life += 1) {
        const flushing = queue.call({ do: "flush" });
        const taking = [1, 2, 1].map((count) => queue.enqueue(count, { mayDie: true }));
        // Somewhere between nothing and all of it done.
        if (life % 5 > 0) await Promise.race([taking[life % 3], flushing]);
        await stage.browser.killWorker();
        await Promise.all([flushing, ...taking]);
      }
      await queue.drain();
      // A message that was about to be read at three of the kills looks like one that crashes the worker. Nothing else is given up.
      const given = await queue.ask({ do: "dead" });
      expect(given.filter(({ code }) => code !== "crashed")).toEqual([]);
      expect(given.length).toBeLessThanOrEqual(3);
      expect(await queue.ask({ do: "retry" })).toBe(given.length);
      const audit = await queue.settle();
      // Each of them is delivered at the first attempt that nothing kills.
      expect(await queue.ask({ do: "dead" })).toEqual([]);
      expect(audit.messages).toBeGreaterThan((100 * kills) / 150);
      return audit;
    },
  },
];
