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
import { ended } from "./apply-process.js";
import { runCopy } from "./copied-installation.js";
import { dumpOf, rowsOf, writeTo } from "./database-dump.js";
import { PostgresDatabase } from "./postgres-database.js";
import { TestCommand } from "./test-command.js";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const directory = mkdtempDisposableSync(join(tmpdir(), "periscope-copy-crash-"));
const file = (name: string) => join(directory.path, name);
const source = `sqlite:${file("source.db")}`;
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
  for (;;) {
    const json = await read();
    const mark = json === undefined ? undefined : (JSON.parse(json) as CopyMark);
    if (mark && isThere((table) => mark.tables[table]?.rows ?? 0)) return;
    if (child.exitCode !== null) throw new Error(`The copy ended too early: exit ${child.exitCode}`);
    await pause(2);
  }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await ended(child);
}

it("kill -9 anywhere on the way to PostgreSQL, and the same command again, ends as a copy that nobody disturbed", async () => {
  await using database = await PostgresDatabase.create();
  const client = new pg.Client(database.url);
  client.on("error", () => {});
  await client.connect();
  const read = async () => {
    const { rows } = await client.query("SELECT to_regclass($1) IS NOT NULL AS there", [markTable]);
    return rows[0].there ? (await client.query(`SELECT mark FROM ${markTable}`)).rows[0]?.mark : undefined;
  };
  const places: Array<[isThere: (rows: RowsOf) => boolean, afterMs: number]> = [
    [() => true, 0],
    [(rows) => rows("contexts") > 0, 0],
    [(rows) => rows("contexts") > 500, 40],
    [(rows) => rows("processed_messages") > 0, 5],
  ];
  for (const [isThere, afterMs] of places) {
    const child = start(source, database.url);
    await untilMark(child, read, isThere);
    await pause(afterMs);
    await kill(child);
    using command = new TestCommand({ DATABASE_URL: database.url });
    expect(await command.run("users", "list")).toMatchObject({ code: 1, err: expect.stringContaining("has not come to its end") });
  }
  // In the comparison, which waits for this table.
  const child = start(source, database.url);
  await untilMark(child, read, (rows) => rows("processed_messages") > 0);
  await client.query("BEGIN");
  await client.query("LOCK TABLE tombstones IN ACCESS EXCLUSIVE MODE");
  await untilMark(child, read, (rows) => rows("api_keys") === 3);
  await kill(child);
  await client.query("ROLLBACK");
  await client.end();

  const { code, err, out } = await runCopy(source, database.url, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(JSON.parse(out)).toMatchObject({ rowsBefore: 5056, sourceChanged: false });
  expect(await hashesOf(database)).toEqual(await hashesOf(whole));
});

it("and on the way to a file", async () => {
  const [undisturbed, to] = [file("undisturbed.db"), file("to.db")];
  expect((await runCopy(whole.url, `sqlite:${undisturbed}`)).code).toBe(0);
  const read = async () => {
    if (!existsSync(to) || rowsOf(to, `SELECT 1 FROM sqlite_schema WHERE name = '${markTable}'`).length === 0) return undefined;
    return rowsOf<{ mark: string }>(to, `SELECT mark FROM ${markTable}`)[0]?.mark;
  };
  for (const table of ["contexts", "processed_messages"]) {
    const child = start(whole.url, `sqlite:${to}`);
    await untilMark(child, read, (rows) => rows(table) > 0);
    await pause(10);
    await kill(child);
  }
  expect((await runCopy(whole.url, `sqlite:${to}`)).code).toBe(0);
  expect(dumpOf(to, { withTimes: true })).toEqual(dumpOf(undisturbed, { withTimes: true }));
});
