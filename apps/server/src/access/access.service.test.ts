import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monotonicFactory } from "ulid";
import { expect, test, vi } from "vitest";
import { createTestDatabase, testEngine } from "../../test/test-database.js";
import { openStorage } from "../storage/open-storage.js";
import { type AccessService, createAccessService } from "./access.service.js";
import { allScopes } from "./scope.js";

const start = Date.UTC(2026, 0, 31);
const hour = 3_600_000;

/** The service over a database of its own. */
async function setUp() {
  const directory = mkdtempSync(join(tmpdir(), "periscope-access-"));
  const database = await createTestDatabase(directory);
  const clock = { now: start };
  const open = async () => {
    const storage = await openStorage({ databaseUrl: database.url, searchTimeoutMs: 1000 });
    const revision = () => storage.revision();
    const service = createAccessService({
      store: storage.access,
      revision,
      clock: () => clock.now,
      newUlid: monotonicFactory(),
      randomBytes,
    });
    return { service, [Symbol.asyncDispose]: () => storage[Symbol.asyncDispose]() };
  };
  const own = await open();
  return {
    access: own.service,
    clock,
    /** As another process sees the same database. */
    open,
    async [Symbol.asyncDispose]() {
      await own[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

test("a key made is a key that works, with what it was made with", async () => {
  await using world = await setUp();
  const { key, record } = await world.access.createKey({ userId: "ada", scopes: ["write", "read"], maxPrivacyLevel: "filtered" });
  expect(await world.access.listKeys()).toEqual([record]);
  expect(await world.access.authenticate(`Bearer ${key}`)).toEqual({
    userId: "ada",
    keyId: record.keyId,
    scopes: new Set(["read", "write"]),
    maxPrivacyLevel: "filtered",
  });
  expect(await world.access.listUsers()).toEqual([{ userId: "ada", createdAt: start }]);
});

test("a key lasts as long as it was made for", async () => {
  await using world = await setUp();
  const { key: relative } = await world.access.createKey({ userId: "ada", scopes: ["read"], expiresInMs: hour });
  const { key: absolute } = await world.access.createKey({ userId: "ada", scopes: ["read"], expiresAt: start + hour });
  for (const [after, valid] of [
    [hour - 1, true],
    [hour, false],
  ] as const) {
    world.clock.now = start + after;
    for (const key of [relative, absolute]) expect((await world.access.authenticate(`Bearer ${key}`)) !== null).toBe(valid);
  }
});

/** What another process takes away ends at once on the embedded engine, within 5 seconds on a server: access-changes.test.ts holds the time. */
async function expectRefused(world: { access: AccessService }, key: string): Promise<void> {
  const isRefused = async () => expect(await world.access.authenticate(`Bearer ${key}`)).toBeNull();
  await (testEngine() === "sqlite" ? isRefused() : vi.waitFor(isRefused, 60_000));
}

test("a key revoked here or in another process ends at once", async () => {
  await using world = await setUp();
  await using elsewhere = await world.open();
  for (const revoking of [world.access, elsewhere.service]) {
    const { key, record } = await world.access.createKey({ userId: "ada", scopes: ["read"] });
    expect(await world.access.authenticate(`Bearer ${key}`)).not.toBeNull();
    await revoking.revokeKey(record.keyId);
    await expectRefused(world, key);
  }
});

test("the keys of a user deleted here or in another process end at once", async () => {
  await using world = await setUp();
  await using elsewhere = await world.open();
  for (const deleting of [world.access, elsewhere.service]) {
    const { key } = await world.access.createKey({ userId: "ada", scopes: ["read"] });
    expect(await world.access.authenticate(`Bearer ${key}`)).not.toBeNull();
    await deleting.deleteUser("ada");
    await expectRefused(world, key);
  }
});

test("a key made in another process works at once", async () => {
  await using world = await setUp();
  await using elsewhere = await world.open();
  const { key } = await elsewhere.service.createKey({ userId: "ada", scopes: ["read"] });
  expect(await world.access.authenticate(`Bearer ${key}`)).toMatchObject({ userId: "ada" });
});

test("the last use is on record", async () => {
  await using world = await setUp();
  const { key } = await world.access.createKey({ userId: "ada", scopes: ["read"] });
  world.clock.now = start + hour;
  await world.access.authenticate(`Bearer ${key}`);
  await vi.waitFor(async () => expect(await world.access.listKeys("ada")).toMatchObject([{ lastUsedAt: start + hour }]), 60_000);
});

test.each([
  ["no scope", { scopes: [] }, "scopes"],
  ["an end that is past", { expiresAt: start }, "expiresAt"],
  ["no time at all", { expiresInMs: 0 }, "expiresAt"],
  ["an end that is no date", { expiresAt: Number.NaN }, "expiresAt"],
  ["an end past all dates", { expiresInMs: 1e300 }, "expiresAt"],
  ["a long name", { name: "x".repeat(129) }, "name"],
  ["a name with a line break", { name: "a\nb" }, "name"],
  ["a user id that is none", { userId: "a b" }, "userId"],
])("a key with %s is refused, and no user is made for it", async (...[, fields, path]) => {
  await using world = await setUp();
  await expect(world.access.createKey({ userId: "ada", scopes: ["read"], ...fields })).rejects.toMatchObject({
    code: "bad_request",
    extra: { details: [{ path }] },
  });
  expect(await world.access.listUsers()).toEqual([]);
});

test("a user id is made, or taken as given once", async () => {
  await using world = await setUp();
  expect(await world.access.createUser()).toEqual({ userId: expect.stringMatching(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/), createdAt: start });
  await world.access.createUser("ada");
  await expect(world.access.createUser("ada")).rejects.toMatchObject({ code: "bad_request" });
  await expect(world.access.createUser("")).rejects.toMatchObject({ code: "bad_request" });
});

test("nobody and nothing cannot be removed", async () => {
  await using world = await setUp();
  await expect(world.access.deleteUser("ada")).rejects.toMatchObject({ code: "not_found" });
  await expect(world.access.revokeKey("ada")).rejects.toMatchObject({ code: "not_found" });
});

test("a key made again for a user that is there leaves the user alone", async () => {
  await using world = await setUp();
  await world.access.createUser("ada");
  world.clock.now = start + hour;
  await world.access.createKey({ userId: "ada", scopes: ["read"] });
  expect(await world.access.listUsers()).toEqual([{ userId: "ada", createdAt: start }]);
});

test("the first key is made once, with every scope", async () => {
  await using world = await setUp();
  const first = await world.access.createFirstKey();
  expect(await world.access.authenticate(`Bearer ${first?.key}`)).toMatchObject({ userId: first?.userId, scopes: new Set(allScopes) });
  expect(await world.access.createFirstKey()).toBeNull();
});

test("the first key is one, however many processes make it at once", async () => {
  await using world = await setUp();
  await using elsewhere = await world.open();
  const made = await Promise.all(Array.from({ length: 6 }, (_, index) => (index % 2 ? elsewhere.service : world.access).createFirstKey()));
  expect(made.filter((first) => first !== null)).toHaveLength(1);
  expect(await world.access.listKeys()).toHaveLength(1);
});
