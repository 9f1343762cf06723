import Database from "better-sqlite3";
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { configMessage, createMessage, deleteMessage, updateMessage } from "./messages.js";
import { rawFiles, uniqueWord, wordsIn } from "./stored-bytes.js";
import type { TestClient } from "./test-client.js";
import { TestCommand } from "./test-command.js";
import { type TestServer, withOwnServer as it } from "./test-server.js";

/** A context of this many bytes with a word of its own in each of its texts. */
function marked(id: string, size: number) {
  const words = Array.from({ length: 5 }, uniqueWord);
  const [inUrl, inTitle, inContent, note, lang] = words;
  const tab = { url: `https://e.example/${inUrl}`, title: `A ${inTitle} page` };
  const content = `${"lorem ipsum ".repeat(size / 24)} ${inContent} ${"dolor sit ".repeat(size / 20)}`;
  return { words, fields: { id, ...tab, content, metadata: { note }, tabMetadata: { id: "7", ...tab, lang } } };
}

// From a few to a page of the database to many overflow pages.
const sizes = [50, 800, 3000, 9000, 40_000];

/** Syncs contexts; the words that each one leaves in the database. */
async function fill(client: TestClient, count: number): Promise<Map<string, string[]>> {
  const made = Array.from({ length: count }, (_, index) => marked(`c${index}`, sizes[index % sizes.length] ?? 0));
  for (let start = 0; start < count; start += 50) {
    const messages = made.slice(start, start + 50).map(({ fields }) => createMessage({ context: fields }));
    expect((await client.batch(messages)).body.failed).toBe(0);
  }
  return new Map(made.map(({ fields, words }) => [fields.id, words]));
}

/** Removes or replaces three of four contexts, in all the ways there are; the words that have to go, and those that have to stay. */
async function removeMost(client: TestClient, stored: Map<string, string[]>) {
  const [gone, live]: string[][] = [[], []];
  const statuses = new Set<number>();
  for (const [index, [id, words]] of [...stored].entries()) {
    (index % 4 === 3 ? live : gone)?.push(...words);
    const next = marked(id, sizes[(index + 2) % sizes.length] ?? 0);
    if (index % 4 === 0) statuses.add((await client.delete(`/context/${id}`)).status);
    if (index % 4 === 1) statuses.add((await client.sync(deleteMessage(id))).status);
    if (index % 4 !== 2) continue;
    statuses.add((await client.sync(updateMessage(id, next.fields))).status);
    live?.push(...next.words);
  }
  expect(statuses).toEqual(new Set([201, 204]));
  return { gone: gone ?? [], live: live ?? [] };
}

const config = (word: string, minute: number) => configMessage(word, minute, { theme: word }, "default");

/** A stretch of each context's stored terms, from behind the start, which all have alike. */
async function termsOf(server: TestServer): Promise<string[]> {
  return (await server.rows<{ terms: Buffer }>("SELECT terms FROM search_terms")).map(({ terms }) => terms.toString("latin1", 24, 64));
}

/** Which of the unique words, and of the stretches, are in the server's files. */
const found = ({ config: { dataDir } }: TestServer, words: readonly string[]) => wordsIn(rawFiles(dataDir), words);
const termsIn = ({ config: { dataDir } }: TestServer, terms: readonly string[]) => {
  const files = rawFiles(dataDir);
  return terms.filter((stretch) => files.some(({ bytes }) => bytes.includes(stretch)));
};

const storageOf = (server: TestServer) => server.openStorage();

it("leaves nothing deleted or replaced in any file once the database is cleared", async ({ server, client }) => {
  const stored = await fill(client, 240);
  const terms = await termsOf(server);
  const { gone, live } = await removeMost(client, stored);
  const liveTerms = await termsOf(server);
  const goneTerms = terms.filter((stretch) => !liveTerms.includes(stretch));
  expect([goneTerms.length, liveTerms.length]).toEqual([180, 120]);
  const [before, after, ...ids] = Array.from({ length: 4 }, uniqueWord) as [string, string, string, string];
  await client.sync({ ...config(before, 1), id: ids[0] });
  await client.sync({ ...config(after, 2), id: ids[1] });
  gone.push(before);
  live.push(after);
  // As it would be without: the log has the pages of before, and the index the words.
  expect(found(server, gone).length).toBeGreaterThan(100);

  const pages = async () => (await server.rows<{ page_count: number }>("PRAGMA page_count"))[0]?.page_count ?? 0;
  const pagesBefore = await pages();
  await using storage = await storageOf(server);
  await storage.scrub();
  expect([found(server, gone), found(server, live)]).toEqual([[], live]);
  // Half of the text is gone, and the file has given its room back.
  expect(await pages()).toBeLessThan(0.8 * pagesBefore);
  // Rows that small may leave a copy where SQLite has moved one: only a database that is written anew has none.
  expect(termsIn(server, goneTerms).length).toBeLessThan(5);
  expect(termsIn(server, liveTerms)).toEqual(liveTerms);

  // The index is in one piece now, which goes another way.
  const { fields, words } = marked("one", 800);
  await client.sync(createMessage({ context: fields }));
  await storage.scrub();
  expect(found(server, words)).toEqual(words);
  await client.delete("/context/one");
  await storage.scrub();
  expect(found(server, words)).toEqual([]);

  await storage.scrub({ rebuild: true });
  expect([termsIn(server, goneTerms), found(server, [...gone, ...words])]).toEqual([[], []]);
  expect((await client.get(`/context/search?query=${live.at(-3)}`)).body.total).toBe(1);
});

