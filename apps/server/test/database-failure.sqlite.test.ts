import Database from "better-sqlite3";
import { chmodSync, closeSync, mkdtempDisposableSync, openSync, renameSync, rmSync, statSync, symlinkSync, writeSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Config } from "../src/config/config.js";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { PortalClient } from "./portal-client.js";
import { readMetrics } from "./prometheus-text.js";
import { rawRequest } from "./raw-request.js";
import { Installation, type ServerProcess } from "./server-process.js";
import { SmallDisk } from "./small-disk.js";
import type { Answer, TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

/** One request of every kind. */
const requests = (client: TestClient): Array<Promise<Answer>> => [
  client.sync(createMessage()),
  client.batch([createMessage(), createMessage()]),
  client.delete("/context/before"),
  client.putRules({}),
  client.get("/privacy/rules"),
  ...["current", "current?tabId=7", "before", "history", "search?query=lighthouses"].map((path) => client.get(`/context/${path}`)),
];

/** A server whose user has the context `before`. */
async function start(overrides?: Partial<Config>) {
  const server = await TestServer.start(overrides);
  const client = await server.client();
  expect((await client.sync(createMessage({ context: { id: "before" } }))).status).toBe(201);
  const readiness = async () => {
    const { status, body } = await rawRequest(server.baseUrl, { path: "/readyz" });
    return [status, body.message];
  };
  return {
    server,
    client,
    file: server.databaseFile,
    async expectServed() {
      for (const { status } of await Promise.all(requests(client))) expect(status).toBeLessThan(500);
    },
    async expectUnavailable(cause: string) {
      const others = async () => (await Promise.all(requests(client))).filter(({ body }) => !String(body.message).includes(cause));
      await expect.poll(others, { timeout: 60_000 }).toEqual([]);
      for (const answer of await Promise.all(requests(client))) {
        expectError(answer, "unavailable");
        expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      }
      await expect.poll(readiness, { timeout: 60_000 }).toEqual([503, cause]);
    },
    expectReadiness: (...expected: unknown[]) => expect.poll(readiness, { timeout: 60_000 }).toEqual(expected),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const gone = "The database file is gone.";
const logGone = "The write-ahead log of the database is gone.";

describe("a database file that is gone", () => {
  it("answers 503 until it is moved back", async () => {
    await using world = await start();
    const { server, client, file } = world;
    renameSync(file, `${file}.moved`);
    await world.expectUnavailable(gone);
    renameSync(`${file}.moved`, file);
    await world.expectServed();
    await world.expectReadiness(200, undefined);
    await server.restart();
    expect((await client.get("/context/history")).body.total).toBeGreaterThan(0);
  });

  it("acknowledges no write under load once it is deleted", async () => {
    await using world = await start();
    const { server, client, file } = world;
    let acknowledged = 0;
    const writers = [client, await server.client(), await server.client()].map(async (each) => {
      for (;;) {
        const answer = await each.sync(createMessage());
        if (answer.status !== 201) return answer;
        acknowledged++;
      }
    });
    await expect.poll(() => acknowledged, { timeout: 60_000 }).toBeGreaterThan(20);
    rmSync(file);
    const atDeletion = acknowledged;
    for (const answer of await Promise.all(writers)) {
      expectError(answer, "unavailable");
      expect(answer.body.message).toContain(gone);
    }
    // An answer to each may have been on its way.
    expect(acknowledged - atDeletion).toBeLessThanOrEqual(writers.length);
  });

  it("answers 503 when another file takes its place; a restart serves that file", async () => {
    await using world = await start();
    const { server, client, file } = world;
    await server.rows(`VACUUM INTO '${file}.copy'`);
    expect((await client.sync(createMessage({ context: { id: "after" } }))).status).toBe(201);
    renameSync(`${file}.copy`, file);
    await world.expectUnavailable(gone);
    // As whoever restores a backup has to: the log belongs to the other file.
    for (const end of ["-wal", "-shm"]) rmSync(file + end);
    await server.restart();
    expect([(await client.get("/context/before")).status, (await client.get("/context/after")).status]).toEqual([200, 404]);
    await world.expectServed();
  });

  it.each(["-wal", "-shm"])("answers 503 when its %s is deleted, and keeps acknowledged writes", async (end) => {
    await using world = await start();
    rmSync(world.file + end);
    await world.expectUnavailable(logGone);
    await world.server.restart();
    expect((await world.client.get("/context/before")).status).toBe(200);
    await world.expectServed();
  });

  it("looks for the write-ahead log beside what a link points to", async () => {
    using folder = mkdtempDisposableSync(join(scratchFolder(), "periscope-link-"));
    const [target, link] = ["target.db", "link.db"].map((name) => join(folder.path, name)) as [string, string];
    symlinkSync(target, link);
    await using world = await start({ databaseUrl: `file:${link}` });
    rmSync(`${target}-wal`);
    await expect(world.expectUnavailable(logGone)).resolves.toBeUndefined();
  });
});

describe("a database that is read-only answers 503 to writes, and reads on", () => {
  async function expectReadOnly({ client, expectReadiness }: Awaited<ReturnType<typeof start>>) {
    for (const answer of [await client.sync(createMessage()), await client.putRules({})]) {
      expectError(answer, "unavailable");
      expect(answer.body.message).toContain("The database is read-only.");
    }
    for (const path of ["before", "history", "search?query=lighthouses"]) expect((await client.get(`/context/${path}`)).status).toBe(200);
    await expectReadiness(503, "The database is read-only.");
  }

  it("by its file", async () => {
    await using world = await start();
    chmodSync(world.file, 0o400);
    await expectReadOnly(world);
    chmodSync(world.file, 0o600);
    await world.expectServed();
    await world.expectReadiness(200, undefined);
  });

  it("by its file system", async ({ skip }) => {
    using disk = SmallDisk.mount(32);
    if (disk === null) return skip("This user may not mount a file system.");
    await using world = await start({ databaseUrl: `file:${disk.path}/periscope.db` });
    disk.makeReadOnly();
    await expectReadOnly(world);
  });
});

/** Overwrites pages of a database. What the server has in its caches does not count after another write. */
function overwrite(path: string, pagesOf: (db: Database.Database) => number[]): void {
  const db = new Database(path);
  const write = db.prepare("UPDATE users SET createdAt = createdAt + 1");
  // A connection that has all that it needs for a write can write once more.
  write.run();
  db.pragma("wal_checkpoint(TRUNCATE)");
  const bytes = Number(db.pragma("page_size", { simple: true }));
  const file = openSync(path, "r+");
  for (const page of pagesOf(db)) writeSync(file, Buffer.alloc(bytes, 7), 0, bytes, (page - 1) * bytes);
  closeSync(file);
  write.run();
  db.close();
}

describe("a database that is damaged", () => {
  it("answers 503 to reads and writes when the whole file was overwritten", async () => {
    await using world = await start();
    const { client, file } = world;
    for (const path of ["current", "history", "before", "search?query=lighthouses"]) await client.get(`/context/${path}`);
    overwrite(file, (db) => Array.from({ length: Number(db.pragma("page_count", { simple: true })) }, (_, index) => index + 1));
    const [status] = await rawRequest(world.server.baseUrl, { path: "/readyz" }).then((answer) => [answer.status]);
    expect(status).toBe(503);
    // Rules may be answered from memory.
    for (const answer of await Promise.all(requests(client).filter((_, index) => index !== 4))) {
      expectError(answer, "unavailable");
      expect(answer.body.message).not.toContain("file is not");
    }
  });

  it("shows damage that only a reader of one page meets", async () => {
    await using world = await start();
    const leaves = "SELECT pageno FROM dbstat WHERE name = 'contexts' AND pagetype = 'leaf'";
    overwrite(world.file, (db) => db.prepare<[], number>(leaves).pluck().all());
    const answer = await world.client.get("/context/before");
    expectError(answer, "unavailable");
    expect(answer.body.message).toContain("The database is damaged.");
    await world.expectReadiness(503, "The database is damaged.");
  });

  it("shows damage that only a sign-in meets", async () => {
    await using world = await start();
    const owner = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
    await PortalClient.owner(world.server, owner);
    const pages = "SELECT pageno FROM dbstat WHERE name = 'auth_users'";
    overwrite(world.file, (db) => db.prepare<[], number>(pages).pluck().all());
    expect(await new PortalClient(world.server).signIn(owner)).toMatchObject({ status: 503, error: { error: "unavailable" } });
    await world.expectReadiness(503, "The database is damaged.");
  });
});

describe("a database that another program keeps locked", () => {
  /** Clients with a key whose last use, noted once a minute, is written already; and a lock that another program holds. */
  async function startLocked() {
    const server = await TestServer.start();
    const clients = await Promise.all(Array.from({ length: 5 }, () => server.client()));
    for (const client of clients) expect(await stored(client)).toEqual([0, 0]);
    await expect.poll(async () => (await server.access.listKeys()).filter(({ lastUsedAt }) => lastUsedAt === null)).toEqual([]);
    const db = new Database(server.databaseFile);
    db.exec("BEGIN IMMEDIATE");
    const dispose = async () => (db.close(), await server[Symbol.asyncDispose]());
    return { server, clients, unlock: () => void db.exec("COMMIT"), [Symbol.asyncDispose]: dispose };
  }
  const stored = async (client: TestClient) => {
    const [history, search] = [await client.get("/context/history"), await client.get("/context/search?query=lighthouses")];
    return [history.body.total, search.body.total];
  };

  it("delays writes until it is free, and no reads", async () => {
    await using world = await startLocked();
    const { clients } = world;
    const order: string[] = [];
    const writes = clients.map((client) => client.sync(createMessage()).then(({ status }) => (order.push("written"), status)));
    for (const client of clients) expect(await stored(client)).toEqual([0, 0]);
    order.push("read");
    world.unlock();
    expect(new Set(await Promise.all(writes))).toEqual(new Set([201]));
    expect(order).toEqual(["read", ...clients.map(() => "written")]);
    for (const client of clients) expect(await stored(client)).toEqual([1, 1]);
  });

  it("answers 503 to all waiting writes when it stays locked; a retry succeeds", async () => {
    await using world = await startLocked();
    const { server, clients } = world;
    const sendAll = () => Promise.all(clients.map((client) => client.sync(createMessage({ messageId: "m" }))));
    const waiting = sendAll();
    // They wait by a clock that runs ten times as fast.
    const [since, now] = [performance.now(), performance.now.bind(performance)];
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 9 * (now() - since));
    onTestFinished(() => clock.mockRestore());
    for (const answer of await waiting) {
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expectError(answer, "unavailable");
    }
    const metrics = await readMetrics(server);
    const counted = (outcome: string) => metrics.value("periscope_sync_messages_total", { type: "create", outcome });
    expect([counted("unavailable"), counted("internal_error")]).toEqual([clients.length, 0]);
    for (const client of clients) expect(await stored(client)).toEqual([0, 0]);
    world.unlock();
    expect((await sendAll()).map(({ status, body }) => [status, body.duplicate])).toEqual(clients.map(() => [201, undefined]));
    for (const client of clients) expect(await stored(client)).toEqual([1, 1]);
  });
});

it("takes a restored database from other users, with its log, and logs a warning", async () => {
  await using installation = await Installation.create({ LOG_LEVEL: "warn" });
  let server: ServerProcess = await installation.serve();
  const client = await installation.client(() => server);
  expect((await client.sync(createMessage({ context: { id: "c" } }))).status).toBe(201);
  // Its log stays behind, as in a copy of a running server's files.
  await server.end("SIGKILL");
  const files = ["", "-wal", "-shm"].map((end) => join(installation.dataDir, `periscope.db${end}`));
  for (const file of files) chmodSync(file, 0o644);

  server = await installation.serve();
  for (const file of files) expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
  expect((await client.get("/context/c")).status).toBe(200);
  await server.end("SIGTERM");
  const warnings = server.out.split("\n").filter((line) => line.startsWith("{"));
  const warning = { files: expect.arrayContaining(files), msg: expect.stringMatching(/other users could read/i) };
  expect(warnings.map((line) => JSON.parse(line) as unknown)).toMatchObject([warning]);
});
