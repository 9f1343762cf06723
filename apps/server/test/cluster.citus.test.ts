import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { distributePostgres, migratePostgres } from "../src/storage/postgres/migrate.js";
import { shippedMigrations } from "../src/storage/migrations.js";
import { CitusCluster } from "./citus-cluster.js";
import { configMessage, createMessage, deleteMessage, errorMessage, heartbeat, updateMessage } from "./messages.js";
import { OAuthAgent } from "./oauth-agent.js";
import { PortalClient } from "./portal-client.js";
import type { TestClient } from "./test-client.js";
import { TestCommand } from "./test-command.js";
import { TestServer } from "./test-server.js";

// Runs only where TEST_CITUS_WORKERS asks for a cluster, of two workers at least; its tests move shards and stop a worker.
let cluster: CitusCluster;
beforeAll(async () => {
  cluster = await CitusCluster.start();
});
afterAll(() => cluster[Symbol.asyncDispose]());

/** Rows of a statement on the coordinator. */
async function rowsOf<Row extends pg.QueryResultRow>(name: string, sql: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(cluster.servers[0].url(name));
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** All tables of the service, each of which a cluster must have a place for. */
async function tablesOf(name: string): Promise<string[]> {
  const made = `SELECT relname AS name FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'periscope_migrations' ORDER BY 1`;
  return (await rowsOf<{ name: string }>(name, made)).map((table) => table.name);
}

/** Tables with rows that only a browser with a passkey makes. */
const ofPasskeys = ["auth_passkeys", "auth_verifications"];

async function counts(name: string): Promise<Array<[table: string, rows: number]>> {
  const tables = await tablesOf(name);
  const found = await Promise.all(tables.map((table) => rowsOf<{ rows: number }>(name, `SELECT count(*)::int AS rows FROM ${table}`)));
  return tables.map((table, index) => [table, found[index]?.[0]?.rows ?? 0]);
}

/** Has the server store rows of every kind, of three users; their clients. */
async function fillWithEverything(server: TestServer): Promise<TestClient[]> {
  const clients = await Promise.all(["ada", "Grace.x", "zoe"].map((userId) => server.client({ userId })));
  for (const client of clients) {
    const page = (index: number) => {
      const content = `harbours, 灯台と霧笛, entry ${index} of ${client.userId}`;
      return createMessage({
        messageId: `page-${index}`,
        context: { id: `c${index}`, tabId: `${index % 4}`, content, privacyLevel: "public" },
      });
    };
    const others = [
      updateMessage("c3", { title: "A title about beacons" }, { messageId: "u3" }),
      deleteMessage("c5", { messageId: "d5" }),
      heartbeat("c7", "2026-01-31T12:57:00Z"),
      configMessage("conf", 3, { theme: "dark" }),
      errorMessage("E1"),
    ];
    const { body } = await client.batch([...Array.from({ length: 20 }, (_, index) => page(index)), ...others]);
    if (body.failed !== 0) throw new Error(JSON.stringify(body));
    await client.putRules({ blockedSites: ["blocked.example"] });
    await client.put("/data/retention", { rules: [{ keepDays: 3650, site: "blocked.example" }] });
    await client.delete("/context/c9");
    await client.send("POST", "/live/tickets");
  }
  const { browser } = await PortalClient.owner(server, { name: "Eve", email: "eve@example.org", password: "correct horse battery" });
  await browser.mutate("people.invite", { note: "Bob" });
  await (await OAuthAgent.register(server)).connect(browser);
  await server.access.revokeKey((await server.access.createKey({ userId: "ada", scopes: ["read"] })).record.keyId);
  return clients;
}

const paths = "history?limit=50 current current?tabId=2 c3 c5 c9 search?query=harbours&limit=50 search?query=%E9%9C%A7%E7%AC%9B".split(" ");

/** What a client is answered, path by path. */
async function answersTo(client: TestClient): Promise<unknown[]> {
  const answers = await Promise.all([...paths.map((path) => `/context/${path}`), "/privacy/rules"].map((path) => client.get(path)));
  return answers.map(({ status, body }) => ({ status, body: { ...body, requestId: undefined } }));
}

interface Placement {
  shard: string;
  port: number;
}

/** Where the rows of a user are. */
async function findPlacement(name: string, userId: string): Promise<Placement> {
  const [place] = await rowsOf<Placement>(
    name,
    `SELECT shardid::text AS shard, nodeport AS port FROM pg_dist_shard_placement
     WHERE shardid = get_shard_id_for_distribution_column('users', $1::text)`,
    [userId],
  );
  if (!place) throw new Error("The user is nowhere.");
  return place;
}

/** Sends contexts one after the other until it is told to stop; ids of those that were acknowledged. */
function writeOn(client: TestClient): { acknowledged: string[]; stop: () => Promise<void> } {
  const acknowledged: string[] = [];
  let isStopped = false;
  const writing = (async () => {
    for (let count = 0; !isStopped; count++) {
      const id = `w${count}`;
      const { status } = await client.sync(createMessage({ messageId: id, context: { id } }));
      if (status === 201) acknowledged.push(id);
      else if (status !== 503) throw new Error(`A write was answered ${status}, which is neither taken nor to be sent again.`);
    }
  })();
  const stop = async () => {
    isStopped = true;
    await writing;
  };
  return { acknowledged, stop };
}

/** Ids of all contexts of a user. */
async function idsOf(client: TestClient): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let cursor = ""; ;) {
    const { body } = await client.get(`/context/history?limit=100${cursor && `&cursor=${cursor}`}`);
    for (const { contextId } of body.contexts) ids.add(contextId);
    if (!body.nextCursor) return ids;
    cursor = body.nextCursor;
  }
}

