import { PostgresServer } from "@periscope/postgres/server";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import type { Config } from "../src/config.js";
import { createMessage, deleteMessage } from "./messages.js";
import { parsePrometheusText, type PrometheusText } from "./prometheus-text.js";
import { rawRequest } from "./raw-request.js";
import { StallingProxy } from "./stalling-proxy.js";
import type { TestClient } from "./test-client.js";
import { TestCommand } from "./test-command.js";
import { TestServer } from "./test-server.js";

const hour = 3_600_000;

let primary: PostgresServer;
let standby: PostgresServer;
/** Two servers of one database, each with the standby for its reads. */
let one: TestServer;
let other: TestServer;

beforeAll(async () => {
  primary = await PostgresServer.start({ binaries: process.env["TEST_POSTGRES_BIN"] || undefined });
  await ask(primary.url(), "CREATE DATABASE periscope");
  // It asks for its primary again soon when that comes back.
  standby = await primary.standby({ wal_retrieve_retry_interval: "200ms" });
  one = await startServer();
  other = await startServer();
});
afterAll(async () => {
  for (const each of [one, other, standby, primary]) await each?.[Symbol.asyncDispose]();
});

const urlOf = (server: { port: number }) => Object.assign(new URL(primary.url("periscope")), { port: String(server.port) }).href;

function startServer(overrides: Partial<Config> = {}): Promise<TestServer> {
  const databaseUrl = primary.url("periscope");
  return TestServer.start({ databaseUrl, databaseReplicaUrls: [urlOf(standby)], databaseReplicaLagMsMax: hour, ...overrides });
}

async function ask(url: string, sql: string): Promise<Array<Record<string, unknown>>> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Keeps the standby as it is. */
async function pauseReplay(): Promise<AsyncDisposable> {
  const state = () => ask(standby.url(), "SELECT pg_get_wal_replay_pause_state() AS state");
  await ask(standby.url(), "SELECT pg_wal_replay_pause()");
  await vi.waitFor(async () => expect(await state()).toEqual([{ state: "paused" }]), 60_000);
  return { [Symbol.asyncDispose]: async () => void (await ask(standby.url(), "SELECT pg_wal_replay_resume()")) };
}

async function metricsOf(server: TestServer): Promise<PrometheusText> {
  const { text } = await rawRequest(new URL(server.baseUrl).origin, { path: "/metrics" });
  return parsePrometheusText(text);
}

