import { PostgresServer } from "@periscope/harness/postgres";
import { once } from "node:events";
import { type Server, type Socket, connect, createServer } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createMessage } from "./messages.js";
import { rawRequest } from "./raw-request.js";
import type { Answer, TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

/** A way to a server on this machine that can be blocked: nothing passes then, and nothing is refused. */
class StallingProxy implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  #isStalled = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(target: number): Promise<StallingProxy> {
    const server = createServer({ pauseOnConnect: true });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port was given");
    const proxy = new StallingProxy(server, address.port);
    server.on("connection", (near) => proxy.#join(near, connect(target, "127.0.0.1")));
    return proxy;
  }

  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  flow(): void {
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isStalled) from.pause();
      else from.resume();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    await once(this.server, "close");
  }
}

/** A server of this file alone, which tests stop and start, with few connections. */
let database: PostgresServer;
beforeAll(async () => {
  const settings = { max_connections: 16, superuser_reserved_connections: 0, max_wal_senders: 0 };
  database = await PostgresServer.start({ binaries: process.env["TEST_POSTGRES_BIN"] || undefined, durable: true, settings });
  await run(database, "CREATE DATABASE periscope", "postgres");
});
afterAll(() => database[Symbol.asyncDispose]());

const startServer = (overrides = {}) => TestServer.start({ databaseUrl: database.url("periscope"), ...overrides });

