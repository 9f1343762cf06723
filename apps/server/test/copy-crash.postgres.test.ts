import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { copiedTables } from "../src/storage/copy/copied-tables.js";
import type { CopyMark } from "../src/storage/copy/copy-ends.js";
import { markTable } from "../src/storage/copy/half-copied.js";
import { ended, openGate, shutGate } from "./apply-process.js";
import { runCopy } from "./copied-installation.js";
import { dumpOf, rowsOf, writeTo } from "./database-dump.js";
import { PostgresDatabase } from "./postgres-database.js";
import { TestCommand, withoutProgress } from "./test-command.js";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const directory = mkdtempDisposableSync(join(tmpdir(), "periscope-copy-crash-"));
const file = (name: string) => join(directory.path, name);
const source = `sqlite:${file("source.db")}`;
/** Lock at which a copy waits; the product has none of this number. */
const gate = 7_777_777;
/** What a copy that nobody disturbs makes. */
let whole: PostgresDatabase;

beforeAll(async () => {
  if (!existsSync(cli)) throw new Error("The server is not built. Run `pnpm build` first.");
  using command = new TestCommand({ DATABASE_URL: source });
  for (const user of ["ada", "grace", "zoe"]) await command.run("keys", "create", "--user", user, "--scopes", "read");
  // Several parts of contexts, and of records.
  writeTo(
    file("source.db"),
    `CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3499) SELECT i FROM n;
     INSERT INTO contexts (userId, contextId, type, tabId, extensionId, capturedAt, privacyLevel, writtenAt, contentFormat, url, title, tabMetadata, metadata, content)
       SELECT CASE i % 3 WHEN 0 THEN 'zoe' WHEN 1 THEN 'ada' ELSE 'grace' END, 'c' || i, 'page', '7', 'default', 1700000000000 + i * 7919 % 1000, 'public',
         1700000000000, 'text', 'https://articles.example/' || i, 'Lamp ' || i, '{"id":"7"}', '{}',
         replace(printf('%*s', 100 + i % 100, ''), ' ', 'Lamp ' || i || ' burns here. ') FROM n WHERE i < 1500;
     INSERT INTO processed_messages SELECT 'ada', 'default', 'm' || i, 'f' || i, 'public', '{"n":' || i || '}', 1700000000000 + i FROM n;
     INSERT INTO tombstones SELECT 'zoe', 'gone' || i, 1700000000000, 1700000000000 FROM n WHERE i < 50;`,
  );
  whole = await PostgresDatabase.create();
  const { code, err } = await runCopy(source, whole.url);
  if (code !== 0) throw new Error(err);
});
afterAll(async () => {
  await whole[Symbol.asyncDispose]();
  directory.remove();
});

/** Every table of a PostgreSQL installation with its search index, each as one hash. */
async function hashesOf(database: PostgresDatabase): Promise<unknown[]> {
  const tables = [
    ...copiedTables.map(({ name, key }) => [name, key] as const),
    ...["search_terms", "search_vectors"].map((name) => [name, ["userId", "seq"]] as const),
  ];
  const hashes = tables.map(([name, key]) => {
    const order = key.map((column) => `"${column}"`).join(", ");
    return `SELECT '${name}' AS table, count(*)::int AS rows, md5(string_agg(t::text, '|' ORDER BY ${order})) AS hash FROM ${name} t`;
  });
  return await database.rows(`${hashes.join(" UNION ALL ")} ORDER BY 1`);
}

const start = (from: string, to: string): ChildProcess =>
  spawn(process.execPath, [cli, "copy", "--from", from, "--to", to], { env: {}, stdio: "ignore" });

type RowsOf = (table: string) => number;

/** Waits until the target's mark says what is wanted. */
async function untilMark(child: ChildProcess, read: () => Promise<string | undefined>, isThere: (rows: RowsOf) => boolean): Promise<void> {
  for (const until = performance.now() + 120_000; ;) {
    if (performance.now() > until) throw new Error("The copy has not come there.");
    const json = await read();
    const mark = json === undefined ? undefined : (JSON.parse(json) as CopyMark);
    if (mark && isThere((table) => mark.tables[table]?.rows ?? 0)) return;
    if (child.exitCode !== null) throw new Error(`The copy ended too early: exit ${child.exitCode}`);
    await pause(2);
  }
}

