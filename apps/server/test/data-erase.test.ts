import Database from "better-sqlite3";
import pg from "pg";
import { expect } from "vitest";
import { createEraseService } from "../src/data/erase.service.js";
import { fillDays as fill, idsOf } from "./day-contexts.js";
import { configMessage, createMessage } from "./messages.js";
import { rawFiles } from "./stored-bytes.js";
import { TestCommand } from "./test-command.js";
import { testEngine } from "./test-database.js";
import { TestServer, withOwnServer as it } from "./test-server.js";
import { noChanges, writtenContext } from "./written-context.js";

const erase = (client: { userId: string; send: (...given: any[]) => Promise<any> }, confirm = client.userId) =>
  client.send("DELETE", "/data", { body: JSON.stringify({ confirm }), headers: { "Content-Type": "application/json" } });

it("erases everything of a user with a receipt, and nothing of other users", async ({ server, client }) => {
  const other = await server.client();
  await fill(client, 150);
  await fill(other, 150);
  for (let index = 0; index < 5; index++)
    await client.sync(createMessage({ context: { content: `only ${client.userId} has written this page, number ${index}. `.repeat(40) } }));
  await client.sync(configMessage("config", 1, { theme: client.userId }));
  await client.putRules({ denyList: ["Ada Lovelace"] });
  await client.put("/data/retention", { rules: [{ keepDays: 3650 }] });
  expect((await erase(client, other.userId)).status).toBe(400);
  const { status, body } = await erase(client);
  const method = testEngine() === "sqlite" ? "files" : "tables";
  expect([status, body]).toEqual([
    200,
    {
      erasedAt: expect.stringMatching(/^\d{4}-/),
      counts: expect.objectContaining({ contexts: 155, extensions: 1, privacyRules: 1, retentionRules: 1, keys: 1 }),
      verified: { method, filesSearched: expect.any(Number), tablesSearched: expect.any(Number), found: 0 },
    },
  ]);
  expect(body.verified.filesSearched + body.verified.tablesSearched).toBeGreaterThan(0);
  expect((await client.get("/context/history")).status).toBe(401);
  expect(await idsOf(other)).toHaveLength(150);
  expect((await other.get("/context/search?query=keeper")).body.total).toBe(30);
  if (testEngine() === "postgres") return;
  const named = rawFiles(server.config.dataDir).filter(({ bytes }) => bytes.includes(client.userId));
  expect(named.map(({ file }) => file)).toEqual([]);
});

/** Keeps contexts from being deleted until it is called. */
async function holdContexts({ config, databaseFile }: TestServer): Promise<() => unknown> {
  if (testEngine() === "sqlite") {
    const db = new Database(databaseFile);
    db.exec("BEGIN IMMEDIATE");
    return () => db.close();
  }
  const other = new pg.Client(config.databaseUrl);
  await other.connect();
  await other.query("BEGIN; LOCK TABLE contexts IN SHARE MODE");
  return () => other.end();
}

it("finishes erasing when the connection is cut, and repeats the receipt", async () => {
  // A statement waits for a lock for a third of it.
  await using server = await TestServer.start({ databaseTimeoutMs: 180_000 });
  const client = await server.client();
  await fill(client, 600);
  // In one minute both are counted together.
  server.clock.now = Date.now();
  const deletesLeft = async () => (await client.get("/key")).body.limits.delete.remaining as number;
  const before = await deletesLeft();
  const release = await holdContexts(server);
  const cut = new AbortController();
  const body = JSON.stringify({ confirm: client.userId });
  const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" };
  const first = fetch(`${server.baseUrl}/data`, { method: "DELETE", body, headers, signal: cut.signal });
  const second = erase(client);
  await expect.poll(deletesLeft).toBe(before - 2);
  cut.abort();
  await first.catch(() => {});
  await release();
  expect(await second).toMatchObject({ status: 200, body: { counts: { contexts: 600, keys: 1 }, verified: { found: 0 } } });
  expect(await server.rows('SELECT 1 FROM contexts WHERE "userId" = ?', client.userId)).toEqual([]);
  expect((await client.get("/key")).status).toBe(401);
});

it("erases by the command, beside a running server too", async ({ server, client }) => {
  await fill(client);
  using command = new TestCommand();
  const database = ["--data-dir", server.config.dataDir, "--database-url", server.config.databaseUrl];
  expect(await command.run("users", "erase", client.userId, ...database)).toMatchObject({ code: 2 });
  const { code, out } = await command.run("users", "erase", client.userId, "--yes", ...database);
  expect([code, JSON.parse(out)]).toMatchObject([0, { counts: { contexts: 30 }, verified: { found: 0 } }]);
  expect(await command.run("users", "erase", client.userId, "--yes", ...database)).toMatchObject({ code: 1 });
});

it("refuses changes that were worked out before a slice was erased", async ({ server, client }) => {
  await fill(client);
  await using storage = await server.openStorage();
  const { userId } = client;
  const { revision } = (await storage.userData.load(userId, { messages: [], contextIds: ["c0"] }))!;
  const onDeleted = () => {
    throw new Error("interrupted");
  };
  await expect(storage.access.deleteUser(userId, { onDeleted })).rejects.toThrow("interrupted");
  expect(await storage.userData.commit(userId, { ...noChanges, revision, replaced: [writtenContext(userId, "c0")] })).toBe(false);
});

it("gives a receipt to each of two processes of which it is asked at once", async ({ server, client }) => {
  await fill(client);
  await using one = await server.openStorage();
  await using two = await server.openStorage();
  const receipts = [one, two].map((storage) => createEraseService({ ...storage, clock: Date.now }).erase(client.userId));
  const receipt = expect.objectContaining({ verified: expect.objectContaining({ found: 0 }) });
  expect(await Promise.all(receipts)).toEqual([receipt, receipt]);
  const again = createEraseService({ ...one, clock: Date.now }).erase(client.userId);
  await expect(again).rejects.toMatchObject({ code: "not_found" });
});
