import { existsSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { claimSource } from "../src/cli/copy-claims.js";
import { claimDatabase } from "../src/data-directory.js";
import { copyStorage } from "../src/storage/copy/copy-storage.js";
import { openCopyTarget, openSnapshot } from "../src/storage/copy/open-copy-ends.js";
import { answersTo, fillWithEverything, runCopy, type Sent } from "./copied-installation.js";
import { checkWhole, rowsOf, writeTo } from "./database-dump.js";
import { createMessage, updateMessage } from "./messages.js";
import { PostgresDatabase } from "./postgres-database.js";
import { checkPostgresIndex } from "./postgres-index.js";
import type { TestClient } from "./test-client.js";
import { TestCommand } from "./test-command.js";
import { TestServer } from "./test-server.js";

const directory = mkdtempDisposableSync(join(tmpdir(), "periscope-copy-"));
const fileUrl = (name: string) => `sqlite:${join(directory.path, name)}`;
const fileIn = (url: string) => url.slice("sqlite:".length);
const source = fileUrl("source.db");
/** An installation with rows of every kind, and what it answers. */
let sent: Sent;
const answers = new Map<TestClient, unknown[]>();

beforeAll(async () => {
  await using server = await TestServer.start({ databaseUrl: `file:${fileIn(source)}` });
  sent = await fillWithEverything(server);
  const command = new TestCommand({ DATABASE_URL: source });
  await command.run("privacy", "apply", "--user", "zoe");
  for (const client of sent.keys()) answers.set(client, await answersTo(client));
});
afterAll(() => directory.remove());

/** A copy of the file of the source, for a test that changes it. */
async function sourceOfItsOwn(name: string): Promise<string> {
  const url = fileUrl(name);
  writeTo(fileIn(source), `VACUUM INTO '${fileIn(url)}'`);
  return url;
}

/** Copies no more than the first part of what there is. */
async function copyHalf(from: string, to: string): Promise<void> {
  await using snapshot = await openSnapshot(from.replace("sqlite:", "file:"));
  await using target = await openCopyTarget(to.replace("sqlite:", "file:"));
  let isStopped = false;
  const { comparison } = await copyStorage({
    source: snapshot,
    target,
    from: "a source",
    to: "a target",
    openTargetSnapshot: () => openSnapshot(to),
    startOver: false,
    onCopied: (done) => (isStopped = done > 0),
    onCompared: () => {},
    isStopped: () => isStopped,
  });
  expect(comparison).toBeNull();
}

describe("copying to PostgreSQL", () => {
  it("takes everything along: answers, keys, replays, deletes and who is newest are as they were", async () => {
    await using database = await PostgresDatabase.create("template0");
    const { code, out, err } = await runCopy(source, database.url);
    // How far it is, where it takes its time.
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^(?: *\d+% .*\n)*$/) });
    expect(out).toMatch(/^contexts +176 +(\w{16}) +176 +\1 +same$/m);
    expect(out).toMatch(/^search index +176 +whole$/m);
    for (const table of [
      "tombstones",
      "processed_messages",
      "extensions",
      "extension_errors",
      "privacy_rules",
      "privacy_progress",
      "api_keys",
    ])
      expect(out).toMatch(new RegExp(`^${table} +[1-9]\\d* .* same$`, "m"));
    await checkPostgresIndex(database);
    const applied = new TestCommand({ DATABASE_URL: database.url });
    expect(await applied.json("privacy", "apply", "--user", "zoe")).toMatchObject({ upToDate: 1 });

    await using server = await TestServer.start({ databaseUrl: database.url });
    for (const [client, messages] of sent) {
      const copied = client.at(() => server.baseUrl);
      expect(await answersTo(copied)).toEqual(answers.get(client));
      for (let first = 0; first < messages.length; first += 50) {
        const { body } = await copied.batch(messages.slice(first, first + 50));
        expect(body.results.filter(({ duplicate }: { duplicate?: true }) => duplicate !== true)).toEqual([]);
      }
      const older = [
        updateMessage("c3", { title: "Late" }, { timestamp: "2026-01-31T12:30:00.000Z" }),
        createMessage({ context: { id: "c5" } }),
      ];
      expect((await copied.batch(older)).body.failed).toBe(0);
      expect((await copied.get("/context/c3")).body.title).toBe("An updated title about beacons");
      expect((await copied.get("/context/c5")).status).toBe(404);
      // What arrives now comes after all that was copied.
      await copied.sync(createMessage({ context: { id: "new", capturedAt: "2026-01-31T12:02:00.000Z" } }));
      expect((await copied.get("/context/current")).body.contextId).toBe("new");
      expect((await copied.get("/context/search?query=lighthouses")).body.total).toBe(1);
    }
  });

  it("and back, by way of copies on the same engine, ends as what it began with", async () => {
    await using first = await PostgresDatabase.create("template0");
    await using second = await PostgresDatabase.create();
    const [back, last] = [fileUrl("back.db"), fileUrl("last.db")];
    const stations = [source, first.url, second.url, back, last];
    for (const [index, to] of stations.slice(1).entries()) expect((await runCopy(stations[index] ?? "", to)).code).toBe(0);
    expect((await runCopy(source, last, "--verify", "--json")).code).toBe(0);
    checkWhole(fileIn(last));
    await using server = await TestServer.start({ databaseUrl: `file:${fileIn(last)}` });
    const [client] = sent.keys();
    if (!client) throw new Error("nobody has sent anything");
    expect(await answersTo(client.at(() => server.baseUrl))).toEqual(answers.get(client));
  });

  it("makes what the service makes of text that PostgreSQL cannot hold", async () => {
    await using database = await PostgresDatabase.create();
    const own = await sourceOfItsOwn("nul.db");
    writeTo(fileIn(own), "UPDATE contexts SET title = 'a' || char(0) || 'b' WHERE contextId = 'c1'");
    expect((await runCopy(own, database.url)).code).toBe(0);
    expect(await database.rows(`SELECT DISTINCT title FROM contexts WHERE "contextId" = 'c1'`)).toEqual([{ title: "a\uFFFDb" }]);
  });
});

