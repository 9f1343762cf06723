import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { KeyRecord } from "./access.store.js";
import { createAuthenticator, hashSecret, newSecret, readSecret, sameHash } from "./authenticator.js";

const start = Date.UTC(2026, 0, 31);
const keyId = "01HZX3Y9K8M7N6P5Q4R3S2T1V0";
const key = newSecret("psk", keyId);
const times = { createdAt: 0, expiresAt: null, lastUsedAt: null, revokedAt: null };
const valid: KeyRecord = { keyId, userId: "ada", name: "", hash: hashSecret(key), scopes: ["read"], maxPrivacyLevel: "private", ...times };

/** A store with one key, which counts what it is asked, and a clock to turn. */
function setUp(record: KeyRecord | null = valid) {
  const world = { record, now: start, askedInTurnOf: [] as string[], touchedAt: [] as number[], failures: [] as unknown[] };
  const touchKey = async (_key: unknown, at: number): Promise<void> => void world.touchedAt.push(at);
  const store = {
    findKey: async (_id: string, turnOf: string) => (world.askedInTurnOf.push(turnOf), world.record),
    findKeyOfToken: async () => null,
    touchKey,
    validKeys: async () => new Set<string>(),
  };
  const onTouchFailed = (error: unknown) => void world.failures.push(error);
  const { authenticate, recallPrincipal, mayBeMadeUp } = createAuthenticator({ store, clock: () => world.now, onTouchFailed });
  return Object.assign(world, {
    store,
    attempt: (text = `Bearer ${key}`) => authenticate(text, "192.0.2.1"),
    recall: (text = `Bearer ${key}`) => recallPrincipal(text),
    mayBeMadeUp: () => mayBeMadeUp(`Bearer ${key}`),
  });
}

test("makes keys of an id and 43 characters of base62, and stores their SHA-256", () => {
  expect(readSecret(key)).toEqual({ kind: "psk", id: keyId });
  expect(newSecret("psk", keyId, new Uint8Array(32))).toBe(`psk_${keyId}_${"0".repeat(43)}`);
  // 2^256 - 1 in base 62, from an independent computation, and `printf abc | sha256sum`.
  expect(newSecret("psk", keyId, new Uint8Array(32).fill(0xff))).toBe(`psk_${keyId}_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1`);
  expect(hashSecret("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect([hashSecret("abc"), hashSecret("abd"), ""].map((other) => sameHash(hashSecret("abc"), other))).toEqual([true, false, false]);
});

test.each([
  ["no header", undefined],
  ["no scheme", key],
  ["no space", `Bearer${key}`],
  ["no key", "Bearer "],
  ["basic authentication", `Basic ${btoa(`${key}:`)}`],
  ["another scheme", `Token ${key}`],
  ["two words", `Bearer ${key} ${key}`],
  ["a quoted key", `Bearer "${key}"`],
  ["a key in upper case", `Bearer ${key.toUpperCase()}`],
  ["two keys", `Bearer ${key}, Bearer ${key}`],
  ["a shortened key", `Bearer ${key.slice(0, -1)}`],
  ["a lengthened key", `Bearer ${key}0`],
  ["a line break", `Bearer ${key}\n`],
  ["an id of no ULID", `Bearer ${key.replace("01H", "01U")}`],
  ["a sign in the secret", `Bearer ${key.slice(0, -1)}-`],
])("rejects %s without asking the store", async (_, header) => {
  const world = setUp();
  expect(await world.attempt(header ?? "")).toBeNull();
  expect(world.askedInTurnOf).toEqual([]);
});

test.each([
  ["an unknown", null],
  ["a revoked", { ...valid, revokedAt: 1 }],
  ["an expired", { ...valid, expiresAt: 1 }],
])("refuses %s key from memory for 5 seconds", async (_, record) => {
  const world = setUp(record);
  // Other secrets of the same id are refused, too.
  for (const secret of [key, key, newSecret("psk", keyId)]) expect(await world.attempt(`Bearer ${secret}`)).toBeNull();
  expect(world.askedInTurnOf).toHaveLength(1);
  world.now += 5_000;
  world.record = valid;
  expect(await world.attempt()).toMatchObject({ userId: "ada" });
});

test.each(["bearer", "BEARER", "bEaReR  "])("accepts the scheme %s", async (scheme) => {
  expect(await setUp().attempt(`${scheme} ${key}`)).toMatchObject({ keyId });
});

test("refuses wrong secrets of a known key from memory, and never the right one", async () => {
  const world = setUp();
  for (let round = 0; round < 3; round++) expect(await world.attempt(`Bearer ${newSecret("psk", keyId)}`)).toBeNull();
  expect(world.askedInTurnOf).toHaveLength(1);
  expect(await world.attempt()).toMatchObject({ keyId });
});

test("recalls only what was read in the last 5 seconds", async () => {
  const world = setUp();
  expect(world.recall()).toBeUndefined();
  await world.attempt();
  expect([world.recall(), world.recall(`Bearer ${newSecret("psk", keyId)}`)]).toEqual([expect.objectContaining({ userId: "ada" }), null]);
  for (const later of [5_000, -60_000]) {
    world.now = start + later;
    expect(world.recall()).toBeUndefined();
  }
});

test("asks for a key in the turn of its address until it was valid", async () => {
  const world = setUp();
  expect(world.mayBeMadeUp()).toBe(true);
  await world.attempt();
  world.record = null;
  for (let number = 0; number <= 10_000; number++) await world.attempt(`Bearer ${newSecret("psk", String(number).padStart(26, "0"))}`);
  world.record = valid;
  await world.attempt();
  expect(world.mayBeMadeUp()).toBe(false);
  expect([world.askedInTurnOf[0], world.askedInTurnOf.at(-1)]).toEqual(["address:192.0.2.1", keyId]);
});

test("writes the last use once a minute, and no request waits for or fails with it", async () => {
  const world = setUp({ ...valid, lastUsedAt: start - 1000 });
  for (const after of [0, 58_999, 60_000, 60_001, 180_000]) {
    world.now = start + after;
    await world.attempt();
    await nextTurn();
  }
  expect(world.touchedAt).toEqual([start + 60_000, start + 180_000]);
  for (const fail of [() => Promise.reject(new Error("database is locked")), () => new Promise<void>(() => {})]) {
    world.store.touchKey = fail;
    world.now += 60_000;
    expect(await world.attempt()).not.toBeNull();
    await nextTurn();
  }
  expect(world.failures).toMatchObject([{ message: "database is locked" }]);
});