it("--distribute moves what is there, and a later migration reaches the shards", async () => {
  const name = "used";
  await cluster.createEmpty(name);
  const databaseUrl = cluster.servers[0].url(name);
  await using server = await TestServer.start({ databaseUrl, signUp: "invite", searchTimeoutMs: 60_000, databaseTimeoutMs: 60_000 });
  // Time stands still: rows that expire are not dropped meanwhile.
  server.clock.now = Date.now();
  const clients = await fillWithEverything(server);
  using command = new TestCommand({ DATABASE_URL: databaseUrl });
  expect((await command.run("privacy", "apply", "--user", "zoe")).code).toBe(0);
  const answers = new Map<TestClient, unknown[]>();
  for (const client of clients) answers.set(client, await answersTo(client));
  // Usage is counted in memory, and written at the end.
  await server.restart();
  const before = await counts(name);
  expect(before.flatMap(([table, rows]) => (rows === 0 ? [table] : []))).toEqual(ofPasskeys);

  const spread = await Promise.all([distributePostgres(databaseUrl), distributePostgres(databaseUrl)]);
  expect(spread.flat().toSorted()).toEqual(await tablesOf(name));
  expect(await counts(name)).toEqual(before);
  expect((await command.run("migrate", "--distribute")).code).toBe(0);
  expect((await command.run("doctor")).out).toMatch(/can be read\n.*up to date\n.*access: 4 users, /);
  const left = `SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE partmethod = 'h' AND pg_relation_size(logicalrelid) > 0`;
  expect(await rowsOf(name, left)).toEqual([]);
  expect(
    await rowsOf(
      name,
      "SELECT DISTINCT nodeport FROM pg_dist_shard_placement p JOIN pg_dist_shard s USING (shardid) WHERE shardminvalue IS NOT NULL",
    ),
  ).toHaveLength(cluster.servers.length - 1);

  await migratePostgres(databaseUrl, [
    ...shippedMigrations("postgres"),
    { name: "29990101000000_column", sql: `ALTER TABLE contexts ADD COLUMN later TEXT NOT NULL DEFAULT 'so'` },
    { name: "29990102000000_index", sql: `CREATE INDEX "contexts_later_idx" ON "contexts"("later")` },
  ]);
  const shards = await rowsOf<{ success: boolean; result: string }>(
    name,
    "SELECT success, result FROM run_command_on_shards('contexts', $$SELECT count(later) FROM %s$$)",
  );
  expect(shards.every(({ success }) => success)).toBe(true);
  expect(shards.reduce((sum, { result }) => sum + Number(result), 0)).toBe(before.find(([table]) => table === "contexts")?.[1]);
  for (const [client, known] of answers) expect(await answersTo(client)).toEqual(known);
  for (const client of clients) expect((await client.sync(createMessage({ context: { id: "later" } }))).status).toBe(201);
});

