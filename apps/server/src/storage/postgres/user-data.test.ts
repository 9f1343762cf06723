import pg from "pg";
import { expect } from "vitest";
import { citusWorkers } from "../../../test/citus-workers.js";
import { withPostgresStorage as it } from "../../../test/postgres-storage.js";
import { noChanges, writtenContext } from "../../../test/written-context.js";
import type { ProcessedMessage } from "../../contexts/context.store.js";
import { binaryArray } from "./context-statements.js";
import { postgresEngine } from "./engine.js";
import { additions } from "./search-index.js";

const everything = { messages: [], contextIds: [] };
const processed = (messageId: string) =>
  ({ extensionId: "e", messageId, fingerprint: "f", privacyLevel: "private", result: "{}", processedAt: 2_000 }) satisfies ProcessedMessage;

it("commits one of several changes that were made from the same revision", async ({ one }) => {
  await using other = await postgresEngine(one.database.url).open({ searchTimeoutMs: 1_000 });
  await one.storage.access.createUser("ada", 1_000);
  const state = await one.storage.userData.load("ada", everything);
  const stores = [one.storage, other];
  const commits = await Promise.all(
    Array.from({ length: 8 }, async (_, index) =>
      stores[index % 2]?.userData.commit("ada", {
        ...noChanges,
        revision: state?.revision ?? 0,
        created: [writtenContext("ada", `c${index}`)],
        processed: [processed("m")],
      }),
    ),
  );
  expect(commits.filter((isDone) => isDone)).toHaveLength(1);
  const left = await one.storage.userData.load("ada", { messages: [{ extensionId: "e", messageId: "m" }], contextIds: ["c0"] });
  expect(left).toMatchObject({ revision: 1_001, processed: [processed("m")] });
  expect(await one.database.rows("SELECT count(*)::int AS count FROM contexts")).toEqual([{ count: 1 }]);
});

it("reads a user's state as of one moment", async ({ one }) => {
  await one.write("ada", { created: [writtenContext("ada", "c", { writtenAt: 0 })] });
  let isOver = false;
  const writer = (async () => {
    for (let at = 1; !isOver; at++) {
      const state = await one.storage.userData.load("ada", everything);
      const replaced = [writtenContext("ada", "c", { writtenAt: at })];
      await one.storage.userData.commit("ada", { ...noChanges, revision: state?.revision ?? 0, replaced });
    }
  })();
  for (let revision = 1_001; revision < 1_021;) {
    const state = await one.storage.userData.load("ada", { messages: [], contextIds: ["c"] });
    revision = state?.revision ?? 0;
    expect(revision - (state?.contexts[0]?.writtenAt ?? 0)).toBe(1_001);
  }
  isOver = true;
  await writer;
});

it("says what is wrong with a database that cannot be read or written", async ({ one }) => {
  await one.storage.check();
  await one.write("ada", {});
  // As PostgreSQL reports it; filling a real disk would stop everything else on it. No trigger: tables that are spread over machines have none.
  await one.database.rows(
    `CREATE FUNCTION full_disk() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$`,
  );
  await one.database.rows("ALTER TABLE contexts ADD CONSTRAINT full_disk CHECK (full_disk())");
  const unavailable = (message: RegExp) => ({
    code: "unavailable",
    message: expect.stringMatching(message),
    extra: { retryAfterSeconds: 5 },
  });
  await expect(one.write("ada", { created: [writtenContext("ada", "c")] })).rejects.toMatchObject(unavailable(/disk is full/));
  await one.database.rows(`ALTER DATABASE ${one.database.name} SET default_transaction_read_only = on`);
  await using readOnly = await postgresEngine(one.database.url).open({ searchTimeoutMs: 1_000 });
  await expect(readOnly.check()).rejects.toMatchObject(unavailable(/read-only/));
  const changes = { ...noChanges, revision: 1_001, removed: [{ contextId: "c", deletedAt: 1 }] };
  await expect(readOnly.userData.commit("ada", changes)).rejects.toMatchObject(unavailable(/read-only/));
});

it("removes a user with more contexts than one statement takes, and nobody else", async ({ one }) => {
  const many = (userId: string, count: number) => Array.from({ length: count }, (_, index) => writtenContext(userId, `c${index}`));
  await one.write("ada", { created: many("ada", 2_500) });
  await one.write("grace", { created: many("grace", 3) });
  expect(await one.storage.access.deleteUser("ada")).toBe(true);
  for (const table of ["users", "contexts", "search_terms"])
    expect(await one.database.rows(`SELECT DISTINCT "userId" FROM ${table}`)).toEqual([{ userId: "grace" }]);
  expect(await one.storage.access.deleteUser("ada")).toBe(false);
});

