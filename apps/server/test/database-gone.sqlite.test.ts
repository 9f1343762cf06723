import Database from "better-sqlite3";
import { chmodSync, closeSync, mkdtempDisposableSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Config } from "../src/config/config.js";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { rawRequest } from "./raw-request.js";
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
  client.get("/context/current"),
  client.get("/context/before"),
  client.get("/context/history"),
  client.get("/context/search?query=lighthouses"),
];

const expectServed = async (client: TestClient) => {
  for (const { status } of await Promise.all(requests(client))) expect(status).toBeLessThan(500);
};

const readiness = async (server: TestServer) => {
  const { status, body } = await rawRequest(server.baseUrl, { path: "/readyz" });
  return { status, message: body.message as string | undefined };
};

async function expectUnavailable(server: TestServer, client: TestClient, cause: string) {
  await expect
    .poll(async () => (await Promise.all(requests(client))).filter(({ body }) => !String(body.message).includes(cause)), {
      timeout: 60_000,
    })
    .toEqual([]);
  for (const answer of await Promise.all(requests(client))) expectError(answer, "unavailable");
  await expect.poll(() => readiness(server), { timeout: 60_000 }).toEqual({ status: 503, message: cause });
}

/** A server whose user has the context `before`. */
async function start(overrides?: Partial<Config>) {
  const server = await TestServer.start(overrides);
  const client = await server.client();
  expect((await client.sync(createMessage({ context: { id: "before" } }))).status).toBe(201);
  return { server, client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const gone = "The database file is gone.";

describe("a database file that is gone", () => {
  it("answers 503 until it is moved back", async () => {
    await using world = await start();
    const { server, client } = world;
    renameSync(server.databaseFile, `${server.databaseFile}.moved`);
    await expectUnavailable(server, client, gone);
    renameSync(`${server.databaseFile}.moved`, server.databaseFile);
    await expectServed(client);
    await expect.poll(() => readiness(server), { timeout: 60_000 }).toEqual({ status: 200, message: undefined });
    await server.restart();
    expect((await client.get("/context/history")).body.total).toBeGreaterThan(0);
  });

  it("acknowledges no write under load once it is deleted", async () => {
    await using world = await start();
    const { server, client } = world;
    const clients = [client, await server.client(), await server.client()];
    let acknowledged = 0;
    const writers = clients.map(async (each) => {
      for (;;) {
        const answer = await each.sync(createMessage());
        if (answer.status !== 201) return answer;
        acknowledged++;
      }
    });
    await expect.poll(() => acknowledged, { timeout: 60_000 }).toBeGreaterThan(20);
    rmSync(server.databaseFile);
    const atDeletion = acknowledged;
    const answers = await Promise.all(writers);
    // An answer to each may have been on its way.
    expect(acknowledged - atDeletion).toBeLessThanOrEqual(clients.length);
    for (const answer of answers) {
      expectError(answer, "unavailable");
      expect(answer.body.message).toContain(gone);
    }
  });

  it("answers 503 when another file takes its place; a restart serves that file", async () => {
    await using world = await start();
    const { server, client } = world;
    const backup = new Database(server.databaseFile);
    await backup.backup(`${server.databaseFile}.copy`);
    backup.close();
    expect((await client.sync(createMessage({ context: { id: "after" } }))).status).toBe(201);
    renameSync(`${server.databaseFile}.copy`, server.databaseFile);
    await expectUnavailable(server, client, gone);
    // As whoever restores a backup has to: the log belongs to the other file.
    for (const end of ["-wal", "-shm"]) rmSync(server.databaseFile + end);
    await server.restart();
    expect([(await client.get("/context/before")).status, (await client.get("/context/after")).status]).toEqual([200, 404]);
    await expectServed(client);
  });

  it.each(["-wal", "-shm"])("answers 503 when its %s is deleted, and keeps acknowledged writes", async (end) => {
    await using world = await start();
    const { server, client } = world;
    rmSync(server.databaseFile + end);
    await expectUnavailable(server, client, "The write-ahead log of the database is gone.");
    await server.restart();
    expect((await client.get("/context/before")).status).toBe(200);
    await expectServed(client);
  });

  it("looks for the write-ahead log beside what a link points to", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-link-"));
    const [target, link] = [join(folder.path, "target.db"), join(folder.path, "link.db")];
    writeFileSync(target, "");
    symlinkSync(target, link);
    await using world = await start({ databaseUrl: `file:${link}` });
    rmSync(`${target}-wal`);
    await expectUnavailable(world.server, world.client, "The write-ahead log of the database is gone.");
  });
});

describe("a database that is read-only", () => {
  async function expectReadOnly({ server, client }: Awaited<ReturnType<typeof start>>) {
    for (const answer of [await client.sync(createMessage()), await client.putRules({})]) {
      expectError(answer, "unavailable");
      expect(answer.body.message).toContain("The database is read-only.");
    }
    for (const path of ["before", "history", "search?query=lighthouses"]) expect((await client.get(`/context/${path}`)).status).toBe(200);
    await expect.poll(() => readiness(server), { timeout: 60_000 }).toEqual({ status: 503, message: "The database is read-only." });
  }

  it("answers 503 to writes while its file is, and reads on", async () => {
    await using world = await start();
    const { server, client } = world;
    chmodSync(server.databaseFile, 0o400);
    await expectReadOnly(world);
    chmodSync(server.databaseFile, 0o600);
    await expectServed(client);
    await expect.poll(() => readiness(server), { timeout: 60_000 }).toEqual({ status: 200, message: undefined });
  });

  it("answers 503 to writes while its file system is, and reads on", async () => {
    using disk = SmallDisk.mount(32);
    if (disk === null) return void process.stdout.write("This user may not mount a file system, so none was read-only.\n");
    await using world = await start({ databaseUrl: `file:${disk.path}/periscope.db` });
    disk.makeReadOnly();
    await expectReadOnly(world);
  });
});

it("shows damage that only a reader of one page meets", async () => {
  await using world = await start();
  const { server, client } = world;
  const db = new Database(server.databaseFile);
  // What the server has in its caches does not count after another write.
  db.pragma("wal_checkpoint(TRUNCATE)");
  const pages = db.prepare<[], { pageno: number }>("SELECT pageno FROM dbstat WHERE name = 'contexts' AND pagetype = 'leaf'").all();
  const pageBytes = Number(db.pragma("page_size", { simple: true }));
  const file = openSync(server.databaseFile, "r+");
  for (const { pageno } of pages) writeSync(file, Buffer.alloc(pageBytes, 7), 0, pageBytes, (pageno - 1) * pageBytes);
  closeSync(file);
  db.exec("UPDATE users SET createdAt = createdAt + 1");
  db.close();
  const answer = await client.get("/context/before");
  expectError(answer, "unavailable");
  expect(answer.body.message).toContain("The database is damaged.");
  await expect.poll(() => readiness(server), { timeout: 60_000 }).toEqual({ status: 503, message: "The database is damaged." });
});
