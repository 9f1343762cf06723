import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createTestDatabase } from "../../test/test-database.js";
import { engineOf } from "../storage/engine.js";
import { createAccessService } from "./access.service.js";
import { allScopes } from "./access.store.js";

const start = Date.UTC(2026, 0, 31);
const hour = 3_600_000;

/** The service over a database of its own. */
async function setUp() {
  const directory = mkdtempSync(join(tmpdir(), "periscope-access-"));
  const database = await createTestDatabase(directory);
  const clock = { now: start };
  const open = async () => {
    const storage = await engineOf(database.url).open({ searchTimeoutMs: 1000 });
    const service = createAccessService({ store: storage.access, clock: () => clock.now });
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

test.each([
  ["no scope", { scopes: [] }, "scopes"],
  ["no lifetime", { expiresInMs: 0 }, "expiresAt"],
  ["an invalid lifetime", { expiresInMs: Number.NaN }, "expiresAt"],
  ["an expiry beyond all dates", { expiresInMs: 1e300 }, "expiresAt"],
  ["a long name", { name: "x".repeat(129) }, "name"],
  ["a name with a line break", { name: "a\nb" }, "name"],
  ["an invalid user id", { userId: "a b" }, "userId"],
])("rejects a key with %s, and creates no user for it", async (...[, fields, path]) => {
  await using world = await setUp();
  await expect(world.access.createKey({ userId: "ada", scopes: ["read"], ...fields })).rejects.toMatchObject({
    code: "bad_request",
    extra: { details: [{ path }] },
  });
  expect(await world.access.listUsers()).toEqual([]);
});

test("creates a user with a new or a given id, once", async () => {
  await using world = await setUp();
  expect(await world.access.createUser()).toEqual({ userId: expect.stringMatching(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/), createdAt: start });
  await world.access.createUser("ada");
  await expect(world.access.createUser("ada")).rejects.toMatchObject({ code: "bad_request" });
  await expect(world.access.createUser("")).rejects.toMatchObject({ code: "bad_request" });
});

test("rejects deleting an unknown user or key", async () => {
  await using world = await setUp();
  await expect(world.access.deleteUser("ada")).rejects.toMatchObject({ code: "not_found" });
  await expect(world.access.revokeKey("ada")).rejects.toMatchObject({ code: "not_found" });
});

test("creates the first key once, with every scope, and none where there is a user", async () => {
  await using world = await setUp();
  const first = await world.access.createFirstKey();
  expect(await world.access.authenticate(`Bearer ${first?.key}`)).toMatchObject({ userId: first?.userId, scopes: new Set(allScopes) });
  expect(await world.access.createFirstKey()).toBeNull();
  await using other = await setUp();
  await other.access.createUser("ada");
  expect(await other.access.createFirstKey()).toBeNull();
});

test("stores the time of the last use", async () => {
  await using world = await setUp();
  const { key } = await world.access.createKey({ userId: "ada", scopes: ["read"] });
  world.clock.now = start + hour;
  await world.access.authenticate(`Bearer ${key}`);
  await vi.waitFor(async () => expect(await world.access.listKeys("ada")).toMatchObject([{ lastUsedAt: start + hour }]), 60_000);
});

test("a key for an existing user leaves the user unchanged", async () => {
  await using world = await setUp();
  await world.access.createUser("ada");
  world.clock.now = start + hour;
  await world.access.createKey({ userId: "ada", scopes: ["read"] });
  expect(await world.access.listUsers()).toEqual([{ userId: "ada", createdAt: start }]);
});