it("removes most replay records and tombstones of a user before the user", async ({ one }) => {
  await one.storage.access.createUser("ada", 1_000);
  await one.database
    .rows(`INSERT INTO processed_messages ("userId", "extensionId", "messageId", fingerprint, "privacyLevel", result, "processedAt")
    SELECT 'ada', 'e' || n % 2, 'm' || n, 'f', 'private', '{}', now() FROM generate_series(1, 2500) n`);
  await one.database.rows(`INSERT INTO tombstones ("userId", "contextId", "deletedAt", "storedAt")
    SELECT 'ada', 'c' || n, now(), now() FROM generate_series(1, 2500) n`);
  // Keeps the user from going. No trigger: tables that are spread over machines have none.
  await one.database.rows(`CREATE TABLE holds ("userId" TEXT COLLATE "C" REFERENCES users ("userId"))`);
  if (citusWorkers > 0) await one.database.rows("SELECT create_distributed_table('holds', 'userId', colocate_with => 'users')");
  await one.database.rows("INSERT INTO holds VALUES ('ada')");
  const counts = async () => {
    const tables = ["processed_messages", "tombstones"].map((table) => one.database.rows(`SELECT count(*)::int AS rows FROM ${table}`));
    return (await Promise.all(tables)).flat();
  };
  await expect(one.storage.access.deleteUser("ada")).rejects.toThrow("Foreign key constraint violated");
  expect(await counts()).toEqual([{ rows: 500 }, { rows: 500 }]);
  await one.database.rows("DROP TABLE holds");
  expect(await one.storage.access.deleteUser("ada")).toBe(true);
  expect(await counts()).toEqual([{ rows: 0 }, { rows: 0 }]);
});

it("keeps the keys when the deletion of a user is interrupted, until it is repeated", async ({ one }) => {
  const key = { keyId: "k", userId: "ada", name: "", hash: "h", scopes: [], maxPrivacyLevel: "restricted", createdAt: 1 } as const;
  await one.storage.access.createUser("ada", 1);
  await one.storage.access.createKey({ ...key, expiresAt: null, lastUsedAt: null, revokedAt: null, scopes: ["read"] });
  await one.storage.access.touchKey(key, 2);
  await one.write("ada", { created: [writtenContext("ada", "c")] });
  // No trigger: tables that are spread over machines have none.
  await one.database.rows(`CREATE TABLE holds ("userId" TEXT COLLATE "C", "contextId" TEXT COLLATE "C")`);
  if (citusWorkers > 0) await one.database.rows("SELECT create_distributed_table('holds', 'userId', colocate_with => 'users')");
  await one.database.rows(
    `ALTER TABLE holds ADD CONSTRAINT held FOREIGN KEY ("userId", "contextId") REFERENCES contexts ("userId", "contextId")`,
  );
  await one.database.rows(`INSERT INTO holds SELECT "userId", "contextId" FROM contexts`);
  await expect(one.storage.access.deleteUser("ada")).rejects.toThrow("Foreign key constraint violated");
  expect((await one.storage.access.findKey("k"))?.revokedAt).toBeNull();
  await one.database.rows("DROP TABLE holds");
  expect(await one.storage.access.deleteUser("ada")).toBe(true);
  for (const table of ["users", "api_keys", "key_uses", "contexts", "search_terms", "live_changes"])
    expect(await one.database.rows(`SELECT 1 FROM ${table}`)).toEqual([]);
});

it("writes the last use of a key at most once a minute, whichever process saw it", async ({ one }) => {
  await one.storage.access.createUser("ada", 1);
  const key = { keyId: "k", userId: "ada", name: "", hash: "h", scopes: ["read"], maxPrivacyLevel: "restricted", createdAt: 1 } as const;
  await one.storage.access.createKey({ ...key, expiresAt: null, lastUsedAt: null, revokedAt: null, scopes: ["read"] });
  const uses: Array<number | null | undefined> = [];
  for (const at of [1_000, 60_999, 61_000, 2_000]) {
    await one.storage.access.touchKey(key, at);
    uses.push((await one.storage.access.listKeys("ada"))[0]?.lastUsedAt);
  }
  expect(uses).toEqual([1_000, 1_000, 61_000, 61_000]);
});

it("lets others have their turn while a page of 1 MiB is made a vector", async () => {
  const content = Array.from({ length: 130_000 }, (_, number) => `w${number.toString(36)}1`).join(" ");
  const context = writtenContext("ada", "long", { content });
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  await additions("ada", [context]);
  clearInterval(count);
  expect(turns).toBeGreaterThan(1);
});

const texts = ["", "plain", null, `a "quoted" \\ back\\slash, {brace}`, "NULL", "Größe ✓ 🔑", "lone \ud800 half", "x".repeat(10_000), ""];
const numbers = [0, -1.5, null, 1.8e12, 2 ** 53];
const bytes = [new Uint8Array(), Uint8Array.of(0, 255, 92), null, Buffer.alloc(5_000, 7)];

it("writes arrays that PostgreSQL reads as it reads them from text", async ({ one }) => {
  const client = new pg.Client(one.database.url);
  await client.connect();
  const pairs = [
    [binaryArray("text[]", texts), texts.map((text) => text?.toWellFormed() ?? null)],
    [binaryArray("float8[]", numbers), numbers],
    [binaryArray("bytea[]", bytes), bytes.map((each) => each && Buffer.from(each))],
    [binaryArray("text[]", []), []],
  ].flat();
  const equal = "$1::text[] = $2::text[] AND $3::float8[] = $4::float8[] AND $5::bytea[] = $6::bytea[] AND $7::text[] = $8::text[]";
  const { rows } = await client.query(`SELECT ${equal} AS equal, cardinality($1::text[]) AS count`, pairs);
  await client.end();
  expect(rows).toEqual([{ equal: true, count: texts.length }]);
});