describe("--verify", () => {
  it("names the table that was tampered with", async () => {
    await using database = await PostgresDatabase.create();
    expect((await runCopy(source, database.url)).code).toBe(0);
    const damages: Array<[sql: string, named: string]> = [
      [`UPDATE processed_messages SET "processedAt" = '2026-01-01T00:00:00.001Z' WHERE "messageId" = 'u3'`, "processed_messages"],
      [`UPDATE api_keys SET "revokedAt" = NULL`, "api_keys"],
      // Two contexts change places in the order of arrival.
      [`UPDATE contexts SET seq = 1000 - seq WHERE "contextId" IN ('c1', 'c2') AND "userId" = 'ada'`, "contexts"],
      [`DELETE FROM search_terms WHERE seq = 7 AND "userId" = 'ada'`, "the search index"],
    ];
    const named: string[] = [];
    for (const [sql, table] of damages) {
      await database.rows(sql);
      named.push(table);
      const { code, out, err } = await runCopy(source, database.url, "--verify");
      expect(code).toBe(1);
      const [, told = ""] = / in ([\w, ]+)\.\n$/.exec(err) ?? [];
      expect(told.split(", ").toSorted()).toEqual(
        [...new Set([...named, ...(table === "contexts" ? ["the search index"] : [])])].toSorted(),
      );
      expect(out).toContain(table === "the search index" ? "DAMAGED" : "DIFFERENT");
    }
  });
});

describe("an unfinished copy", () => {
  it("goes on with a source that has grown, and begins anew when what was copied has changed", async () => {
    await using database = await PostgresDatabase.create();
    const own = await sourceOfItsOwn("growing.db");
    await copyHalf(own, database.url);
    await using server = await TestServer.start({ databaseUrl: `file:${fileIn(own)}` });
    const last = [...sent.keys()].map((client) => client.at(() => server.baseUrl)).find(({ userId }) => userId === "zoe");
    await last?.sync(createMessage());
    await server.close();
    expect(JSON.parse((await runCopy(own, database.url, "--json")).out)).toMatchObject({ rowsBefore: 176, sourceChanged: false });
    expect((await database.rows("SELECT 1 FROM contexts")).length).toBe(177);

    await using other = await PostgresDatabase.create();
    await copyHalf(own, other.url);
    writeTo(fileIn(own), "UPDATE contexts SET lastSeenAt = 5 WHERE contextId = 'c11'");
    const { code, out, err } = await runCopy(own, other.url, "--json");
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("has changed since") });
    expect(JSON.parse(out)).toMatchObject({ rowsBefore: 0, sourceChanged: true });
    await checkPostgresIndex(other);
  });

  it.each(["postgres", "sqlite"])("is no database for a server or a command, and tells how to go on: %s", async (engine) => {
    await using database = await PostgresDatabase.create();
    const to = engine === "postgres" ? database.url : fileUrl("half.db");
    await copyHalf(source, to);
    const says = /is a copy of a source that has not come to its end, .*--start-over/;
    await expect(TestServer.start({ databaseUrl: to.replace("sqlite:", "file:") })).rejects.toThrow(says);
    using command = new TestCommand({ DATABASE_URL: to });
    expect(await command.run("users", "create")).toMatchObject({ code: 1, err: expect.stringMatching(says) });
    expect((await command.run("doctor")).out).toContain("is an unfinished copy of a source\n         Give the same `periscope copy` again");
    expect((await runCopy(source, to, "--start-over")).code).toBe(0);
    expect((await command.run("users", "list")).out).toContain("Grace.x");
  });

  it("of another installation is refused, and stays as it is", async () => {
    await using database = await PostgresDatabase.create();
    await copyHalf(source, database.url);
    const other = fileUrl("other.db");
    await using server = await TestServer.start({ databaseUrl: `file:${fileIn(other)}` });
    await server.close();
    const { code, err } = await runCopy(other, database.url);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("unfinished copy of another installation, a source") });
    expect((await database.rows("SELECT 1 FROM contexts")).length).toBe(176);
  });
});

