import { expect } from "vitest";
import type { Fault } from "@periscope/harness/fault-proxy";
import { passes } from "@periscope/harness/fault-proxy";
import {
  answersWith,
  changesResults,
  cutsAfterStoring,
  cutsAnswer,
  cutsBeforeReading,
  portal,
  refuses,
  type Result,
  stalls,
  stallsInBody,
  takesAtMost,
  truncates,
} from "@periscope/harness/faults";
import type { Row } from "./row.ts";

const hour = 3_600_000;
const done = (messageId: string | undefined): Result => ({ messageId, status: "success" });
const failing = (messageId: string | undefined, retryable: boolean): Result => ({
  messageId,
  status: "error",
  error: { code: retryable ? "internal_error" : "validation_error", message: "No.", retryable },
});

/** Refuses a batch that holds a message, as a whole. */
const refusesWith =
  (poison: string, refusal: Fault): Fault =>
  async (exchange) => {
    const { ids } = await exchange.read();
    await (ids.includes(poison) ? refusal : passes)(exchange);
  };

const idOf = (kept: { status: string; id?: string } | undefined): string => {
  if (kept?.id === undefined) throw new Error(`It was not kept: ${JSON.stringify(kept)}`);
  return kept.id;
};

export const serviceRows: Row[] = [
  {
    fault: "F4",
    injected: "stored, then the connection cut, the answer cut, or half of its JSON",
    mutation: "makes a new id for each attempt",
    async run({ client, stage }) {
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
      return await queue.settle();
    },
  },
  {
    fault: "F5",
    injected: "one answer of synced, duplicate, retryable, permanent and nothing, in reverse order",
    mutation: "matches results by their place",
    async run({ client, stage }) {
      const queue = client();
      await queue.enqueue(1);
      stage.proxy.faults.push(cutsAfterStoring);
      await queue.ask({ do: "flush" });
      queue.clockOffset += hour;
      const [, later, unnamed] = (await queue.enqueue(3)).map(idOf);
      const wrong = queue.ledger.message();
      wrong.payload.context.capturedAt = "yesterday";
      const never = idOf((await queue.ask({ do: "enqueue", messages: [wrong] }))[0]);
      stage.proxy.faults.push(
        changesResults((results) =>
          results
            .filter(({ messageId }) => messageId !== unnamed)
            .map((result) => (result.messageId === later ? failing(later, true) : result))
            .toReversed(),
        ),
      );
      expect(await queue.ask({ do: "flush" })).toMatchObject({ requests: 1, synced: 1, duplicates: 1, failed: 1 });
      expect((await queue.rows()).map(({ id }) => id)).toEqual([later, unnamed]);
      expect(await queue.ask({ do: "dead" })).toMatchObject([{ id: never, code: "validation_error" }]);
      expect(await queue.drain()).toMatchObject({ duplicates: 2, failed: 0 });
      return await queue.settle();
    },
  },
  {
    fault: "F6",
    injected: "answers of foreign ids, too short, too long, against themselves, to another batch",
    mutation: "matches results by their place",
    async run({ client, stage }) {
      const queue = client();
      const [first, second] = (await queue.enqueue(3)).map(idOf);
      const before = await queue.rows();
      const lists: (() => unknown[])[] = [
        () => [done("a"), done("b"), done("c"), done("d")],
        () => [],
        () => [done(first), failing(first, true)],
        () => [done(undefined), {}, null],
        () => [failing(second, true), done(second)],
      ];
      stage.proxy.faults.push(...lists.map((list) => answersWith(list)));
      stage.proxy.faults.push(answersWith(({ ids }) => ids.map(done), "another"));
      for (let answer = 0; answer <= lists.length; answer += 1) {
        expect(await queue.ask({ do: "flush" })).toMatchObject({ requests: 1, synced: 0 });
        queue.clockOffset += hour;
        expect((await queue.rows()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      }
      return await queue.settle();
    },
  },
  {
    fault: "F7",
    injected: "429 with its time in 8 forms, and a kill while it is waited for",
    mutation: "keeps the time of a rate limit in memory",
    async run({ client, stage }) {
      const queue = client();
      const { proxy, browser } = stage;
      const forms: [() => Record<string, string>, leastMs: number][] = [
        [() => ({ "Retry-After": "30" }), 30_000],
        [() => ({ "Retry-After": new Date(queue.now() + 60_000).toUTCString() }), 30_000],
        [() => ({ "X-RateLimit-Reset": String(Math.floor(queue.now() / 1_000) + 200) }), 100_000],
        [() => ({ "X-RateLimit-Reset": String(queue.now() + 400_000) }), 100_000],
        [() => ({ "X-RateLimit-Reset": new Date(queue.now() + 90_000).toISOString() }), 500],
        [() => ({ "Retry-After": "999999999" }), hour - 1_000],
        [() => ({ "Retry-After": "-7" }), 500],
        [() => ({ "Retry-After": "" }), 500],
        [() => ({}), 500],
      ];
      for (const [headers, leastMs] of forms) {
        await queue.enqueue(1);
        proxy.faults.push(refuses(429, "rate_limited", headers()));
        const { nextAt } = await queue.ask({ do: "flush" });
        const waitMs = (nextAt ?? 0) - queue.now();
        // Two programs, two clocks.
        expect(waitMs).toBeLessThanOrEqual(hour + 1_000);
        const sent = proxy.arrived;
        await browser.killWorker();
        // Stands still just before the time; what passes meanwhile on the system's clock is far less than the half.
        queue.clockOffset += Math.floor(Math.min(waitMs, leastMs) / 2);
        if (leastMs > 20_000) {
          expect(await queue.ask({ do: "flush" })).toMatchObject({ endedBy: "blocked", requests: 0 });
          expect(proxy.arrived).toBe(sent);
        }
        expect(await queue.enqueue(1)).toMatchObject([{ status: "queued" }]);
        queue.clockOffset += waitMs;
        expect(await queue.ask({ do: "flush" })).toMatchObject({ endedBy: "empty", synced: 2 });
      }
      return await queue.settle();
    },
  },
  {
    fault: "F8",
    injected: "503 for an hour of the queue's clock",
    async run({ client, stage }) {
      const queue = client();
      const { proxy } = stage;
      await queue.enqueue(120);
      proxy.always = refuses(503, "unavailable");
      const end = queue.now() + hour;
      const arrived = proxy.arrived;
      proxy.openMax = 0;
      while (queue.now() < end) {
        const { nextAt } = await queue.ask({ do: "flush" });
        queue.clockOffset += Math.max(1, (nextAt ?? 0) - queue.now());
      }
      expect(proxy.arrived - arrived).toBeGreaterThan(5);
      expect(proxy.arrived - arrived).toBeLessThanOrEqual(35);
      expect(proxy.openMax).toBe(1);
      proxy.always = passes;
      expect(await queue.ask({ do: "flush" })).toMatchObject({ endedBy: "empty", synced: 120, nextAt: null });
      return await queue.settle();
    },
  },
  {
    fault: "F9",
    injected: "a captive portal, cut lines, answers that stall before and in the body, no such host, broken TLS",
    mutation: "takes any answer of 200 as success",
    async run({ client, stage }) {
      const timeoutMs = 1_500;
      const queue = client({ timeoutMs });
      await queue.enqueue(3);
      for (const fault of [portal, cutsBeforeReading, stalls, stallsInBody]) {
        stage.proxy.faults.push(fault);
        expect(await queue.ask({ do: "flush" })).toMatchObject({ endedBy: "blocked", requests: 1, synced: 0 });
        expect(await queue.rows()).toHaveLength(3);
        queue.clockOffset += hour;
      }
      for (const baseUrl of ["http://periscope.invalid/api/v1", stage.proxy.baseUrl.replace("http:", "https:")]) {
        const lost = client({ timeoutMs, baseUrl });
        await lost.enqueue(3);
        expect(await lost.ask({ do: "flush" })).toMatchObject({ endedBy: "blocked", requests: 1, synced: 0 });
        expect(await lost.rows()).toHaveLength(3);
      }
      return await queue.settle();
    },
  },
  {
    fault: "F10",
    injected: "a key that the server does not know, then the right one",
    async run({ client, stage }) {
      const queue = client({ keys: { ada: "psk_nobody" } });
      const { proxy, keys } = stage;
      await queue.enqueue(4);
      expect(await queue.ask({ do: "flush" })).toMatchObject({ endedBy: "blocked", synced: 0 });
      expect(await queue.status()).toMatchObject({ reason: "auth", waiting: 4 });
      const arrived = proxy.arrived;
      await stage.browser.killWorker();
      expect(await queue.ask({ do: "flush" })).toMatchObject({ endedBy: "blocked", requests: 0 });
      expect(proxy.arrived).toBe(arrived);
      queue.scope.keys = keys;
      expect(await queue.ask({ do: "flush" })).toMatchObject({ endedBy: "empty", synced: 4 });
      return await queue.settle();
    },
  },
  {
    fault: "F11",
    injected: "413 for more than 3 messages, then for one alone",
    mutation: "never grows a batch again",
    async run({ client, stage }) {
      const queue = client();
      const { proxy } = stage;
      proxy.always = takesAtMost(3);
      await queue.enqueue(24);
      const first = proxy.batches.length;
      await queue.drain();
      // Halves of 24 until one passes.
      expect(proxy.batches.slice(first).findIndex(({ ids }) => ids.length <= 3)).toBeLessThanOrEqual(Math.log2(24));
      proxy.always = passes;
      await queue.enqueue(150);
      const before = proxy.batches.length;
      await queue.drain();
      expect(Math.max(...proxy.batches.slice(before).map(({ ids }) => ids.length))).toBeGreaterThan(10);
      const poison = idOf((await queue.enqueue(9))[4]);
      proxy.always = refusesWith(poison, refuses(413, "payload_too_large"));
      await queue.drain();
      expect(await queue.ask({ do: "dead" })).toMatchObject([{ id: poison, code: "payload_too_large" }]);
      proxy.always = passes;
      expect(await queue.ask({ do: "retry", ids: [poison] })).toBe(1);
      return await queue.settle();
    },
  },
  {
    fault: "F12",
    injected: "400 for a whole batch because of one message",
    async run({ client, stage }) {
      const queue = client();
      const poison = idOf((await queue.enqueue(20))[13]);
      stage.proxy.always = refusesWith(poison, refuses(400, "bad_request"));
      await queue.drain();
      expect(await queue.ask({ do: "dead" })).toMatchObject([{ id: poison, code: "bad_request" }]);
      stage.proxy.always = passes;
      expect(await queue.ask({ do: "retry", ids: [poison] })).toBe(1);
      return await queue.settle();
    },
  },
  {
    fault: "F29",
    injected: "refused for good, then retried after the server was mended",
    async run({ client, stage }) {
      const queue = client();
      const ids = (await queue.enqueue(3)).map(idOf);
      stage.proxy.faults.push(answersWith((batch) => batch.ids.map((id) => failing(id, false))));
      expect(await queue.ask({ do: "flush" })).toMatchObject({ failed: 3, synced: 0 });
      await stage.browser.killWorker();
      expect((await queue.ask({ do: "dead" })).map(({ id }) => id)).toEqual(ids);
      expect(await queue.ask({ do: "retry", ids })).toBe(3);
      return await queue.settle();
    },
  },
];
