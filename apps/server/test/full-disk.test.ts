import { PostgresServer } from "@periscope/harness/postgres";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { rawRequest } from "./raw-request.js";
import { Installation } from "./server-process.js";
import { SmallDisk } from "./small-disk.js";
import type { TestClient } from "./test-client.js";
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

/** Sends contexts until one is refused: that one, its answer, and the ids of those before it. */
async function fillWith(client: TestClient) {
  const acknowledged: string[] = [];
  for (let index = 0; index < 500; index++) {
    const message = createMessage({ context: { id: `full-${index}`, content: noise(index) } });
    const answer = await client.sync(message);
    if (answer.status !== 201) return { client, message, answer, acknowledged };
    acknowledged.push(`full-${index}`);
  }
  throw new Error("The disk was never full.");
}

it("answers 503 to writes while the disk is full, and recovers with space", async ({ skip }) => {
  using disk = SmallDisk.mount(160);
  // What the engines say of a full disk is also tried without one: by SQLSTATE 53100 and by a page limit of SQLite.
  if (disk === null) return skip("This user may not mount a file system.");
  await using database = await databaseOn(disk);
  await using installation = await Installation.create({
    DATABASE_URL: database.url,
    LOG_LEVEL: "error",
    RATE_LIMIT_SYNC: "100000",
  });
  const server = await installation.serve();
  const clients = await Promise.all(["ada", "bob", "cem"].map((user) => installation.client(() => server, user)));
  const [client] = clients as [TestClient];
  expect((await client.sync(createMessage({ context: { id: "before" } }))).status).toBe(201);
  const readiness = async () => (await rawRequest(server.baseUrl, { path: "/readyz" })).status;

  disk.fill(400_000);
  const refused = await Promise.all(clients.map(fillWith));
  for (const { answer } of refused) {
    expectError(answer, "unavailable");
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(answer.body.message).toMatch(/disk is full/);
    expect(JSON.stringify(answer.body)).not.toMatch(/postgres|sqlite|prisma|extend|53100/i);
  }
  for (const path of ["current", "before", "history", "search?query=lighthouses"])
    expect([path, (await client.get(`/context/${path}`)).status]).toEqual([path, 200]);
  await vi.waitFor(async () => expect(await readiness()).toBe(503), 60_000);
  await expect.poll(() => server.out).toContain(testEngine() === "sqlite" ? '"SQLITE_FULL"' : '"53100"');

  disk.makeRoom();
  await vi.waitFor(async () => expect((await client.sync(createMessage())).status).toBe(201), 60_000);
  await vi.waitFor(async () => expect(await readiness()).toBe(200), 60_000);
  for (const { client: each, message, acknowledged } of refused) {
    const again = await each.sync(message);
    expect([again.status, again.body.duplicate]).toEqual([201, undefined]);
    for (const id of acknowledged) expect((await each.get(`/context/${id}?maxChars=1`)).status).toBe(200);
  }
});
