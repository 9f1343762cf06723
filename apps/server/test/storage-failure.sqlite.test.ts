import Database from "better-sqlite3";
import { statSync, writeFileSync } from "node:fs";
import { describe, expect, onTestFinished, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { readMetrics } from "./prometheus-text.js";
import { rawRequest } from "./raw-request.js";
import type { TestClient } from "./test-client.js";
import { type TestServer, withOwnServer as it } from "./test-server.js";

/** Another connection to the server's database; closed at the end of the block. */
function outsider(server: TestServer): Database.Database & Disposable {
  const db = new Database(server.databaseFile);
  return Object.assign(db, { [Symbol.dispose]: () => void db.close() });
}

/**
 * Overwrites the whole file of a database that has a user. Connections keep the pages that they have read until one of them writes,
 * so one that has all that it needs for a write writes once more.
 */
function destroyDatabase(file: string): void {
  const db = new Database(file);
  const write = db.prepare("UPDATE users SET createdAt = createdAt + 1");
  for (let round = 0; round < 2; round++) {
    write.run();
    db.pragma("wal_checkpoint(TRUNCATE)");
  }
  writeFileSync(file, Buffer.alloc(statSync(file).size, 7), { flag: "r+" });
  write.run();
  db.close();
}

const stored = async (client: TestClient) => {
  const [history, search] = [await client.get("/context/history"), await client.get("/context/search?query=lighthouses")];
  return [history.body.total, search.body.total];
};

describe("a database that another program keeps locked", () => {
  it("delays writes until it is free, and no reads", async ({ server }) => {
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

  it("answers 503 to all waiting writes when it stays locked; a retry succeeds", async ({ server }) => {
    using db = outsider(server);
    // Of several users: those of one wait for each other besides. The last use of their keys, noted once a minute, is written already.
    const clients = await Promise.all(Array.from({ length: 5 }, () => server.client()));
    for (const client of clients) expect(await stored(client)).toEqual([0, 0]);
    await expect.poll(async () => (await server.access.listKeys()).filter(({ lastUsedAt }) => lastUsedAt === null)).toEqual([]);
    db.exec("BEGIN IMMEDIATE");
    const waiting = Promise.all(clients.map((client) => client.sync(createMessage({ messageId: "m" }))));
    // They wait by a clock that runs ten times as fast.
    const [since, now] = [performance.now(), performance.now.bind(performance)];
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 9 * (now() - since));
    onTestFinished(() => clock.mockRestore());
    const answers = await waiting;
    for (const answer of answers) {
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expectError(answer, "unavailable");
    }
    const metrics = await readMetrics(server);
    const counted = (outcome: string) => metrics.value("periscope_sync_messages_total", { type: "create", outcome });
    expect([counted("unavailable"), counted("internal_error")]).toEqual([clients.length, 0]);
    for (const client of clients) expect(await stored(client)).toEqual([0, 0]);
    db.exec("COMMIT");
    const again = await Promise.all(clients.map((client) => client.sync(createMessage({ messageId: "m" }))));
    expect(again.map(({ status, body }) => [status, body.duplicate])).toEqual(clients.map(() => [201, undefined]));
    for (const client of clients) expect(await stored(client)).toEqual([1, 1]);
  });
});

describe("a database file that was overwritten", () => {
  it("answers 503 to reads and writes, and the server is not ready", async ({ server, client }) => {
    expect((await client.sync(createMessage({ context: { id: "c" } }))).status).toBe(201);
    for (const path of ["current", "history", "c", "search?query=lighthouses"])
      expect((await client.get(`/context/${path}`)).status).toBe(200);
    destroyDatabase(server.databaseFile);
    const ready = await rawRequest(server.baseUrl, { path: "/readyz" });
    expect([ready.status, ready.body.error]).toEqual([503, "unavailable"]);
    const answers = [await client.sync(createMessage()), await client.batch([createMessage()]), await client.delete("/context/c")];
    for (const path of ["current", "current?tabId=7", "c", "history", "search?query=lighthouses"])
      answers.push(await client.get(`/context/${path}`));
    for (const answer of answers) {
      expectError(answer, "unavailable");
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(answer.body.message).not.toContain("file is not");
    }
  });
});