async function run(server: PostgresServer, sql: string, database = "periscope"): Promise<Array<Record<string, unknown>>> {
  const client = new pg.Client(server.url(database));
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Ends every connection that a service has, and waits until they have ended. */
const terminateConnections = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'periscope'";

/** One request of every kind. */
const requests = (client: TestClient): Array<Promise<Answer>> => [
  client.sync(createMessage()),
  client.batch([createMessage(), createMessage()]),
  client.delete("/context/nothing"),
  client.get("/context/current"),
  client.get("/context/current?tabId=7"),
  client.get("/context/c"),
  client.get("/context/history"),
  client.get("/context/search?query=lighthouses"),
];

/** 503 with its cause and when to try again, and nothing about the inside. */
function expectUnavailable(answer: Answer, cause = /^The (?:connection to the )?database|^Too many changes/): void {
  expect([answer.status, answer.body.error]).toEqual([503, "unavailable"]);
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(answer.body.message).not.toMatch(/postgres|prisma|127\.0\.0\.1|57P|53\d{3}|ECONN/i);
  expect(answer.body.message).toMatch(cause);
}

type Sent = Array<[message: ReturnType<typeof createMessage>, status: number]>;

/** Writers that send one context after the other, and what they were answered. */
function writeOn(client: TestClient, count: number): { sent: Sent; stop(): Promise<void> } {
  const sent: Sent = [];
  let isOver = false;
  const writers = Array.from({ length: count }, async () => {
    while (!isOver) {
      const message = createMessage();
      const answer = await client.sync(message);
      if (answer.status !== 201) expectUnavailable(answer);
      sent.push([message, answer.status]);
    }
  });
  const stop = async () => {
    isOver = true;
    await Promise.all(writers);
  };
  return { sent, stop };
}

/** What was acknowledged is there; what was refused can be sent again, and may have been written all the same. */
async function expectStoredOnce(client: TestClient, sent: Sent): Promise<void> {
  for (const [message, status] of sent) {
    const again = await client.syncUntilTaken(message);
    expect([again.status, again.body.duplicate === true || status !== 201]).toEqual([201, true]);
    expect((await client.get(`/context/${again.body.contextId}`)).status).toBe(200);
  }
  expect((await client.get("/context/history?limit=1")).body.total).toBe(sent.length);
}

const readiness = async (server: TestServer) => (await rawRequest(new URL(server.baseUrl).origin, { path: "/readyz" })).status;

describe("a database that is stopped", () => {
  it("answers 503 to every request, and serves again without a restart", async () => {
    await using server = await startServer();
    const client = await server.client();
    expect((await client.sync(createMessage({ context: { id: "c" } }))).status).toBe(201);
    for (const mode of ["fast", "immediate"] as const) {
      await database.stop(mode);
      for (const answer of await Promise.all(requests(client))) expectUnavailable(answer);
      // The last answer stands for a moment.
      await vi.waitFor(async () => expect(await readiness(server)).toBe(503), 60_000);
      await database.start();
      await vi.waitFor(async () => {
        for (const answer of await Promise.all(requests(client))) expect(answer.status).toBeLessThan(500);
      }, 60_000);
      await vi.waitFor(async () => expect(await readiness(server)).toBe(200), 60_000);
    }
  });

  it("keeps acknowledged writes when it crashes, and repeats none", async () => {
    await using server = await startServer();
    const client = await server.client();
    const writers = writeOn(client, 4);
    await vi.waitFor(() => expect(writers.sent.length).toBeGreaterThan(20), 60_000);
    await database.stop("immediate");
    await writers.stop();
    await database.start();
    await vi.waitFor(async () => expect((await client.get("/context/current")).status).toBe(200), 60_000);
    await expectStoredOnce(client, writers.sent);
  });
});

it("answers 503 at most when connections are terminated under load", async () => {
  await using server = await startServer();
  const client = await server.client();
  const writers = writeOn(client, 6);
  for (let kill = 0; kill < 5; kill++) {
    const before = writers.sent.length;
    await vi.waitFor(() => expect(writers.sent.length).toBeGreaterThan(before + 6), 60_000);
    await run(database, terminateConnections);
  }
  await writers.stop();
  await expectStoredOnce(client, writers.sent);
});

it("answers 503 while the database server has no connection left", async () => {
  await using server = await startServer();
  const client = await server.client();
  await client.sync(createMessage({ context: { id: "c" } }));
  const others = Array.from({ length: 16 }, () => new pg.Client(database.url("periscope")).on("error", () => {}));
  const [first, ...rest] = others;
  await first?.connect();
  // By one that stays: no place becomes free a moment later.
  await first?.query(terminateConnections);
  await Promise.all(rest.map((other) => other.connect().catch(() => {})));
  for (const answer of await Promise.all(requests(client))) expectUnavailable(answer);
  await Promise.all(others.map((other) => other.end().catch(() => {})));
  await vi.waitFor(async () => expect((await client.get("/context/c")).status).toBe(200), 60_000);
});

it("answers 503 in bounded time while the database stalls", async () => {
  await using proxy = await StallingProxy.start(database.port);
  const databaseUrl = Object.assign(new URL(database.url("periscope")), { port: String(proxy.port) }).href;
  await using server = await TestServer.start({ databaseUrl, databaseTimeoutMs: 1000 });
  const client = await server.client();
  // Under this limit whatever is slow is a 503, to be sent again.
  await vi.waitFor(async () => expect((await client.sync(createMessage({ context: { id: "c" } }))).status).toBe(201), 60_000);
  proxy.stall();
  for (const answer of await Promise.all([client.sync(createMessage()), client.get("/context/c")])) expectUnavailable(answer);
  proxy.flow();
  await vi.waitFor(async () => {
    for (const answer of await Promise.all(requests(client))) expect(answer.status).toBeLessThan(500);
  }, 60_000);
});

it("answers 503 to a user whose row another program locks, and serves others", async () => {
  await using server = await startServer({ databaseConnections: 3, databaseTimeoutMs: 6000 });
  const [client, other] = [await server.client(), await server.client()];
  const outsider = new pg.Client(database.url("periscope"));
  await outsider.connect();
  await outsider.query("BEGIN");
  await outsider.query(`SELECT 1 FROM users WHERE "userId" = $1 FOR UPDATE`, [client.userId]);
  const waiting = Array.from({ length: 12 }, () => client.sync(createMessage()));
  // Twelve wait, and they wait with one connection.
  expect((await other.syncUntilTaken(createMessage())).status).toBe(201);
  expect((await client.get("/context/history")).status).toBe(200);
  expectUnavailable(await Promise.race(waiting));
  await outsider.query("COMMIT");
  await outsider.end();
  for (const answer of await Promise.all(waiting)) expect([201, 503]).toContain(answer.status);
  expect((await client.syncUntilTaken(createMessage())).status).toBe(201);
});
