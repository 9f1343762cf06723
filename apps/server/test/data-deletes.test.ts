import { expect } from "vitest";
import { createContextRemoval, type ContextRemoval } from "../src/contexts/context-removal.js";
import { confirmDelete } from "../src/data/delete.service.js";
import { createUserFilters } from "../src/privacy/user-filters.js";
import { PerUserQueue } from "../src/workers/per-user-queue.js";
import type { ServerTasks } from "../src/worker.js";
import { WorkerPool } from "../src/workers/worker-pool.js";
import { dayOf as at, fillDays as fill, idsOf } from "./day-contexts.js";
import { createMessage, updateMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { withSharedServer as it } from "./test-server.js";

const dryRun = (client: TestClient, where: object) => client.post("/context/delete", { where, dryRun: true });

it("deletes what meets every condition, once its number is confirmed", async ({ client }) => {
  await fill(client);
  const cases: Array<[where: object, matches: number]> = [
    [{ site: "news.example" }, 10],
    [{ site: "news.example/story" }, 10],
    [{ site: "ews.example" }, 0],
    [{ urlPattern: "https://site.*" }, 20],
    [{ type: "page" }, 30],
    [{ type: "selection" }, 0],
    [{ privacyLevel: "filtered" }, 15],
    [{ startTime: at(10), endTime: at(20) }, 10],
    [{ startTime: at(10), endTime: at(20).replace(".000", ".0001") }, 11],
    [{ query: "lamp", startTime: at(10).replace(".000", ".0001"), endTime: at(20) }, 9],
    [{ extensionId: "laptop" }, 15],
    [{ query: "keeper" }, 6],
    [{ query: "keeper nowhere harbour lamp" }, 0],
    [{ query: "kepper" }, 0],
    [{ query: "https://site.example" }, 20],
    [{ query: "https://www.news.example/story/3" }, 1],
    [{ query: "keeper", site: "news.example", extensionId: "laptop" }, 1],
  ];
  for (const [where, matches] of cases) expect([where, (await dryRun(client, where)).body.matches]).toEqual([where, matches]);

  const where = { site: "news.example" };
  const { body: preview } = await dryRun(client, where);
  expect(preview).toMatchObject({ matches: 10, confirm: "10" });
  expect(preview.sample).toHaveLength(10);
  expect((await client.post("/context/delete", { where })).status).toBe(400);
  const { status, body } = await client.post("/context/delete", { where, confirm: "9" });
  expect([status, body.error]).toEqual([409, "conflict"]);
  expect(await idsOf(client)).toHaveLength(30);
  expect((await client.post("/context/delete", { where, confirm: "10" })).body).toEqual({ deleted: 10 });
  expect((await client.post("/context/delete", { where, confirm: "10" })).body).toEqual({ deleted: 0 });
  expect(await idsOf(client)).toHaveLength(20);
  expect((await client.get("/context/search?query=lamp")).body.total).toBe(20);
  // An older message brings nothing back.
  await client.sync(createMessage({ context: { id: "c0" }, timestamp: at(1) }));
  expect(await idsOf(client)).toHaveLength(20);
});

it("refuses conditions that say nothing or make no sense", async ({ client }) => {
  for (const where of [{}, { query: " " }, { site: "///" }, { startTime: at(2), endTime: at(1) }, { type: "poem" }])
    expect([where, (await dryRun(client, where)).status]).toEqual([where, 400]);
});

it("refuses more words than it can hold a context to, and deletes nothing", async ({ client }) => {
  await fill(client);
  const words = Array.from({ length: 32 }, (_, index) => `w${index}`).join(" ");
  const excluded = Array.from({ length: 257 }, (_, index) => `-${index.toString(36)}`).join(" ");
  await client.sync(createMessage({ context: { id: "all", content: words } }));
  expect((await dryRun(client, { query: words })).body.matches).toBe(1);
  for (const query of [`${words} nowhere`, `lamp ${excluded}`])
    for (const rest of [{ dryRun: true }, { confirm: "30" }]) {
      const { status, body } = await client.post("/context/delete", { where: { query }, ...rest });
      expect([status, body]).toMatchObject([
        400,
        { error: "bad_request", message: expect.stringMatching(/where\.query.*at most 32 words/) },
      ]);
    }
  expect(await idsOf(client)).toHaveLength(31);
});

it("refuses a condition that it does not know, and deletes nothing", async ({ client }) => {
  await fill(client);
  const { status, body } = await client.post("/context/delete", { where: { site: "news.example", until: at(2) }, confirm: "10" });
  const message = "where: unknown key until. Known keys: query, urlPattern, site, type, privacyLevel, startTime, endTime, extensionId";
  expect([status, body.error, body.message]).toEqual([400, "bad_request", message]);
  expect(await idsOf(client)).toHaveLength(30);
});

it("leaves other users' contexts and those above the key's level", async ({ server, client }) => {
  const other = await server.client();
  await fill(client);
  await fill(other);
  const bounded = await server.client({ userId: client.userId, maxPrivacyLevel: "private" });
  expect((await dryRun(bounded, { type: "page" })).body.matches).toBe(15);
  expect((await dryRun(bounded, { query: "lamp" })).body.matches).toBe(15);
  expect((await bounded.post("/context/delete", { where: { type: "page" }, confirm: "30" })).body).toEqual({ deleted: 15 });
  expect(await idsOf(client)).toHaveLength(15);
  expect(await idsOf(other)).toHaveLength(30);
});

it("deletes in slices what is more than one of them", async ({ client }) => {
  await fill(client, 1_100);
  expect((await client.post("/context/delete", { where: { type: "page" }, confirm: "1100" })).body).toEqual({ deleted: 1_100 });
});

it("goes on with what is left when it was stopped half-way and is sent again", async ({ server, client }) => {
  await fill(client, 1_100);
  await using storage = await server.openStorage();
  const filters = createUserFilters({ ...storage, operator: {}, version: "1", onFailedClosed: () => {} });
  const removal = createContextRemoval({ store: storage.userData, filters, queue: new PerUserQueue(), clock: Date.now });
  let slices = 0;
  const removeUnchanged: ContextRemoval["removeUnchanged"] = async (userId, chosen) => {
    if (slices++ > 0) throw new Error("stopped");
    return await removal.removeUnchanged(userId, chosen);
  };
  const scope = { userId: client.userId, maxPrivacyLevel: "restricted" } as const;
  const [where, confirm] = [{ type: "page" } as const, "1100"];
  await expect(
    (await confirmDelete({ stores: storage, removal: { ...removal, removeUnchanged } }, scope, where, confirm)).run(),
  ).rejects.toThrow("stopped");
  expect((await client.post("/context/delete", { where, confirm })).body).toEqual({ deleted: 600 });
});

it("keeps a page whose text has changed since a query found it", async ({ server, client }) => {
  await fill(client);
  await using workers = new WorkerPool<ServerTasks>(2);
  await using storage = await server.openStorage({ searchTimeoutMs: 60_000, workers });
  const filters = createUserFilters({ ...storage, operator: {}, version: "1", onFailedClosed: () => {} });
  const removal = createContextRemoval({ store: storage.userData, filters, queue: new PerUserQueue(), clock: () => Date.parse(at(31)) });
  const removeUnchanged: ContextRemoval["removeUnchanged"] = async (userId, chosen) => {
    expect((await client.sync(updateMessage("c5", { content: "No lamp." }, { timestamp: at(31) }))).status).toBe(201);
    return await removal.removeUnchanged(userId, chosen);
  };
  const scope = { userId: client.userId, maxPrivacyLevel: "restricted" } as const;
  expect(
    await (await confirmDelete({ stores: storage, removal: { ...removal, removeUnchanged } }, scope, { query: "keeper" }, "6")).run(),
  ).toEqual({ deleted: 5 });
  expect(await idsOf(client)).toHaveLength(25);
  expect((await client.get("/context/c5")).body.content).toBe("No lamp.");
});
