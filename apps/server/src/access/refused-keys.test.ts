import { expect, test } from "vitest";
import type { KeyRecord } from "./access.store.js";
import { createAuthenticator, hashApiKey, newApiKey } from "./authenticator.js";

const address = "192.0.2.1";
const keyId = "01HZX3Y9K8M7N6P5Q4R3S2T1V0";
const key = newApiKey(keyId);
const valid: KeyRecord = {
  keyId,
  userId: "usr_ada",
  name: "",
  hash: hashApiKey(key),
  scopes: ["read"],
  maxPrivacyLevel: "restricted",
  createdAt: 0,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};

function setUp(record: KeyRecord | null) {
  const world = { record, now: Date.UTC(2026, 0, 31), reads: 0 };
  const store = {
    async findKey() {
      world.reads++;
      return world.record;
    },
    async touchKey() {},
  };
  const { authenticate, recallPrincipal, mayBeMadeUp } = createAuthenticator({ store, clock: () => world.now });
  return Object.assign(world, {
    attempt: (secret = key) => authenticate(`Bearer ${secret}`, address),
    mayBeMadeUp: (secret = key) => mayBeMadeUp(`Bearer ${secret}`),
    recall: (secret = key) => recallPrincipal(`Bearer ${secret}`),
  });
}

test.each([
  ["an unknown", null],
  ["a revoked", { ...valid, revokedAt: 1 }],
  ["an expired", { ...valid, expiresAt: 1 }],
])("refuses %s key from memory for 5 seconds", async (_, record) => {
  const world = setUp(record);
  for (let i = 0; i < 3; i++) expect(await world.attempt()).toBeNull();
  // Other secrets of the same id are refused, too.
  expect(await world.attempt(newApiKey(keyId))).toBeNull();
  expect(world.reads).toBe(1);
  world.now += 5_000;
  world.record = valid;
  expect(await world.attempt()).toMatchObject({ userId: "usr_ada" });
});

test("refuses wrong secrets of a known key from memory, and never the right one", async () => {
  const world = setUp(valid);
  for (let i = 0; i < 3; i++) expect(await world.attempt(newApiKey(keyId))).toBeNull();
  expect(world.reads).toBe(1);
  expect(await world.attempt()).toMatchObject({ keyId });
});

test("reads a valid key for every request, so that a revoked one ends at once", async () => {
  const world = setUp(valid);
  expect(await world.attempt()).toMatchObject({ keyId });
  world.record = { ...valid, revokedAt: world.now };
  expect(await world.attempt()).toBeNull();
});

test("recalls only what was read in the last 5 seconds", async () => {
  const world = setUp(valid);
  expect(world.recall()).toBeUndefined();
  await world.attempt();
  expect(world.recall()).toMatchObject({ userId: "usr_ada" });
  expect(world.recall(newApiKey(keyId))).toBeNull();
  world.now += 5_000;
  expect(world.recall()).toBeUndefined();
  world.now -= 60_000;
  expect(world.recall()).toBeUndefined();
});

test("does not forget a valid key for any number of made-up ones", async () => {
  const world = setUp(valid);
  expect(world.mayBeMadeUp()).toBe(true);
  await world.attempt();
  world.record = null;
  for (let number = 0; number <= 10_000; number++) await world.attempt(newApiKey(String(number).padStart(26, "0")));
  expect(world.mayBeMadeUp()).toBe(false);
});