/** Where the reads went that `work` made. */
async function readsDuring(server: TestServer, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const count = async () => (await metricsOf(server)).samples.filter(({ name }) => name === "periscope_database_reads_total");
  const before = await count();
  await work();
  const entries = (await count()).map(({ labels, value }): [string, number] => {
    const known = before.find((sample) => sample.labels["target"] === labels["target"]);
    return [labels["target"] ?? "", value - (known?.value ?? 0)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value > 0));
}

/** Waits until `work` makes these reads: of a replica that the service has not heard of for seconds, it reads on the primary. */
const untilRead = (server: TestServer, work: () => Promise<unknown>, reads: Record<string, number>) =>
  vi.waitFor(async () => expect(await readsDuring(server, work)).toEqual(reads), 60_000);

/** Waits until the user is read for on a replica of each of these servers. */
async function untilReplicated(client: TestClient, ...servers: TestServer[]): Promise<void> {
  for (const server of servers) {
    const get = () => client.at(() => server.baseUrl).get("/context/history");
    await vi.waitFor(async () => expect(Object.keys(await readsDuring(server, get))).not.toContain("primary"), {
      timeout: 60_000,
      interval: 50,
    });
  }
}

const isUsed = (server: TestServer, used: 0 | 1) =>
  vi.waitFor(async () => expect((await metricsOf(server)).value("periscope_replica_used", { replica: "replica-1" })).toBe(used), {
    timeout: 60_000,
    interval: 50,
  });

/** A user with one context, `old`, which the standby has; a client of each of the two servers. */
async function newUser(): Promise<[client: TestClient, elsewhere: TestClient]> {
  const client = await one.client();
  expect((await client.sync(createMessage({ context: { id: "old" } }))).status).toBe(201);
  await untilReplicated(client, one, other);
  return [client, client.at(() => other.baseUrl)];
}

const idsOf = async (client: TestClient, path: string): Promise<string[]> => {
  const { contexts, results } = (await client.get(path)).body as Record<string, Array<{ contextId: string }> | undefined>;
  return (contexts ?? results ?? []).map(({ contextId }) => contextId);
};
const newer = (id: string) => createMessage({ context: { id, capturedAt: "2026-01-31T13:00:00.000Z" } });

it("history, search and contexts by id are read from the replica, the current context and what is missing from the primary", async () => {
  const [client] = await newUser();
  const areRead = (path: string, reads: Record<string, number>) => untilRead(one, () => client.get(path), reads);
  await areRead("/context/history", { "replica-1": 1 });
  await areRead("/context/search?query=lighthouses", { "replica-1": 1 });
  await areRead("/context/old", { "replica-1": 1 });
  await areRead("/context/current", { primary: 1 });
  await areRead("/context/nothing", { "replica-1": 1, primary: 1 });
  const connected = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'periscope'";
  expect((await ask(standby.url(), connected))[0]?.["count"]).toBeGreaterThan(0);
});

it("a user's own writes are seen at once through the process that took them, and `current` and new ids through every one", async () => {
  const [client, elsewhere] = await newUser();
  await using _paused = await pauseReplay();
  expect((await client.sync(newer("new"))).status).toBe(201);
  expect((await client.get("/context/current")).body.contextId).toBe("new");
  expect((await elsewhere.get("/context/current")).body.contextId).toBe("new");
  for (const path of ["/context/history", "/context/search?query=lighthouses"]) {
    expect((await idsOf(client, path)).toSorted()).toEqual(["new", "old"]);
    // What another process took is there when the replica has it.
    expect(await idsOf(elsewhere, path)).toEqual(["old"]);
  }
  expect((await elsewhere.get("/context/new")).status).toBe(200);

  expect((await client.delete("/context/old")).status).toBe(204);
  expect((await client.get("/context/old")).status).toBe(404);
  expect(await idsOf(client, "/context/history")).toEqual(["new"]);
  await elsewhere.sync(deleteMessage("new", { timestamp: "2026-01-31T14:00:00.000Z" }));
  expect((await elsewhere.get("/context/new")).status).toBe(404);
  expect(await idsOf(elsewhere, "/context/history")).toEqual([]);
  // Other users go on reading from the replica.
  const bystander = await one.client();
  await untilRead(one, () => bystander.get("/context/history"), { "replica-1": 1 });
});

it("a replica that lags is left out, and comes back when it has caught up", async () => {
  await using server = await startServer({ databaseReplicaLagMsMax: 500 });
  const [client] = await newUser();
  await untilReplicated(client, server);
  const here = client.at(() => server.baseUrl);
  {
    await using _paused = await pauseReplay();
    expect((await client.sync(newer("new"))).status).toBe(201);
    await isUsed(server, 0);
    expect(await idsOf(here, "/context/history")).toEqual(["new", "old"]);
    expect((await metricsOf(server)).value("periscope_replica_lag_seconds", { replica: "replica-1" })).toBeGreaterThan(0.5);
    using command = new TestCommand({ DATABASE_URL: primary.url("periscope"), DATABASE_REPLICA_URLS: urlOf(standby) });
    command.env["DATABASE_REPLICA_MAX_LAG_MS"] = String(hour);
    const { out } = await command.run("doctor", "--port", "0");
    expect(out).toMatch(/^ok {7}replica 1: PostgreSQL at 127\.0\.0\.1:\d+\/periscope is \d+\.\d s behind \(\d+ bytes\)$/m);
    command.env["DATABASE_REPLICA_MAX_LAG_MS"] = "100";
    expect((await command.run("doctor", "--port", "0")).out).toMatch(/^problem {2}replica 1: .* behind .*\n {9}It is left out until/m);
  }
  await isUsed(server, 1);
  await untilRead(server, () => here.get("/context/history"), { "replica-1": 1 });
});

it("a statement that the standby cancels for what it has to replay is run on the primary", async () => {
  const [client] = await newUser();
  await ask(standby.url(), "ALTER SYSTEM SET max_standby_streaming_delay = 0");
  await ask(standby.url(), "SELECT pg_reload_conf()");
  const conflicts = async () => {
    const [row] = await ask(standby.url(), "SELECT confl_lock::int AS count FROM pg_stat_database_conflicts WHERE datname = 'periscope'");
    return Number(row?.["count"]);
  };
  const admin = new pg.Client(primary.url("periscope"));
  await admin.connect();
  const statuses = new Set<number>();
  let isOver = false;
  const readers = Array.from({ length: 4 }, async () => {
    while (!isOver) statuses.add((await client.get("/context/search?query=lighthouses")).status);
  });
  await vi.waitFor(
    async () => {
      // A reader that came to the primary meanwhile may hold one table and wait for the other: then one of the two is cancelled.
      await admin.query("ROLLBACK");
      await admin.query("BEGIN; LOCK TABLE search_terms, contexts IN ACCESS EXCLUSIVE MODE; SELECT pg_current_xact_id(); COMMIT");
      expect(await conflicts()).toBeGreaterThan(3);
    },
    { timeout: 60_000, interval: 20 },
  );
  isOver = true;
  await Promise.all(readers);
  await admin.end();
  await ask(standby.url(), "ALTER SYSTEM RESET max_standby_streaming_delay");
  await ask(standby.url(), "SELECT pg_reload_conf()");
  expect([...statuses]).toEqual([200]);
});

it("a replica that stalls costs no read more than the time to notice", async () => {
  const [client] = await newUser();
  await using proxy = await StallingProxy.start(standby.port);
  // Without noticing, a read would wait for the end of the statement's time.
  await using server = await startServer({ databaseReplicaUrls: [urlOf(proxy)], databaseTimeoutMs: 600_000 });
  await untilReplicated(client, server);
  const here = client.at(() => server.baseUrl);
  proxy.stall();
  for (const { status } of await Promise.all(Array.from({ length: 8 }, () => here.get("/context/history")))) expect(status).toBe(200);
  await isUsed(server, 0);
  proxy.flow();
  await untilReplicated(client, server);
});

it("a replica that crashes loses no request, and is read again when it is back", async () => {
  const [client, elsewhere] = await newUser();
  const statuses: number[] = [];
  let isOver = false;
  const readers = [client, elsewhere, client, elsewhere].map(async (reader, index) => {
    while (!isOver) statuses.push((await reader.get(`/context/${["history", "search?query=lighthouses", "old"][index % 3]}`)).status);
  });
  await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(20), 60_000);
  await standby.stop("immediate");
  await isUsed(one, 0);
  const stopped = statuses.length;
  await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(stopped + 20), 60_000);
  // A server may start while a replica is down.
  await using late = await startServer();
  expect((await client.at(() => late.baseUrl).get("/context/old")).status).toBe(200);
  await standby.start();
  await untilReplicated(client, one, late);
  isOver = true;
  await Promise.all(readers);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

it("while the primary is down reads go on and writes are 503, and all is well again without a restart", async () => {
  const [client, elsewhere] = await newUser();
  // A key that the server has not seen before.
  const fresh = await one.client({ userId: client.userId });
  expect((await client.sync(newer("new"))).status).toBe(201);
  await untilReplicated(client, one, other);
  await primary.stop("immediate");
  const readers = [client, elsewhere, fresh.at(() => other.baseUrl)];
  for (const reader of readers) {
    expect(await idsOf(reader, "/context/history")).toEqual(["new", "old"]);
    expect((await idsOf(reader, "/context/search?query=lighthouses")).toSorted()).toEqual(["new", "old"]);
    expect((await reader.get("/context/old")).status).toBe(200);
    expect((await reader.get("/context/nothing")).status).toBe(404);
    const current = await reader.get("/context/current");
    expect([current.status, current.body.contextId]).toEqual([200, "new"]);
    expect(current.headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
    for (const answer of [await reader.sync(createMessage()), await reader.batch([createMessage()]), await reader.delete("/context/old")]) {
      expect([answer.status, answer.body.error]).toEqual([503, "unavailable"]);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  }
  expect((await rawRequest(new URL(one.baseUrl).origin, { path: "/readyz" })).status).toBe(200);
  await primary.start();
  await vi.waitFor(async () => expect((await client.sync(newer("newest"))).status).toBe(201), 60_000);
  expect(await idsOf(client, "/context/history")).toEqual(expect.arrayContaining(["newest"]));
  await untilReplicated(client, one, other);
});

it("a key that was revoked before the primary went down is refused again when that is back, whatever a replica said meanwhile", async () => {
  const [client] = await newUser();
  const revoked = (await one.client({ userId: client.userId })).at(() => other.baseUrl);
  await untilReplicated(revoked, other);
  await using _paused = await pauseReplay();
  await one.access.revokeKey(revoked.keyId);
  const status = async () => (await revoked.get("/context/history")).status;
  await vi.waitFor(async () => expect(await status()).toBe(401), 60_000);
  await primary.stop("immediate");
  // The standby has not heard of it.
  await vi.waitFor(async () => expect(await status()).toBe(200), 60_000);
  await primary.start();
  await vi.waitFor(async () => expect(await status()).toBe(401), { timeout: 60_000, interval: 50 });
});

it("reads are spread over the replicas, those of one user going to the same", async () => {
  // The same standby by two names.
  const url = new URL(urlOf(standby));
  const again = Object.assign(new URL(url), { hostname: "localhost" }).href;
  await using server = await startServer({ databaseReplicaUrls: [url.href, again] });
  const clients = await Promise.all(Array.from({ length: 16 }, () => server.client()));
  await untilReplicated(clients[0]!, server);
  const targets: string[] = [];
  for (const client of clients) {
    const reads = await vi.waitFor(async () => {
      const both = await readsDuring(server, () => Promise.all([client.get("/context/history"), client.get("/context/history")]));
      expect(both["primary"]).toBeUndefined();
      return both;
    }, 60_000);
    expect(Object.values(reads)).toEqual([2]);
    targets.push(...Object.keys(reads));
  }
  expect(new Set(targets)).toEqual(new Set(["replica-1", "replica-2"]));
});

it("an address that is no replica of the database is refused with what to do, and without passwords", async () => {
  const wrong: Array<[string, RegExp]> = [
    [primary.url("periscope"), /^DATABASE_REPLICA_URLS: PostgreSQL at 127\.0\.0\.1:\d+\/periscope is no standby/],
    [standby.url("postgres"), /belongs to another database than DATABASE_URL names/],
    [inject("postgresUrl") ?? "", /belongs to another database than DATABASE_URL names/],
    [urlOf(standby).replace(/:[^:@]*@/, ":hunter2@"), /does not accept the user or the password that DATABASE_REPLICA_URLS gives/],
    [`${urlOf(standby)}_more`, /does not exist: .* correct DATABASE_REPLICA_URLS/],
  ];
  for (const [url, message] of wrong) {
    const failure = await startServer({ databaseReplicaUrls: [url] }).then(
      () => new Error("it started"),
      (error: Error) => error,
    );
    expect(failure.message).toMatch(message);
    using command = new TestCommand({ DATABASE_URL: primary.url("periscope"), DATABASE_REPLICA_URLS: url });
    const { code, out, err } = await command.run("doctor", "--port", "0");
    expect([code, out]).toEqual([1, expect.stringMatching(/^problem {2}replica 1: PostgreSQL at \S+ cannot be read$/m)]);
    expect(failure.message + out + err).not.toMatch(/hunter2|only for tests|only%20for/);
  }
});

it("a standby that is promoted is read no more", async () => {
  const [client] = await newUser();
  await ask(standby.url(), "SELECT pg_promote()");
  await isUsed(one, 0);
  expect((await client.sync(newer("new"))).status).toBe(201);
  expect(await readsDuring(one, () => client.get("/context/history"))).toEqual({ primary: 1 });
  expect(await idsOf(client, "/context/history")).toEqual(["new", "old"]);
});