it("loses no acknowledged write while a shard moves to another worker", async () => {
  const name = "moved";
  await cluster.createDatabase(name);
  await using server = await TestServer.start({ databaseUrl: cluster.servers[0].url(name) });
  const client = await server.client();
  expect((await client.sync(createMessage({ context: { id: "first" } }))).status).toBe(201);
  const { shard, port } = await findPlacement(name, client.userId);
  const target = cluster.servers.find((worker, index) => index > 0 && worker.port !== port);
  const writing = writeOn(client);
  await vi.waitFor(() => expect(writing.acknowledged.length).toBeGreaterThan(3), 60_000);
  await rowsOf(name, "SELECT citus_move_shard_placement($1::bigint, '127.0.0.1', $2, '127.0.0.1', $3, 'force_logical')", [
    shard,
    port,
    target?.port,
  ]);
  const moved = writing.acknowledged.length;
  await vi.waitFor(() => expect(writing.acknowledged.length).toBeGreaterThan(moved + 3), 60_000);
  await writing.stop();
  expect((await findPlacement(name, client.userId)).port).toBe(target?.port);
  expect(await idsOf(client)).toEqual(new Set(["first", ...writing.acknowledged]));
  expect((await client.get("/context/current")).status).toBe(200);
});

it("answers 503 to users of a worker that is down, and loses nothing acknowledged", async () => {
  const name = "down";
  await cluster.createDatabase(name);
  await using server = await TestServer.start({ databaseUrl: cluster.servers[0].url(name) });
  const clients = await Promise.all(Array.from({ length: 8 }, () => server.client()));
  const ports = await Promise.all(clients.map(async ({ userId }) => (await findPlacement(name, userId)).port));
  const worker = cluster.servers.find((each, index) => index > 0 && each.port === ports[0]);
  const [theirs, others] = [true, false].map((is) => clients.filter((_, index) => (ports[index] === worker?.port) === is));
  expect(others?.length).toBeGreaterThan(0);
  const statuses = (of: readonly TestClient[] | undefined, id: string) =>
    Promise.all((of ?? []).map(async (client) => (await client.sync(createMessage({ context: { id } }))).status));
  expect(new Set(await statuses(clients, "before"))).toEqual(new Set([201]));
  const owner = { name: "Eve", email: "eve@example.org", password: "correct horse battery" };
  const { browser } = await PortalClient.owner(server, owner);

  await worker?.stop("immediate");
  for (const client of theirs ?? [])
    await vi.waitFor(async () => {
      const { status, headers } = await client.get("/context/current");
      expect([status, Number(headers.get("retry-after")) > 0]).toEqual([503, true]);
    }, 30_000);
  expect(new Set(await statuses(theirs, "lost"))).toEqual(new Set([503]));
  expect(new Set(await statuses(others, "meanwhile"))).toEqual(new Set([201]));
  expect((await fetch(new URL("/readyz", server.baseUrl))).status).toBe(200);
  // Whoever starts meanwhile serves the others; keys are made and ended with every machine or not at all.
  await using second = await TestServer.start({ databaseUrl: cluster.servers[0].url(name) });
  const [other] = others ?? [];
  if (!other) throw new Error("Nobody is on the other worker.");
  expect((await other.at(() => second.baseUrl).get("/context/current")).status).toBe(200);
  using command = new TestCommand({ DATABASE_URL: cluster.servers[0].url(name) });
  for (const words of [
    ["keys", "create", "--user", other.userId, "--scopes", "read"],
    ["keys", "revoke", other.keyId],
    ["users", "list"],
  ])
    expect(await command.run(...words)).toMatchObject({ code: 1, out: "" });
  expect((await new PortalClient(server).signIn(owner)).status).toBe(503);
  expect((await browser.query("session.me")).status).toBe(200);
  expect((await other.get("/context/current")).status).toBe(200);

  await worker?.start();
  await vi.waitFor(async () => expect(new Set(await statuses(theirs, "after"))).toEqual(new Set([201])), 60_000);
  for (const client of theirs ?? []) expect([...(await idsOf(client))].toSorted()).toEqual(["after", "before"]);
  for (const client of others ?? []) expect([...(await idsOf(client))].toSorted()).toEqual(["before", "meanwhile"]);
});
