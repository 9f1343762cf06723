import { expect, vi } from "vitest";
import { withOwnServer as test } from "../../test/test-server.js";
import { validKeysMax } from "./access.service.js";
import { allScopes } from "./access.store.js";

const hour = 3_600_000;

test.for<[what: string, fields: object, path: string]>([
  ["no scope", { scopes: [] }, "scopes"],
  ["no lifetime", { expiresInMs: 0 }, "expiresAt"],
  ["an invalid lifetime", { expiresInMs: Number.NaN }, "expiresAt"],
  ["an expiry beyond all dates", { expiresInMs: 1e300 }, "expiresAt"],
  ["a long name", { name: "x".repeat(129) }, "name"],
  ["a name with a line break", { name: "a\nb" }, "name"],
  ["an invalid user id", { userId: "a b" }, "userId"],
])("rejects a key with %s, and creates no user for it", async ([, fields, path], { server: { access } }) => {
  const refusal = { code: "bad_request", extra: { details: [{ path }] } };
  await expect(access.createKey({ userId: "ada", makesUser: true, scopes: ["read"], ...fields })).rejects.toMatchObject(refusal);
  expect(await access.listUsers()).toEqual([]);
});

test("creates a user once, under a new or a given id, and no key changes it", async ({ server }) => {
  const { access, clock } = server;
  clock.now = Date.UTC(2026, 0, 31);
  const ada = { userId: "ada", createdAt: clock.now };
  expect((await access.createUser()).userId).toMatch(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/);
  expect(await access.createUser("ada")).toEqual(ada);
  for (const taken of ["ada", ""]) await expect(access.createUser(taken)).rejects.toMatchObject({ code: "bad_request" });
  clock.now += hour;
  await access.createKey({ userId: "ada", scopes: ["read"] });
  expect(await access.listUsers()).toContainEqual(ada);
});

test("makes no user for a key, unless an operator asks for it", async ({ server: { access } }) => {
  await expect(access.createKey({ userId: "ada", scopes: ["read"] })).rejects.toMatchObject({ code: "unauthorized" });
  expect(await access.listUsers()).toEqual([]);
  await access.createKey({ userId: "ada", makesUser: true, scopes: ["read"] });
  expect(await access.listUsers()).toMatchObject([{ userId: "ada" }]);
});

test("gives a user at most 100 valid keys, also to many who ask at once", async ({ server: { access, clock } }) => {
  clock.now = Date.UTC(2026, 0, 31);
  for (const userId of ["ada", "grace"]) await access.createUser(userId);
  const create = (expiresInMs?: number) => access.createKey({ userId: "ada", scopes: ["read"], expiresInMs });
  const { record } = await create();
  await create(hour);
  for (let keys = 2; keys < validKeysMax - 1; keys++) await create();
  const made = await Promise.allSettled([create(), create(), create()]);
  expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(create()).rejects.toMatchObject({ code: "conflict" });
  await access.createKey({ userId: "grace", scopes: ["read"] });
  clock.now += hour;
  await create();
  await expect(create()).rejects.toMatchObject({ code: "conflict" });
  await access.revokeKey(record.keyId);
  await create();
  await expect(create()).rejects.toMatchObject({ code: "conflict" });
});

test("rejects deleting an unknown user or key", async ({ server: { access } }) => {
  await expect(access.deleteUser("ada")).rejects.toMatchObject({ code: "not_found" });
  await expect(access.revokeKey("ada")).rejects.toMatchObject({ code: "not_found" });
});

test("creates the first key once, with every scope, and none where there is a user", async ({ server: { access } }) => {
  const made = await Promise.all(Array.from({ length: 6 }, () => access.createFirstKey()));
  const [first, ...others] = made.filter((each) => each !== null);
  expect(others).toEqual([]);
  expect(await access.listKeys()).toMatchObject([{ userId: first?.userId, scopes: allScopes }]);
  expect(await access.createFirstKey()).toBeNull();
});

test("stores the time of the last use", async ({ server, client }) => {
  server.clock.now = Date.now() + hour;
  await client.get("/context/history");
  const used = [{ lastUsedAt: server.clock.now }];
  await vi.waitFor(async () => expect(await server.access.listKeys(client.userId)).toMatchObject(used), 60_000);
});
