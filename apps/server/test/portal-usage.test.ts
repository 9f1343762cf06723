import { expect } from "vitest";
import { configMessage, createMessage, errorMessage } from "./messages.js";
import { PortalClient } from "./portal-client.js";
import { TestServer, withOwnServer as test } from "./test-server.js";

const owner = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
const dayMs = 86_400_000;
const noon = Date.UTC(2026, 4, 1, 12);

interface Counts {
  today: number;
  counts: Array<{ day: number; keyId: string; kind: string; requests: number; refused: number }>;
}

/** Requests since the first of the days, added up by day, key and kind. */
async function readUsage(browser: PortalClient, days = 90): Promise<string[]> {
  const { today, counts } = (await browser.query("usage.requests", { days })).data as Counts;
  const sums = Map.groupBy(counts, ({ day, keyId, kind }) => `${today - day} days ago, ${keyId}, ${kind}`);
  const total = (of: Counts["counts"], name: "requests" | "refused") => of.reduce((sum, each) => sum + each[name], 0);
  return [...sums].map(([place, of]) => `${place}: ${total(of, "requests")}, refused ${total(of, "refused")}`).toSorted();
}

test("counts requests by day, key and kind, also across a restart", async ({ server, client }) => {
  server.clock.now = noon;
  const { browser } = await PortalClient.owner(server, owner);
  const second = await server.client({ userId: client.userId });
  await client.sync(createMessage());
  await client.get("/context/search?query=lamp");
  await client.get("/context/current");
  await second.get("/context/current");
  await server.restart();
  server.clock.now = noon + dayMs;
  await client.get("/context/current");
  await client.get("/context/nowhere");
  expect(await readUsage(browser)).toEqual(
    [
      `1 days ago, ${client.keyId}, sync: 1, refused 0`,
      `1 days ago, ${client.keyId}, search: 1, refused 0`,
      `1 days ago, ${client.keyId}, read: 1, refused 0`,
      `1 days ago, ${second.keyId}, read: 1, refused 0`,
      `0 days ago, ${client.keyId}, read: 2, refused 0`,
    ].toSorted(),
  );
  expect(await readUsage(browser, 1)).toEqual([`0 days ago, ${client.keyId}, read: 2, refused 0`]);
});

test("adds to the counts that are stored, and drops them after 90 days", async ({ server, client }) => {
  server.clock.now = noon;
  const { browser } = await PortalClient.owner(server, owner);
  for (const _ of [1, 2]) {
    await client.get("/context/current");
    await server.restart();
  }
  expect(await server.rows(`SELECT requests FROM usage_by_day`)).toEqual([{ requests: 2 }]);
  server.clock.now = noon + 89 * dayMs;
  await server.restart();
  expect(await readUsage(browser)).toEqual([`89 days ago, ${client.keyId}, read: 2, refused 0`]);
  server.clock.now = noon + 90 * dayMs;
  await server.restart();
  await expect.poll(() => server.rows(`SELECT requests FROM usage_by_day`)).toEqual([]);
});

test("erases the counts with their user", async ({ server, client }) => {
  await client.get("/context/current");
  await server.restart();
  await client.get("/context/current");
  expect(await server.rows(`SELECT requests FROM usage_by_day WHERE "userId" = ?`, client.userId)).toHaveLength(1);
  const { body } = await client.send("DELETE", "/data", {
    body: JSON.stringify({ confirm: client.userId }),
    headers: { "Content-Type": "application/json" },
  });
  expect(body).toMatchObject({ counts: { usage: 1 }, verified: { found: 0 } });
  await server.restart();
  expect(await server.rows(`SELECT requests FROM usage_by_day`)).toEqual([]);
});

test("says where the user stands in each rate limit, and counts what was over one", async () => {
  await using server = await TestServer.start({
    rateLimits: { sync: 3, batchSync: 4, read: 2, search: 6, delete: 7, anonymous: 60 },
  });
  const client = await server.client();
  server.clock.now = noon;
  const { browser } = await PortalClient.owner(server, owner);
  for (const status of [200, 404, 429, 429]) expect((await client.get(`/context/${status === 404 ? "x" : "history"}`)).status).toBe(status);
  server.clock.now = noon + 60_000;
  expect(await browser.query("usage.limits")).toMatchObject({
    data: [
      { budget: "sync", limit: 3, used: 0 },
      { budget: "batchSync", limit: 4 },
      { budget: "read", limit: 2, used: 1, resetAt: new Date(noon + 120_000).toISOString() },
      { budget: "search" },
      { budget: "delete" },
    ],
  });
  expect(await readUsage(browser)).toEqual([`0 days ago, ${client.keyId}, read: 4, refused 2`]);
});

