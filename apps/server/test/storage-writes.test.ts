import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const storage = join(import.meta.dirname, "../src/storage");

/**
 * Every statement of src/storage that puts something into the database, with what fills it. A new one belongs here only once it is
 * known that its text has passed the privacy filter, or is none of a client's.
 */
const known: Record<string, string> = {
  "access.prisma-store.ts: user.create": "ids of users, from the command line, and times",
  "access.prisma-store.ts: user.create (2)": "ids of users, from the command line, and times",
  "access.prisma-store.ts: user.create (3)": "ids of users, made here, and times",
  "access.prisma-store.ts: apiKey.create": "names, scopes and levels from the command line; of the key a hash",
  "access.prisma-store.ts: apiKey.create (2)": "the same, made here",
  "access.prisma-store.ts: apiKey.update": "a time",
  "access.prisma-store.ts: apiKey.updateMany": "a time",
  "rules.prisma-store.ts: privacyRules.upsert": "the user's own rules, which say what must not be stored",
  "rules.prisma-store.ts: user.update": "a count",
  "postgres/access.ts: INSERT INTO key_uses": "ids of users and keys, and a time",
  "postgres/access.ts: UPDATE access_changes": "a count",
  "postgres/access.ts: UPDATE key_uses": "a time",
  "postgres/context-statements.ts: INSERT INTO contexts": "a Filtered context; ids as sent",
  "postgres/context-statements.ts: UPDATE contexts": "a Filtered context; ids as sent",
  "postgres/context-statements.ts: UPDATE contexts (2)": "times",
  "postgres/context-statements.ts: INSERT INTO tombstones": "ids and times",
  "postgres/context-store.ts: INSERT INTO tombstones": "ids and times",
  "postgres/delete-user.ts: UPDATE access_changes": "a count",
  "postgres/delete-user.ts: UPDATE api_keys": "a time",
  "postgres/migrate.ts: INSERT INTO _prisma_migrations": "names of migrations and times",
  "postgres/rate-store.ts: INSERT INTO rate_windows": "ids of users, names of budgets, counts, times",
  "postgres/refilter-store.ts: INSERT INTO privacy_progress": "counts, a place and a time",
  "postgres/refilter-store.ts: UPDATE extension_errors": "a stored error, Filtered again",
  "postgres/refilter-store.ts: UPDATE extensions": "a stored config, Filtered again",
  "postgres/refilter-store.ts: UPDATE processed_messages": "a fingerprint: hashes of ids and of filtered text",
  "postgres/search-index.ts: INSERT INTO search_terms": "terms of a context's Filtered text, its URL in small letters, and a time",
  "postgres/transaction.ts: UPDATE users": "a count",
  "postgres/transaction.ts: UPDATE users (2)": "a count",
  "postgres/user-data-store.ts: INSERT INTO extension_errors": "a Filtered error; ids as sent",
  "postgres/user-data-store.ts: INSERT INTO extensions": "a Filtered config; ids as sent",
  "postgres/user-data-store.ts: INSERT INTO processed_messages":
    "ids as sent; hashes of ids and of filtered text; counts of what was removed",
  "sqlite/health.ts: UPDATE users": "no row, but whether one could be written",
  "sqlite/migrate.ts: INSERT INTO _prisma_migrations": "names of migrations and times",
  "sqlite/refilter.ts: INSERT OR REPLACE INTO privacy_progress": "counts, a place and a time",
  "sqlite/refilter.ts: UPDATE extension_errors": "a stored error, Filtered again",
  "sqlite/refilter.ts: UPDATE extensions": "a stored config, Filtered again",
  "sqlite/refilter.ts: UPDATE processed_messages": "a fingerprint: hashes of ids and of filtered text",
  "sqlite/maintenance.ts: INSERT INTO search_index": "no row, but an order to merge",
  "sqlite/search-index-writer.ts: INSERT INTO search_index": "terms of a context's Filtered text",
  "sqlite/search-index-writer.ts: INSERT INTO search_owners": "ids of users",
  "sqlite/search-index-writer.ts: INSERT INTO search_terms": "terms of a context's Filtered text",
  "sqlite/user-data.ts: INSERT INTO contexts": "a Filtered context; ids as sent",
  "sqlite/user-data.ts: INSERT INTO extension_errors": "a Filtered error; ids as sent",
  "sqlite/user-data.ts: INSERT INTO extensions": "a Filtered config; ids as sent",
  "sqlite/user-data.ts: INSERT INTO processed_messages": "ids as sent; hashes of ids and of filtered text; counts of what was removed",
  "sqlite/user-data.ts: INSERT OR REPLACE INTO tombstones": "ids and times",
  "sqlite/user-data.ts: UPDATE contexts": "a Filtered context; ids as sent",
  "sqlite/user-data.ts: UPDATE contexts (2)": "times",
  "sqlite/user-data.ts: UPDATE users": "a count",
  "sqlite/user-data.ts: UPDATE users (2)": "a count",
};

/** Of the migrations: one count. */
const knownInMigrations = ["INSERT INTO access_changes"];

const sqlWrite = /\b(INSERT(?: OR [A-Z]+)? INTO|REPLACE INTO|UPDATE(?= +["$\w{}]+ +(?:\w+ +)?SET\b))\s+"?([\w${}]+)/g;
const prismaWrite = /\.(\w+)\.(create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert)\(/g;
const rawSql = /\$(?:executeRawUnsafe|queryRawUnsafe)\b/g;

/** The statements of a source text that write, in order; what looks the same is numbered. */
function writesIn(source: string): string[] {
  const found = [
    ...[...source.matchAll(sqlWrite)].map(([, verb = "", table = ""]) => `${verb} ${table}`),
    ...[...source.matchAll(prismaWrite)].map(([, model = "", method = ""]) => `${model}.${method}`),
    ...[...source.matchAll(rawSql)].map(([call]) => call),
  ];
  return found.map((write, index) => {
    const earlier = found.slice(0, index).filter((other) => other === write).length;
    return earlier === 0 ? write : `${write} (${earlier + 1})`;
  });
}

it("knows every statement that writes, with what fills it", () => {
  const files = readdirSync(storage, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/generated|\.test\.ts$|-fixture\.ts$/.test(file))
    .toSorted();
  const writes = files.flatMap((file) =>
    writesIn(readFileSync(join(storage, file), "utf8")).map((write) => `${file.replaceAll("\\", "/")}: ${write}`),
  );
  expect(writes.toSorted()).toEqual(Object.keys(known).toSorted());
});

it("fills no table by a migration with what clients sent", () => {
  const folder = join(import.meta.dirname, "../prisma");
  const scripts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sql"));
  const writes = scripts.flatMap((file) =>
    writesIn(readFileSync(join(folder, file), "utf8")).map((write) => write.replace(/ \(\d+\)$/, "")),
  );
  expect([...new Set(writes)].toSorted()).toEqual(knownInMigrations.toSorted());
});

it("finds a write however it is made", () => {
  const lines = [
    'db.exec(`INSERT OR REPLACE INTO "notes" VALUES (1)`)',
    'db.prepare("UPDATE notes SET text = ?")',
    "await tx.note.upsert({ where })",
    "prisma.$executeRawUnsafe(sql)",
    "db.prepare(`REPLACE INTO notes VALUES (1)`)",
  ];
  expect(writesIn(lines.join("\n"))).toEqual([
    "INSERT OR REPLACE INTO notes",
    "UPDATE notes",
    "REPLACE INTO notes",
    "note.upsert",
    "$executeRawUnsafe",
  ]);
});
