import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { KeyRecord } from "./access.store.js";
import { createAuthenticator, hashApiKey, newApiKey } from "./authenticator.js";

const start = Date.UTC(2026, 0, 31);
const minute = 60_000;

/** One stored key, a clock to turn, and a count of what the store was asked. */
function setUp(changes: Partial<KeyRecord> = {}) {
  const keyId = "01HZX3Y9K8M7N6P5Q4R3S2T1V0";
  const key = newApiKey(keyId);
  const world = {
    keyId,
    key,
    now: start,
    reads: 0,
    touches: [] as number[],
    failures: [] as unknown[],
    beforeRead: async () => {},
    beforeTouch: async () => {},
    record: {
      keyId,
      userId: "usr_ada",
      name: "",
      hash: hashApiKey(key),
      scopes: ["read", "write"],
      maxPrivacyLevel: "private",
      createdAt: start,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      ...changes,
    } as KeyRecord | null,
  };
  const { authenticate, recallPrincipal } = createAuthenticator({
    store: {
      async findKey(id) {
        world.reads++;
        const { record } = world;
        await world.beforeRead();
        return id === keyId ? record : null;
      },
      async touchKey(_, at) {
        await world.beforeTouch();
        world.touches.push(at);
      },
    },
    clock: () => world.now,
    onTouchFailed: (error) => world.failures.push(error),
  });
  return Object.assign(world, { authenticate, recallPrincipal, attempt: () => authenticate(`Bearer ${key}`) });
}

test.each([
  ["nothing", () => undefined],
  ["no space", (key: string) => `Bearer${key}`],
  ["two schemes", (key: string) => `Bearer ${key}, Bearer ${key}`],
  ["a broken key", (key: string) => `Bearer ${key.slice(0, -1)}`],
])("rejects %s without asking the store", async (_, header) => {
  const world = setUp();
  expect(await world.authenticate(header(world.key))).toBeNull();
  expect(world.reads).toBe(0);
});

test("rejects a wrong secret before and after the right one", async () => {
  const world = setUp();
  const wrong = `Bearer ${newApiKey(world.keyId)}`;
  expect(await world.authenticate(wrong)).toBeNull();
  expect(await world.attempt()).not.toBeNull();
  expect(await world.authenticate(wrong)).toBeNull();
  expect(await world.attempt()).not.toBeNull();
});

test("writes the last use once a minute", async () => {
  const world = setUp();
  for (const after of [0, 1, minute - 1, minute, minute + 1, 3 * minute]) {
    world.now = start + after;
    await world.attempt();
    await world.attempt();
    await nextTurn();
  }
  expect(world.touches).toEqual([start, start + minute, start + 3 * minute]);
});

test("does not write a last use again within a minute of the stored one", async () => {
  const world = setUp({ lastUsedAt: start - 1000 });
  await world.attempt();
  await nextTurn();
  expect(world.touches).toEqual([]);
});

test("a request neither waits for nor fails with the write of the last use", async () => {
  const world = setUp();
  const failure = new Error("database is locked");
  world.beforeTouch = () => Promise.reject(failure);
  expect(await world.attempt()).not.toBeNull();
  await nextTurn();
  expect(world.failures).toEqual([failure]);
  world.beforeTouch = () => new Promise(() => {});
  world.now += minute;
  expect(await world.attempt()).not.toBeNull();
});
