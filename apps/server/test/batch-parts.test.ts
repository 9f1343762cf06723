import { expect } from "vitest";
import { unavailable } from "../src/domain-error.js";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { openSyncWorld } from "./sync-world.js";
import { withSharedServer as it } from "./test-server.js";

const long = "harbour ".repeat(20_000);
/** A content of 1 MiB that is quick to filter and to analyse. */
const mebibyte = "harbour ".padEnd(1_048_576);
const ids = (count: number) => Array.from({ length: count }, (_, number) => `c${number}`);
const titles = (id: string) => Array.from({ length: 100 }, (_, number) => updateMessage(id, { title: `Title${number}` }));
/** Updates after each of which the whole content must be filtered again. */
const flips = (id: string, count: number) =>
  Array.from({ length: count }, (_, number) => updateMessage(id, { contentFormat: number % 2 ? "text" : "markdown" }));

it("splits many updates and deletes into parts, but not those of one context", async () => {
  await using world = await openSyncWorld();
  const { send, commits } = world;
  await send(ids(100).map((id) => createMessage({ context: { id } })));
  await send(ids(20).map((id) => updateMessage(id, { title: "New" })));
  await send(ids(100).map(() => updateMessage("c0", { title: "Newer" })));
  await send(Array.from({ length: 64 }, (_, index) => updateMessage(`c${index % 16}`, { title: `Newest ${index}` })));
  await send(ids(100).map((id) => deleteMessage(id)));
  expect(commits).toEqual([100, 8, 8, 4, 100, ...Array<number>(8).fill(8), 32, 32, 32, 4]);
});

it("answers what is stored as stored when a later part fails", async () => {
  await using world = await openSyncWorld();
  const { send, before, metrics } = world;
  const fail = () => Promise.reject(unavailable("The server's disk is full.", 5));
  const messages = ["a", "b", "c"].map((id) => createMessage({ context: { id, content: mebibyte } }));
  before.commit = async () => (before.commit = fail);
  const { results, synced, failed } = await send(messages);
  const error = { code: "internal_error", message: "The server's disk is full.", retryable: true };
  expect([synced, failed]).toEqual([1, 2]);
  expect(results).toMatchObject([{ contextId: "a" }, { messageId: messages[1]?.id, error }, { messageId: messages[2]?.id, error }]);
  const counted = (await metrics.exposition()).text.match(/^periscope_sync_messages_total.*"create".* [1-9]\d*$/gm);
  expect(counted?.sort()).toEqual([expect.stringMatching(/internal_error.* 2$/), expect.stringMatching(/stored.* 1$/)]);
  expect((await send(messages)).results).toMatchObject([{ duplicate: true }, { contextId: "b" }, { contextId: "c" }]);
  before.commit = fail;
  await expect(send([{ type: "nothing" }, createMessage()])).rejects.toMatchObject({ code: "unavailable" });
});

it("filters a long page once and analyses it once more for 100 new titles", async () => {
  await using world = await openSyncWorld();
  const { given, send } = world;
  await send([createMessage({ context: { id: "c", content: long } })]);
  expect(given.splice(0)).toMatchObject([{ kind: "capture" }]);
  expect((await send(titles("c"))).synced).toBe(100);
  // The patches themselves are small, and filtered for their fingerprints.
  expect(given.splice(0).filter(({ kind }) => kind !== "patch")).toMatchObject([{ kind: "searchable", context: { title: "Title99" } }]);
  await send([updateMessage("c", { tabMetadata: { isActive: false } }, { timestamp: "2026-01-31T12:00:03.000Z" })]);
  expect(given).toEqual([]);
});

it("finds the last title of a batch, and the content as before", async ({ client }) => {
  await client.sync(createMessage({ context: { id: "c", content: long } }));
  expect((await client.batch(titles("c"))).body.synced).toBe(100);
  expect((await client.get("/context/c")).body).toMatchObject({ title: "Title99", content: long });
  const totals = [];
  for (const word of ["Title99", "Title98", "harbour"]) totals.push((await client.get(`/context/search?query=%22${word}%22`)).body.total);
  expect(totals).toEqual([1, 0, 1]);
});

it("works off a batch of long pages in order, with a result for each message", async ({ client }) => {
  const messages = [
    createMessage({ context: { id: "a", content: mebibyte } }),
    updateMessage("a", { title: "New", content: long }),
    { type: "nothing" },
    createMessage({ context: { id: "b", content: mebibyte } }),
    updateMessage("missing", { content: mebibyte }),
  ];
  const { body } = await client.batch(messages);
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual(["success", "success", "error", "success", "error"]);
  expect((await client.get("/context/a")).body).toMatchObject({ title: "New", content: long });
  const again = await client.batch(messages);
  expect(again.body.results.map(({ duplicate }: { duplicate?: true }) => duplicate)).toEqual([true, true, undefined, true, undefined]);
});

it("rejects a batch that needs over 16 MiB of stored text, and stores nothing", async ({ server, client }) => {
  expect((await client.batch(ids(17).map((id) => createMessage({ context: { id } })))).body.synced).toBe(17);
  await server.rows(`UPDATE contexts SET content = ? WHERE "userId" = ?`, mebibyte, client.userId);
  const updates = ids(17).map((id) => updateMessage(id, { title: "New" }));
  const refused = await client.batch(updates);
  expect([refused.status, refused.body.error, refused.body.maxBytes]).toEqual([413, "payload_too_large", 16_777_216]);
  expect((await client.get("/context/c0")).body.title).toBe("Lighthouses");
  expect((await client.batch(flips("c16", 17))).status).toBe(413);
  expect((await client.batch(updates.slice(1))).body.synced).toBe(16);
});

it("bounds stored text that a batch has filtered again, whatever its parts", async ({ server, client }) => {
  await client.batch(ids(2).map((id) => createMessage({ context: { id } })));
  await server.rows(`UPDATE contexts SET content = ? WHERE "userId" = ?`, mebibyte, client.userId);
  const others = ids(7).map((id) => updateMessage(`new-${id}`, { title: "New" }));
  const { status, body } = await client.batch([...flips("c0", 9), ...others, ...flips("c1", 8)]);
  expect([status, body.synced]).toEqual([207, 9]);
  const errors = body.results.map(({ error }: { error?: { code: string } }) => error?.code);
  expect(errors.slice(9)).toEqual([...others.map(() => "not_found"), ...flips("c1", 8).map(() => "internal_error")]);
});
