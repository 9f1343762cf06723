import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { createFirstKey } from "../src/access/first-key.js";
import { expectError } from "./answer-checks.js";
import { destroyDatabase } from "./destroy-database.js";
import { createMessage } from "./messages.js";
import { parsePrometheusText } from "./prometheus-text.js";
import { rawRequest } from "./raw-request.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

/** Another connection to the server's database; closed at the end of the block. */
function outsider(server: TestServer): Database.Database & Disposable {
  const db = new Database(server.databaseFile);
  return Object.assign(db, { [Symbol.dispose]: () => void db.close() });
}

const poisoned = { messageId: "poison" };

/** Lets the last write of a message fail: by then its context and its place in the index have been written. */
const failing = `CREATE TRIGGER fail_last BEFORE INSERT ON processed_messages WHEN new.messageId = 'poison'
  BEGIN SELECT RAISE(ABORT, 'password of the database'); END`;

const stored = async (client: TestClient) => {
  const [history, search] = [await client.get("/context/history"), await client.get("/context/search?query=lighthouses")];
  return [history.body.total, search.body.total];
};

describe("a write that fails at its end", () => {
  it("is a 500 that says nothing of the inside, and leaves nothing: no context, no index entry, no record", async () => {
    await using server = await TestServer.start();
    using db = outsider(server);
    const client = await server.client();
    db.exec(failing);
    const message = createMessage({ ...poisoned, context: { id: "c" } });
    const answer = await client.sync(message);
    expectError(answer, "internal_error");
    expect(JSON.stringify(answer.body)).not.toContain("password");
    expect(await stored(client)).toEqual([0, 0]);
    db.exec("DROP TRIGGER fail_last");
    expect((await client.sync(message)).body).toMatchObject({ status: "success", contextId: "c" });
    expect((await client.sync(message)).body.duplicate).toBe(true);
    expect(await stored(client)).toEqual([1, 1]);
  });

  it("takes the whole batch with it, so that the batch can be sent again", async () => {
    await using server = await TestServer.start();
    using db = outsider(server);
    const client = await server.client();
    await client.sync(createMessage({ context: { id: "before" } }));
    db.exec(failing);
    const messages = [createMessage({ messageId: "first" }), createMessage(poisoned), createMessage({ messageId: "last" })];
    expectError(await client.batch(messages), "internal_error");
    expect(await stored(client)).toEqual([1, 1]);
    db.exec("DROP TRIGGER fail_last");
    const { body } = await client.batch(messages);
    expect(body).toMatchObject({ synced: 3, failed: 0 });
    expect(body.results.filter(({ duplicate }: { duplicate?: true }) => duplicate)).toEqual([]);
    expect(await stored(client)).toEqual([4, 4]);
  });

  it("fails alone: requests that arrive at the same moment succeed", async () => {
    await using server = await TestServer.start();
    using db = outsider(server);
    const client = await server.client();
    const others = await Promise.all(Array.from({ length: 5 }, () => server.client()));
    db.exec(failing);
    const answers = await Promise.all([
      ...others.map((other) => other.sync(createMessage())),
      client.sync(createMessage(poisoned)),
      ...others.map((other) => other.sync(createMessage())),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(5).fill(201), 500, ...Array<number>(5).fill(201)]);
    for (const other of others) expect(await stored(other)).toEqual([2, 2]);
    expect(await stored(client)).toEqual([0, 0]);
  });
});

it("a first key that could not be made leaves no user, so that the next start makes it", async () => {
  await using server = await TestServer.start();
  using db = outsider(server);
  db.exec("CREATE TRIGGER fail BEFORE INSERT ON api_keys BEGIN SELECT RAISE(ABORT, 'no keys today'); END");
  await expect(createFirstKey(server.access)).rejects.toThrow("apiKey.create");
  expect(await server.access.listUsers()).toEqual([]);
  db.exec("DROP TRIGGER fail");
  expect(await createFirstKey(server.access)).toMatchObject({ userId: expect.stringMatching(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/) });
});

describe("a database that another program keeps locked", () => {
  it("holds up writes until it is free, and nothing else", { timeout: 60_000 }, async () => {
    await using server = await TestServer.start();
    using db = outsider(server);
    const clients = await Promise.all(Array.from({ length: 3 }, () => server.client()));
    db.exec("BEGIN IMMEDIATE");
    const order: string[] = [];
    const writes = clients.map(async (client) => {
      const { status } = await client.sync(createMessage());
      order.push("written");
      return status;
    });
    for (const client of clients) expect(await stored(client)).toEqual([0, 0]);
    order.push("read");
    db.exec("COMMIT");
    expect(await Promise.all(writes)).toEqual([201, 201, 201]);
    expect(order).toEqual(["read", "written", "written", "written"]);
    for (const client of clients) expect(await stored(client)).toEqual([1, 1]);
  });

  it("is a 503 to retry when it stays so, for all that wait, and counted as such; the retry succeeds", { timeout: 60_000 }, async () => {
    await using server = await TestServer.start();
    using db = outsider(server);
    const client = await server.client();
    const messages = Array.from({ length: 40 }, () => createMessage());
    db.exec("BEGIN IMMEDIATE");
    // The rate window is that of the request's arrival, and these answers come ten seconds later.
    const askedAt = Date.now();
    const answers = await Promise.all(messages.map((message) => client.sync(message)));
    for (const answer of answers) {
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expectError(answer, "unavailable", askedAt);
    }
    const { text } = await rawRequest(new URL(server.baseUrl).origin, { path: "/metrics" });
    const counted = (outcome: string) => parsePrometheusText(text).value("periscope_sync_messages_total", { type: "create", outcome });
    expect([counted("unavailable"), counted("internal_error")]).toEqual([messages.length, 0]);
    expect(await stored(client)).toEqual([0, 0]);
    db.exec("COMMIT");
    const again = await Promise.all(messages.map((message) => client.sync(message)));
    expect(again.map(({ status, body }) => [status, body.duplicate])).toEqual(messages.map(() => [201, undefined]));
    expect(await stored(client)).toEqual([40, 40]);
  });
});

describe("a database that is no database any more", () => {
  it("is a 503 to retry, for reads and writes, and the server is not ready", async () => {
    await using server = await TestServer.start();
    const client = await server.client();
    expect((await client.sync(createMessage({ context: { id: "c" } }))).status).toBe(201);
    for (const path of ["current", "history", "c", "search?query=lighthouses"])
      expect((await client.get(`/context/${path}`)).status).toBe(200);
    expect((await rawRequest(server.baseUrl, { path: "/readyz" })).status).toBe(200);
    destroyDatabase(server.databaseFile);
    const ready = await rawRequest(server.baseUrl, { path: "/readyz" });
    expect([ready.status, ready.body.error]).toEqual([503, "unavailable"]);
    const answers = [
      await client.sync(createMessage()),
      await client.batch([createMessage()]),
      await client.delete("/context/c"),
      await client.get("/context/current"),
      await client.get("/context/current?tabId=7"),
      await client.get("/context/c"),
      await client.get("/context/history"),
      await client.get("/context/search?query=lighthouses"),
    ];
    for (const { status, headers, body } of answers) {
      expect([status, body.error]).toEqual([503, "unavailable"]);
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(JSON.stringify(body)).not.toMatch(/sqlite|prisma|file is not/i);
    }
  });
});
