import fc from "fast-check";
import { expect } from "vitest";
import type { QueueStep } from "../src/core/index.js";
import { cuts, cutsAfterStoring, type Fault, portal, refuses } from "./testing/index.js";
import { heartbeat, page, steps, type World } from "./world.js";

export type Command =
  | { do: "enqueue"; kind: "page" | "selection" | "heartbeat" }
  | { do: "flush" | "kill" }
  | { do: "kill at"; step: QueueStep }
  | { do: "answer"; fault: keyof typeof faults }
  | { do: "advance"; ms: number }
  | { do: "switch"; account: string }
  | { do: "purge"; account: string };

const faults = {
  cuts,
  cutsAfterStoring,
  portal,
  limited: refuses(429, "rate_limited", { "Retry-After": "20" }),
  down: refuses(503, "unavailable"),
  refused: refuses(401, "unauthorized"),
  large: (store, { ids }) => (ids.length > 1 ? refuses(413, "payload_too_large")(store, { ids, key: "", bytes: 0 }) : store()),
} satisfies Record<string, Fault>;

const account = fc.constantFrom("ada", "bob");

/** What may happen, in any order. */
export const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant("enqueue" as const), kind: fc.constantFrom("page" as const, "selection", "heartbeat") }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant("flush" as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("kill" as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("kill at" as const), step: fc.constantFrom(...steps) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("answer" as const),
        fault: fc.constantFrom(...(Object.keys(faults) as (keyof typeof faults)[])),
      }),
    },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 400_000 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("switch" as const), account }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("purge" as const), account }) },
  ),
  { minLength: 5, maxLength: 40 },
);

/** Runs commands on a queue and beside them on what is expected of it: for each account, the ids that were said to be queued. */
export async function runModel(world: World, list: readonly Command[]): Promise<void> {
  const expected = new Map<string, Map<string, { kind: string; timestamp: string }>>([
    ["ada", new Map()],
    ["bob", new Map()],
  ]);
  /** Ids that messages came with. */
  const given = new Set<string>();
  /** The heartbeat of each account that was queued last. */
  const heartbeats = new Map<string, string>();
  // What no answer came to: kept or not, both are right.
  let unanswered = 0;
  let purged = 0;
  let limitedUntil = 0;
  world.service.always = (store) => {
    expect(world.clock.now()).toBeGreaterThanOrEqual(limitedUntil);
    return store();
  };
  let worker = world.start();
  const live = async <T>(call: Promise<T>): Promise<T | undefined> => {
    const outcome = await worker.outcome(call);
    if (outcome === undefined) worker = world.start();
    return outcome;
  };
  for (const [index, command] of list.entries()) {
    const who = world.account!;
    switch (command.do) {
      case "enqueue": {
        const message = command.kind === "heartbeat" ? heartbeat() : page(`page ${index}`, { type: command.kind });
        const kept = await live(worker.queue.enqueue({ ...message, timestamp: new Date(index).toISOString() }));
        if (kept === undefined) unanswered += 1;
        else if ("id" in kept) {
          expect(given.has(kept.id)).toBe(false);
          given.add(kept.id);
          if (kept.status === "merged") {
            expect(command.kind).toBe("heartbeat");
            expected.get(who)!.delete(heartbeats.get(who)!);
          }
          if (command.kind === "heartbeat") heartbeats.set(who, kept.id);
          expected.get(who)!.set(kept.id, { kind: command.kind, timestamp: new Date(index).toISOString() });
        }
        break;
      }
      case "flush":
        await live(worker.queue.flush().then(() => true));
        break;
      case "kill":
        worker.kill();
        worker = world.start();
        break;
      case "kill at":
        worker.killAt(command.step);
        break;
      case "answer":
        world.service.faults.push((store, batch) => {
          // Of one account and the other: only one of them had to wait, which the scenarios look at.
          if (command.fault === "limited" && list.every(({ do: done }) => done !== "switch" && done !== "purge"))
            limitedUntil = world.clock.now() + 20_000;
          return faults[command.fault](store, batch);
        });
        break;
      case "advance":
        world.clock.advance(command.ms);
        break;
      case "switch":
        world.account = command.account;
        break;
      case "purge":
        await live(worker.queue.removeAccount(command.account).then(() => true));
        purged += expected.get(command.account)!.size;
        expected.get(command.account)!.clear();
        break;
    }
  }
  worker.kill();
  world.service.faults.length = 0;
  for (const who of ["ada", "bob"]) {
    world.account = who;
    const last = world.start();
    await last.queue.deadLetters.retry((await last.queue.deadLetters.list(1_000)).map(({ id }) => id));
    await world.drain(last);
    expect(await last.queue.status()).toMatchObject({ waiting: 0, bytes: 0, deadLetters: 0 });
    for (const [id, { kind, timestamp }] of expected.get(who)!) {
      const stored = world.service.stored.get(id);
      // A heartbeat that nobody heard of took the place of this one.
      if (stored === undefined && kind === "heartbeat" && unanswered > 0) continue;
      expect(stored).toMatchObject({ key: `key of ${who}` });
      expect(JSON.parse(stored!.json).timestamp).toBe(timestamp);
    }
  }
  expect(await world.waiting()).toEqual([]);
  const sent = [...world.service.stored.values()].filter(({ type }) => type !== "error").length;
  expect(sent).toBeLessThanOrEqual([...expected.values()].reduce((sum, ids) => sum + ids.size, 0) + unanswered + purged);
}
