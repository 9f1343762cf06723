import { PostgresServer } from "@periscope/harness/postgres";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { rawRequest } from "./raw-request.js";
import { Installation } from "./server-process.js";
import { SmallDisk } from "./small-disk.js";
import type { Answer, TestClient } from "./test-client.js";
import { testEngine } from "./test-database.js";

/** A database of the engine of the run on the disk. */
async function databaseOn(disk: SmallDisk): Promise<{ url: string } & AsyncDisposable> {
  if (testEngine() === "sqlite") return { url: `file:${disk.path}/periscope.db`, [Symbol.asyncDispose]: async () => {} };
  const binaries = process.env["TEST_POSTGRES_BIN"] || undefined;
  const settings = { min_wal_size: "32MB", max_wal_size: "48MB" };
  const server = await PostgresServer.start({ binaries, durable: true, dataParent: disk.path, settings });
  const client = new pg.Client(server.url("postgres"));
  await client.connect();
  await client.query("CREATE DATABASE periscope");
  await client.end();
  return { url: server.url("periscope"), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Text that no engine packs to much less. */
const noise = (index: number) =>
  Array.from({ length: 2_000 }, (_, place) => ((index + 1) * 48_271 * (place + 7) * 40_503).toString(36)).join(" ");

async function untilRefused(client: TestClient, name: string, acknowledged: Set<string>) {
  for (let index = 0; index < 500; index++) {
    const id = `${name}-${index}`;
    const message = createMessage({ context: { id, content: noise(index) } });
    const answer: Answer = await client.sync(message);
    if (answer.status !== 201) return { message, answer };
    acknowledged.add(id);
  }
  throw new Error("the disk never was full");
}

it("answers 503 to writes while the disk is full, keeps reading, and recovers once there is space", async () => {
  using disk = SmallDisk.mount(160);
  if (disk === null) {
    // What the engines say of a full disk is tried without a disk elsewhere: by SQLSTATE 53100 and by a page limit of SQLite.
    process.stdout.write("This user may not mount a file system, so no disk was filled.\n");
    return;
  }
  await using database = await databaseOn(disk);
  const flags = { DATABASE_URL: database.url, LOG_LEVEL: "error", RATE_LIMIT_SYNC: "100000" };
  await using installation = await Installation.create(flags);
  const server = await installation.serve();
  const clients = await Promise.all(["ada", "bob", "cem"].map((user) => installation.client(() => server, user)));
  const [client] = clients;
  if (!client) throw new Error("there is no client");
  expect((await client.sync(createMessage({ context: { id: "before" } }))).status).toBe(201);
  disk.fill(400_000);

  const acknowledged = clients.map(() => new Set<string>());
  const refused = await Promise.all(clients.map((each, index) => untilRefused(each, "full", acknowledged[index] ?? new Set())));
  const readiness = async () => (await rawRequest(server.baseUrl, { path: "/readyz" })).status;
  for (const { answer } of refused) {
    expectError(answer, "unavailable");
    expect([answer.status, /^[1-9]\d*$/.test(answer.headers.get("retry-after") ?? "")]).toEqual([503, true]);
    expect(answer.body.message).toMatch(/disk is full/);
    expect(JSON.stringify(answer.body)).not.toMatch(/postgres|sqlite|prisma|extend|53100/i);
  }
  for (const path of ["current", "before", "history", "search?query=lighthouses"])
    expect([path, (await client.get(`/context/${path}`)).status]).toEqual([path, 200]);

  await vi.waitFor(async () => expect(await readiness()).toBe(503), 60_000);

  expect(server.out).toContain(testEngine() === "sqlite" ? '"SQLITE_FULL"' : '"53100"');

  disk.makeRoom();
  await vi.waitFor(async () => expect((await client.sync(createMessage())).status).toBe(201), 60_000);
  await vi.waitFor(async () => expect(await readiness()).toBe(200), 60_000);
  for (const [index, { message }] of refused.entries()) {
    const again = await clients[index]?.sync(message);
    expect([again?.status, again?.body.duplicate]).toEqual([201, undefined]);
    for (const id of acknowledged[index] ?? []) expect((await clients[index]?.get(`/context/${id}?maxChars=1`))?.status).toBe(200);
  }
});
