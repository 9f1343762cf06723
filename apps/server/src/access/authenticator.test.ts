import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { AccessStore, KeyRecord } from "./access.store.js";
import { createAuthenticator, hashApiKey, newApiKey } from "./authenticator.js";

const address = "192.0.2.1";
const start = Date.UTC(2026, 0, 31);
const minute = 60_000;
const keyId = "01HZX3Y9K8M7N6P5Q4R3S2T1V0";
const key = newApiKey(keyId);

/** A store with one key, and a clock to turn. */
function setUp(changes: Partial<KeyRecord> = {}) {
  const times = { createdAt: start, expiresAt: null, lastUsedAt: null, revokedAt: null };
  const rights = { scopes: ["read", "write"], maxPrivacyLevel: "private" } as const;
  const record: KeyRecord = { keyId, userId: "usr_ada", name: "", hash: hashApiKey(key), ...rights, ...times, ...changes };
  const findKey = vi.fn<AccessStore["findKey"]>(async () => record);
  const touchKey = vi.fn<AccessStore["touchKey"]>(async () => {});
  const onTouchFailed = vi.fn<(error: unknown) => void>();
  const clock = { now: start };
  const { authenticate } = createAuthenticator({ store: { findKey, touchKey }, clock: () => clock.now, onTouchFailed });
  return { authenticate, attempt: () => authenticate(`Bearer ${key}`, address), clock, findKey, touchKey, onTouchFailed };
}

test.each([
  ["nothing", undefined],
  ["no space", `Bearer${key}`],
  ["two schemes", `Bearer ${key}, Bearer ${key}`],
  ["a broken key", `Bearer ${key.slice(0, -1)}`],
])("rejects %s without asking the store", async (_, header) => {
  const { authenticate, findKey } = setUp();
  expect(await authenticate(header, address)).toBeNull();
  expect(findKey).not.toHaveBeenCalled();
});

test("asks for a key in the turn of its address until it was valid", async () => {
  const { authenticate, findKey } = setUp();
  for (const turnOf of [`address:${address}`, keyId]) {
    await authenticate(`Bearer ${key}`, address);
    expect(findKey).toHaveBeenLastCalledWith(keyId, turnOf);
  }
});

test("rejects a wrong secret before and after the right one", async () => {
  const { authenticate, attempt } = setUp();
  for (let round = 0; round < 2; round++) {
    expect(await authenticate(`Bearer ${newApiKey(keyId)}`, address)).toBeNull();
    expect(await attempt()).not.toBeNull();
  }
});

test("writes the last use once a minute", async () => {
  const { attempt, clock, touchKey } = setUp({ lastUsedAt: start - 1000 });
  for (const after of [0, minute - 1001, minute, minute + 1, 3 * minute]) {
    clock.now = start + after;
    await attempt();
    await attempt();
    await nextTurn();
  }
  expect(touchKey.mock.calls.map(([, at]) => at)).toEqual([start + minute, start + 3 * minute]);
});

test("a request neither waits for nor fails with the write of the last use", async () => {
  const { attempt, clock, touchKey, onTouchFailed } = setUp();
  const failure = new Error("database is locked");
  touchKey.mockRejectedValueOnce(failure);
  expect(await attempt()).not.toBeNull();
  await nextTurn();
  expect(onTouchFailed).toHaveBeenCalledWith(failure);
  touchKey.mockReturnValueOnce(new Promise(() => {}));
  clock.now += minute;
  expect(await attempt()).not.toBeNull();
});