it("clears the database when a server starts, and leaves no log when it stops", async ({ server, client }) => {
  const { gone, live } = await removeMost(client, await fill(client, 40));
  await server.restart();
  await expect.poll(() => found(server, gone)).toEqual([]);
  expect(found(server, live)).toEqual(live);
  await client.sync(createMessage());
  expect(existsSync(`${server.databaseFile}-wal`)).toBe(true);
  await server.close();
  expect(existsSync(`${server.databaseFile}-wal`)).toBe(false);
});

it("leaves nothing of a deleted user, also beside a running server", async ({ server }) => {
  const [deleted, kept] = [await server.client(), await server.client()];
  const gone = [...(await fill(deleted, 60)).values()].flat();
  const goneTerms = await termsOf(server);
  const live = [...(await fill(kept, 20)).values()].flat();
  gone.push(uniqueWord());
  await deleted.sync(config(gone.at(-1) ?? "", 1));
  using command = new TestCommand();
  expect(await command.run("users", "erase", deleted.userId, "--yes", "--data-dir", server.config.dataDir)).toMatchObject({ code: 0 });
  expect([found(server, gone), termsIn(server, [...goneTerms, deleted.userId])]).toEqual([[], []]);
  expect(found(server, live)).toEqual(live);
});

const erase = (client: TestClient) =>
  client.send("DELETE", "/data", { body: JSON.stringify({ confirm: client.userId }), headers: { "Content-Type": "application/json" } });

it("is looked for in the tables for an id so short that other bytes have it by chance", async ({ server }) => {
  const [ada, bob] = [await server.client({ userId: "ada" }), await server.client({ userId: "bob" })];
  await server.rows("CREATE TABLE later AS SELECT userId FROM users WHERE userId = 'ada'");
  expect(await erase(ada)).toMatchObject({ status: 500, body: { message: expect.stringContaining("still found") } });
  expect(await erase(bob)).toMatchObject({ status: 200, body: { verified: { found: 0 } } });
});

it.for<[where: string, userId: string]>([
  ["a page", "jonathan"],
  ["an accented page", "sebastian"],
  ["a list of names", "babbage-charles"],
  ["settings", "midnight-blue"],
  ["the schema", "retention_rules"],
])("erases a user whose id stands in %s of others", async ([, userId], { server, client }) => {
  const named = await server.client({ userId });
  await named.sync(createMessage());
  await client.sync(createMessage({ context: { content: "Jonathan and Sébastian light the lamp." } }));
  await client.putRules({ denyList: ["babbage-charles"] });
  await client.sync(config("midnight-blue", 1));
  const { status, body } = await erase(named);
  expect([status, body.verified]).toEqual([200, expect.objectContaining({ found: 0 })]);
});

it("finds what is left of a user", async ({ server, client }) => {
  await client.sync(createMessage({ context: { content: "Nobody else has written about lighthouses." } }));
  await using storage = await storageOf(server);
  const texts = ["else has written", "never written"];
  expect(await storage.verifyErased(client.userId, texts)).toMatchObject({ found: 2 });
});

it("waits until nobody reads old pages any more", async ({ server, client }) => {
  const { gone } = await removeMost(client, await fill(client, 20));
  const reader = new Database(server.databaseFile, { readonly: true });
  reader.exec("BEGIN; SELECT * FROM contexts LIMIT 1");
  await client.sync(createMessage());
  await using storage = await storageOf(server);
  let isCleared = false;
  const clearing = storage.scrub().then(() => (isCleared = true));
  await client.sync(createMessage());
  expect((await client.get("/context/current")).status).toBe(200);
  expect(isCleared).toBe(false);
  reader.exec("COMMIT");
  reader.close();
  await clearing;
  expect(found(server, gone)).toEqual([]);
});

it("erases nothing by the command while another program would keep the receipt from it", async ({ server, client }) => {
  await fill(client, 2);
  await server.close();
  using command = new TestCommand();
  const run = () => command.run("users", "erase", client.userId, "--yes", "--data-dir", server.config.dataDir);
  const reader = new Database(server.databaseFile);
  reader.exec("BEGIN; SELECT count(*) FROM users");
  const writer = new Database(server.databaseFile);
  writer.exec("UPDATE users SET revision = revision");
  writer.close();
  expect(await run()).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("Nothing of the user was deleted, because another program"),
  });
  reader.close();
  const { code, out } = await run();
  expect([code, JSON.parse(out)]).toMatchObject([0, { counts: { contexts: 2 }, verified: { found: 0 } }]);
});