describe("what is refused", () => {
  it("is a target that holds something, untouched", async () => {
    await using server = await TestServer.start();
    await server.client();
    await server.close();
    const { databaseUrl } = server.config;
    const refused = await runCopy(source, databaseUrl);
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringMatching(/PostgreSQL at .* is not empty, .*--verify/) });
    expect((await server.rows("SELECT 1 FROM contexts")).length).toBe(0);
  });

  it("is a server at work on either side; --live copies from a source nevertheless", async () => {
    await using served = await TestServer.start();
    await served.client();
    expect(await runCopy(source, served.config.databaseUrl)).toMatchObject({
      code: 1,
      err: expect.stringContaining("is at work on PostgreSQL at"),
    });
    const to = fileUrl("live.db");
    expect(await runCopy(served.config.databaseUrl, to)).toMatchObject({ code: 1, err: expect.stringContaining("--live") });
    expect((await runCopy(served.config.databaseUrl, to, "--live")).code).toBe(0);
    using _claim = claimDatabase(fileIn(source));
    expect(await runCopy(source, fileUrl("never.db"))).toMatchObject({ code: 1, err: expect.stringContaining("--live") });
    expect((await runCopy(source, fileUrl("live2.db"), "--live")).code).toBe(0);
    expect(rowsOf(fileIn(fileUrl("live2.db")), "SELECT 1 FROM contexts")).toHaveLength(176);
  });

  it("is a server without work as well, and one that starts meanwhile is told so", async () => {
    await using served = await TestServer.start();
    const { databaseUrl } = served.config;
    const end = (name: string) =>
      served.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE ?",
        name,
      );
    await end("periscope");
    const to = fileUrl("of-idle.db");
    expect(await runCopy(databaseUrl, to)).toMatchObject({ code: 1, err: expect.stringContaining("--live") });
    // Its session is another after a while without the database; the one that was ended may be seen for a moment longer.
    const holders = async () => {
      const rows = await served.rows(
        "SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND datname = current_database() WHERE locktype = 'advisory'",
      );
      return (rows as { pid: number }[]).map(({ pid }) => pid);
    };
    const before = await holders();
    expect(before).toHaveLength(1);
    await end("periscope%");
    await vi.waitFor(async () => expect((await holders()).filter((pid) => !before.includes(pid))).toHaveLength(1), {
      timeout: 20_000,
      interval: 50,
    });
    expect(await runCopy(databaseUrl, to)).toMatchObject({ code: 1, err: expect.stringContaining("--live") });
    await served.close();
    {
      await using _claim = await claimSource(databaseUrl, false);
      await expect(TestServer.start({ databaseUrl })).rejects.toThrow(
        /^`periscope copy` is at work on PostgreSQL at \S+\. Wait for its end/,
      );
      expect(await runCopy(databaseUrl, to)).toMatchObject({ code: 1, err: expect.stringContaining("or another copy") });
    }
    expect((await runCopy(databaseUrl, to)).code).toBe(0);
    await using _again = await TestServer.start({ databaseUrl });
  });

  it.each([
    ["a source that is not there", "sqlite:/nowhere/periscope.db", /^There is no database \/nowhere\/periscope.db\./],
    ["a source of no engine", "mysql://someone:secret@host/x", /^--from: got mysql:… \(the rest is not shown\); allowed: file: or/],
    ["one database on both sides", fileUrl("new.db"), /^--from and --to name the same database/],
  ])("is %s", async (_name, from, says) => {
    const to = fileUrl("new.db");
    expect(await runCopy(from, to)).toMatchObject({ code: 2, err: expect.stringMatching(says) });
    expect(existsSync(fileIn(to))).toBe(false);
  });

  it("is a database of an older version, and one that is none", async () => {
    const old = fileUrl("old.db");
    writeTo(fileIn(old), "CREATE TABLE notes (text)");
    expect(await runCopy(old, fileUrl("new.db"))).toMatchObject({ code: 1, err: expect.stringContaining("is no database of Periscope") });
    const own = await sourceOfItsOwn("older.db");
    writeTo(fileIn(own), "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%search_terms'");
    expect(await runCopy(own, fileUrl("new.db"))).toMatchObject({ code: 1, err: expect.stringContaining("periscope migrate") });
  });
});