test("sums contexts and their bytes by day", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, owner);
  server.clock.now = noon;
  for (const [id, at, content] of [
    ["one", noon, "lamp"],
    ["two", noon - 3_600_000, "four"],
    ["three", noon - dayMs, "löwe"],
    ["old", noon - 40 * dayMs, "old"],
  ] as const)
    await client.sync(createMessage({ context: { id, content, capturedAt: new Date(at).toISOString() } }));
  const today = Math.floor(noon / dayMs);
  const { data } = await browser.query("usage.stored", { days: 30 });
  expect((data as Array<{ day: number }>).toSorted((one, other) => one.day - other.day)).toEqual([
    { day: today - 1, contexts: 1, bytes: 5 },
    { day: today, contexts: 2, bytes: 8 },
  ]);
});

test("makes a key that works, shows it once, and revokes it", async ({ server }) => {
  server.clock.now = noon;
  const { browser, key: first } = await PortalClient.owner(server, owner);
  const wanted = { name: " Cursor ", scopes: ["read"], maxPrivacyLevel: "private", expiresInDays: 30 };
  const made = (await browser.mutate("keys.create", wanted)).data as { key: string; keyId: string };
  const send = (key: string) => fetch(`${server.baseUrl}/key`, { headers: { Authorization: `Bearer ${key}` } });
  const body = (await (await send(made.key)).json()) as object;
  expect(body).toMatchObject({ name: "Cursor", scopes: ["read"], maxPrivacyLevel: "private" });
  const listed = await browser.query("keys.list");
  expect(JSON.stringify(listed)).not.toContain(made.key);
  expect(listed.data).toMatchObject([
    { keyId: made.keyId, name: "Cursor", revokedAt: null, uses: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
    { name: "first key" },
  ]);
  expect(await browser.mutate("keys.revoke", { keyId: made.keyId })).toMatchObject({ status: 200 });
  expect([(await send(made.key)).status, (await send(first)).status]).toEqual([401, 200]);
});

test("refuses to revoke or unpair what another user has", async ({ server, client }) => {
  await server.access.createUser();
  const { browser } = await PortalClient.owner(server, owner);
  await client.sync(configMessage("of another", 1, {}, "device"));
  expect(await browser.mutate("keys.revoke", { keyId: client.keyId })).toMatchObject({ status: 404 });
  expect(await browser.mutate("devices.unpair", { extensionId: "device" })).toMatchObject({ status: 404 });
  expect((await client.get("/key")).status).toBe(200);
});

test("lists devices with what they reported and their key, and unpairs one", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, owner);
  const phone = await server.client({ userId: client.userId, name: "phone" });
  server.clock.now = Date.UTC(2026, 0, 31, 13);
  await client.sync(configMessage("first", 1, { queued: 3 }));
  await phone.sync(configMessage("second", 2, { queued: 0 }, "phone"));
  await phone.sync({ ...errorMessage("offline"), extensionId: "phone" });
  const key = { isValid: true, sharedBy: 0 };
  expect(await browser.query("devices.list")).toMatchObject({
    data: [
      { extensionId: "phone", key: { ...key, name: "phone" }, settings: { queued: 0 }, troubles: [{ code: "offline", times: 1 }] },
      { extensionId: "laptop", key: { ...key, keyId: client.keyId }, settings: { queued: 3 }, troubles: [] },
    ],
  });
  expect(await browser.mutate("devices.unpair", { extensionId: "phone" })).toMatchObject({ status: 200 });
  expect([(await phone.get("/key")).status, (await client.get("/key")).status]).toEqual([401, 200]);
  expect(await browser.query("devices.list")).toMatchObject({ data: [{ key: { isValid: false } }, { key }] });
});

test("lists the 100 devices that were heard of last, and unpairs any", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, owner);
  const [late, later] = [await server.client({ userId: client.userId }), await server.client({ userId: client.userId })];
  await late.sync(configMessage("late", 1, {}, "y"));
  const others = Array.from({ length: 99 }, (_, index) => configMessage(`other ${index}`, 2, {}, `device-${index}`));
  expect((await client.batch(others)).body.failed).toBe(0);
  await client.sync(configMessage("last but one", 3, {}, "device-x"));
  await later.sync(configMessage("last", 4, {}, "z"));
  const listed = (await browser.query("devices.list")).data as Array<{ extensionId: string }>;
  expect(listed).toHaveLength(100);
  expect(listed.slice(0, 2)).toMatchObject([{ extensionId: "z" }, { extensionId: "device-x" }]);
  for (const extensionId of ["y", "z"]) expect(await browser.mutate("devices.unpair", { extensionId })).toMatchObject({ status: 200 });
  expect([(await late.get("/key")).status, (await later.get("/key")).status, (await client.get("/key")).status]).toEqual([401, 401, 200]);
});
