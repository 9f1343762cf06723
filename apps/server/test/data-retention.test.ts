import { expect } from "vitest";
import { createContextRemoval, type ContextRemoval } from "../src/contexts/context-removal.js";
import { applyRetention } from "../src/data/retention.service.js";
import { createUserFilters } from "../src/privacy/user-filters.js";
import { PerUserQueue } from "../src/workers/per-user-queue.js";
import { dayOf as at, fillDays as fill, idsOf } from "./day-contexts.js";
import { createMessage, updateMessage } from "./messages.js";
import { parsePrometheusText } from "./prometheus-text.js";
import { rawRequest } from "./raw-request.js";
import type { Storage } from "../src/storage/engine.js";
import type { TestClient } from "./test-client.js";
import { withOwnServer as it } from "./test-server.js";

it("applies own rules and the operator's at the start, and counts what it deletes", async ({ server, client }) => {
  const [plain, ruled] = [await server.client(), client];
  await fill(plain);
  await fill(ruled);
  const rules = [
    { keepDays: 20 },
    { keepDays: 5, site: "https://NEWS.example/story/" },
    { keepDays: 9, privacyLevel: "filtered", type: "page" },
  ];
  expect((await ruled.put("/data/retention", { rules: [{ keepDays: 0 }] })).status).toBe(400);
  expect((await ruled.put("/data/retention", { rules: [{ keepDays: 1, site: "?" }] })).status).toBe(400);
  const unknown = await ruled.put("/data/retention", { rules: [{ keepDays: 7 }, { keepDays: 7, sites: "news.example" }] });
  expect([unknown.status, unknown.body.message]).toEqual([
    400,
    "rules.1: unknown key sites. Known keys: keepDays, type, privacyLevel, site",
  ]);
  rules[1]!.site = "news.example/story";
  const stored = await ruled.put("/data/retention", { rules });
  expect([stored.status, stored.body.rules]).toEqual([200, rules]);
  expect((await plain.get("/data/retention")).body).toEqual({ rules: [], updatedAt: null, defaultDays: null, maxDays: null });

  server.config.retention = { defaultDays: 25, maxDays: 28 };
  server.clock.now = Date.parse(at(31)) + 1;
  await server.restart();
  const fresh = createMessage({ context: { id: "fresh" } });
  expect((await ruled.sync(fresh)).status).toBe(201);
  const expected = (keeps: (number: number, age: number) => boolean) =>
    Array.from({ length: 30 }, (_, number) => number)
      .filter((number) => keeps(number, 31 - (1 + number)))
      .map((number) => `c${number}`);
  const left = expected((number, age) => age < (number % 3 === 0 ? 5 : number % 2 === 0 ? 9 : 20) || (number % 3 === 0 && age < 5));
  await expect.poll(async () => (await idsOf(ruled)).toSorted()).toEqual([...left, "fresh"].toSorted());
  const leftOfPlain = expected((_, age) => age < 25);
  await expect.poll(async () => (await idsOf(plain)).toSorted()).toEqual(leftOfPlain.toSorted());
  const origin = `http://127.0.0.1:${new URL(server.baseUrl).port}`;
  const deleted = async () =>
    parsePrometheusText((await rawRequest(origin, { path: "/metrics" })).text).value("periscope_retention_deleted_total", {});
  await expect.poll(deleted).toBe(2 * 30 - left.length - leftOfPlain.length);
  expect((await plain.get("/data/retention")).body).toMatchObject({ defaultDays: 25, maxDays: 28 });
});

it("names a few of the conditions that it does not know, each cut", async ({ client }) => {
  const rule = { keepDays: 7, sites: "news.example", ["x".repeat(100)]: 1, kind: "page", level: "public" };
  const { status, body } = await client.put("/data/retention", { rules: [rule] });
  const named = `sites, ${"x".repeat(64)}, kind and others`;
  expect([status, body.message]).toEqual([400, `rules.0: unknown key ${named}. Known keys: keepDays, type, privacyLevel, site`]);
});

it("answers a stored rule with its condition of a later version, and refuses to store it", async ({ server, client }) => {
  await client.put("/data/retention", { rules: [{ keepDays: 7, type: "page" }] });
  const stored = JSON.stringify([{ keepDays: 7, type: "page", language: "de" }]);
  await server.rows('UPDATE retention_rules SET rules = ? WHERE "userId" = ?', stored, client.userId);
  const { status, body } = await client.get("/data/retention");
  expect([status, body.rules]).toEqual([200, [{ keepDays: 7, type: "page", language: "de" }]]);
  expect((await client.put("/data/retention", { rules: body.rules })).status).toBe(400);
});