/** Where copies note how far they have come, made before the first of them, so that one can be held there. */
const makeMark = `CREATE TABLE ${markTable} (id INTEGER NOT NULL PRIMARY KEY, mark TEXT NOT NULL)`;

/** Kills a copy some time after its mark says what is wanted; whatever comes of it, it runs no more. */
async function killAt(child: ChildProcess, read: () => Promise<string | undefined>, isThere: (rows: RowsOf) => boolean, afterMs = 0) {
  try {
    await untilMark(child, read, isThere);
    await pause(afterMs);
  } finally {
    child.kill("SIGKILL");
    await ended(child);
  }
}

it("kill -9 anywhere on the way to PostgreSQL, and the same command again, ends as a copy that nobody disturbed", async () => {
  await using database = await PostgresDatabase.create();
  const client = new pg.Client(database.url);
  client.on("error", () => {});
  await client.connect();
  const read = async () => (await client.query(`SELECT mark FROM ${markTable}`)).rows[0]?.mark;
  await client.query(makeMark);
  // The database comes to its end with what it was sent, or drops it.
  const places: Array<[table: string, moreThan: number, afterMs: number, isDropped: boolean]> = [
    ["contexts", -1, 0, false],
    ["contexts", 0, 0, true],
    ["contexts", 500, 40, false],
    ["processed_messages", 0, 5, true],
  ];
  for (const [table, moreThan, afterMs, isDropped] of places) {
    // Once it is there the copy comes no further, however late it is killed.
    await client.query(`SELECT pg_advisory_lock(${gate})`);
    await client.query(
      `CREATE OR REPLACE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(${gate}); RETURN NEW; END $$;
       CREATE OR REPLACE TRIGGER gate BEFORE UPDATE ON ${markTable} FOR EACH ROW
         WHEN (coalesce((OLD.mark::json #>> '{tables,${table},rows}')::int, 0) > ${moreThan}) EXECUTE FUNCTION wait_at_gate()`,
    );
    const child = start(source, database.url);
    await killAt(child, read, (rows) => rows(table) > moreThan, afterMs);
    if (isDropped)
      await client.query(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'periscope copy' AND datname = current_database()",
      );
    await client.query(`SELECT pg_advisory_unlock(${gate})`);
    using command = new TestCommand({ DATABASE_URL: database.url });
    expect(await command.run("users", "list")).toMatchObject({ code: 1, err: expect.stringContaining("has not come to its end") });
  }
  // In the comparison, which waits for this table. It is whole already.
  await client.query("BEGIN");
  await client.query("LOCK TABLE tombstones IN ACCESS EXCLUSIVE MODE");
  const child = start(source, database.url);
  await killAt(child, read, (rows) => rows("api_keys") === 3);
  await client.query("ROLLBACK");
  await client.end();

  const { code, err, out } = await runCopy(source, database.url, "--json");
  expect({ code, err: withoutProgress(err) }).toEqual({ code: 0, err: "" });
  expect(JSON.parse(out)).toMatchObject({ rowsBefore: 5056, sourceChanged: false });
  expect(await hashesOf(database)).toEqual(await hashesOf(whole));
});

it("and on the way to a file", async () => {
  const [undisturbed, to] = [file("undisturbed.db"), file("to.db")];
  expect((await runCopy(whole.url, `sqlite:${undisturbed}`)).code).toBe(0);
  const read = async () => rowsOf<{ mark: string }>(to, `SELECT mark FROM ${markTable}`)[0]?.mark;
  writeTo(to, makeMark);
  for (const table of ["contexts", "processed_messages"]) {
    shutGate(to, `OLD.mark ->> '$.tables.${table}.rows' > 0`, `UPDATE ON ${markTable}`);
    const child = start(whole.url, `sqlite:${to}`);
    await killAt(child, read, (rows) => rows(table) > 0, 10);
    openGate(to);
  }
  expect((await runCopy(whole.url, `sqlite:${to}`)).code).toBe(0);
  expect(dumpOf(to, { withTimes: true })).toEqual(dumpOf(undisturbed, { withTimes: true }));
});