it("deletes nothing by rules that it cannot read, and cleans up for everybody else", async ({ server, client }) => {
  // The others come after these two, in whose rules the run fails.
  const later = await server.client();
  for (const each of [client, later, await server.client(), await server.client()]) await fill(each);
  const stored: Array<[TestClient, string]> = [
    [client, "no JSON"],
    [later, JSON.stringify([{ keepDays: 1, language: "de" }])],
  ];
  for (const [each, rules] of stored) {
    await each.put("/data/retention", { rules: [{ keepDays: 1 }] });
    await server.rows('UPDATE retention_rules SET rules = ? WHERE "userId" = ?', rules, each.userId);
  }
  server.config.retention = { defaultDays: 1, maxDays: null };
  server.clock.now = Date.now() + 30 * 86_400_000;
  await server.restart();
  const left = async () => (await server.rows<{ userId: string }>('SELECT DISTINCT "userId" FROM contexts')).map(({ userId }) => userId);
  await expect.poll(async () => (await left()).toSorted()).toEqual([client.userId, later.userId].toSorted());
  const records = () => server.rows("SELECT 1 AS one FROM processed_messages");
  await expect.poll(records).toEqual([]);
});

const lastDay = () => Date.parse(at(31));

function removalOf(storage: Storage): ContextRemoval {
  const filters = createUserFilters({ ...storage, operator: {}, version: "1", onFailedClosed: () => {} });
  return createContextRemoval({ store: storage.userData, filters, queue: new PerUserQueue(), clock: lastDay });
}

it("keeps contexts that are written during a retention run", async ({ server, client }) => {
  await fill(client, 1_200);
  await using storage = await server.openStorage();
  const removal = removalOf(storage);
  const written: string[] = [];
  let slices = 0;
  const removeUnchanged: ContextRemoval["removeUnchanged"] = async (userId, chosen) => {
    // Somebody views a page again after it was chosen, and another page while the slice is deleted.
    const [seen = { contextId: "" }, fresh] = [chosen[slices++], `fresh-${slices}`];
    const timestamp = at(31);
    const again = await client.sync(updateMessage(seen.contextId, { capturedAt: timestamp }, { timestamp }));
    const [deleted, added] = await Promise.all([
      removal.removeUnchanged(userId, chosen),
      client.sync(createMessage({ timestamp, context: { id: fresh, capturedAt: timestamp } })),
    ]);
    expect([again.status, added.status, deleted]).toEqual([201, 201, chosen.length - 1]);
    written.push(seen.contextId, fresh);
    return deleted;
  };
  const operatorRetention = { defaultDays: null, maxDays: 2 };
  const deps = { stores: storage, removal: { ...removal, removeUnchanged }, clock: lastDay, operatorRetention };
  // All but those of the last two days.
  expect(await applyRetention(deps, { userId: client.userId })).toBe(1_120 - slices);
  expect(slices).toBe(3);
  const left = await idsOf(client);
  expect(left).toHaveLength(80 + written.length);
  expect(left).toEqual(expect.arrayContaining(written));
});

it("goes on by the rules that take the place of others during a run", async ({ server, client }) => {
  await fill(client, 1_200);
  await client.put("/data/retention", { rules: [{ keepDays: 2 }] });
  await using storage = await server.openStorage();
  const removal = removalOf(storage);
  const changes = [[{ keepDays: 10, type: "page" }], []];
  const removeUnchanged: ContextRemoval["removeUnchanged"] = async (...given) => {
    const deleted = await removal.removeUnchanged(...given);
    const rules = changes.shift();
    if (rules) expect((await client.put("/data/retention", { rules })).status).toBe(200);
    return deleted;
  };
  const deps = { stores: storage, removal: { ...removal, removeUnchanged }, clock: lastDay };
  const operatorRetention = { defaultDays: null, maxDays: null };
  const run = () => applyRetention({ ...deps, operatorRetention }, { userId: client.userId });
  // A slice by the first rules, then what the second let go beyond that: the first twenty days.
  expect([await run(), changes]).toEqual([800, []]);
  expect((await client.get("/context/history?limit=1")).body.total).toBe(400);
});
