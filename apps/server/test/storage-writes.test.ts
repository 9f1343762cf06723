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
  "extension-rows.ts: extension.create": "a config as PrivacyFilter.record leaves it (message-preparation.ts); ids as sent",
  "extension-rows.ts: extension.update": "a config as PrivacyFilter.record leaves it (message-preparation.ts)",
  "extension-rows.ts: extensionError.createMany":
    "what PrivacyFilter.text and .record leave of an error (message-preparation.ts); ids as sent",
  "remove-context.ts: tombstone.upsert": "ids and times",
  "rules.prisma-store.ts: privacyRules.upsert": "the user's own rules, which say what must not be stored",
  "sync-transaction.ts: context.update": "what PrivacyFilter.context leaves (message-effects.ts); ids as sent",
  "sync-transaction.ts: context.updateMany": "a time",
  "sync-transaction.ts: tombstone.createMany": "ids and times",
  "postgres/access-changes.ts: UPDATE access_changes": "a count",
  "postgres/apply-statements.ts: UPDATE contexts": "what PrivacyFilter.context leaves of what is stored (filter-again.ts)",
  "postgres/apply-statements.ts: UPDATE extensions": "a stored config as PrivacyFilter.record leaves it",
  "postgres/apply-statements.ts: UPDATE extension_errors": "what PrivacyFilter.text and .record leave of a stored error",
  "postgres/apply-statements.ts: UPDATE processed_messages": "a fingerprint: hashes of ids and of filtered text",
  "postgres/apply-statements.ts: INSERT INTO privacy_progress": "counts, a place and a time",
  "postgres/context-counts.ts: INSERT INTO context_counts": "ids of users, types and levels, counts and a time",
  "postgres/context-counts.ts: UPDATE context_counts": "counts",
  "postgres/context-counts.ts: UPDATE context_counts (2)": "counts",
  "sqlite/context-counts.ts: INSERT OR REPLACE INTO context_counts": "ids of users, types and levels, and counts",
  "postgres/delete-user.ts: UPDATE access_changes": "a count",
  "postgres/delete-user.ts: UPDATE api_keys": "a time",
  "postgres/hot-access.ts: UPDATE key_uses": "a time",
  "postgres/hot-access.ts: INSERT INTO key_uses": "ids of users and keys, and a time",
  "postgres/migrate.ts: INSERT INTO _prisma_migrations": "names of migrations and times",
  "postgres/rate-store.ts: INSERT INTO rate_windows": "ids of users, names of budgets, counts, times",
  "postgres/search-index.ts: INSERT INTO search_terms":
    "terms of a context's filtered text (search-document.ts), which its types say, with bits of hashes of two of them; its URL in small letters, and a time",
  "postgres/search-index.ts: INSERT INTO search_vectors": "hashes and places of these terms; ids as sent, and a time",
  "postgres/sync-statements.ts: INSERT INTO contexts": "what PrivacyFilter.context leaves (message-effects.ts); ids as sent",
  "postgres/sync-statements.ts: UPDATE contexts": "what PrivacyFilter.context leaves (message-effects.ts); ids as sent",
  "postgres/sync-statements.ts: UPDATE contexts (2)": "a time",
  "postgres/sync-statements.ts: INSERT INTO tombstones": "ids and times",
  "postgres/sync-statements.ts: INSERT INTO extensions": "a config as PrivacyFilter.record leaves it (message-preparation.ts); ids as sent",
  "postgres/sync-statements.ts: INSERT INTO extension_errors":
    "what PrivacyFilter.text and .record leave of an error (message-preparation.ts); ids as sent",
  "postgres/sync-statements.ts: INSERT INTO processed_messages":
    "ids as sent; hashes of ids and of filtered text; counts of what was removed",
  "sqlite/apply-statements.ts: UPDATE contexts": "what PrivacyFilter.context leaves of what is stored (filter-again.ts)",
  "sqlite/apply-statements.ts: UPDATE extensions": "a stored config as PrivacyFilter.record leaves it",
  "sqlite/apply-statements.ts: UPDATE extension_errors": "what PrivacyFilter.text and .record leave of a stored error",
  "sqlite/apply-statements.ts: UPDATE processed_messages": "a fingerprint: hashes of ids and of filtered text",
  "sqlite/apply-statements.ts: INSERT INTO privacy_progress": "counts, a place and a time",
  "sqlite/migrate.ts: INSERT INTO _prisma_migrations": "names of migrations and times",
  "sqlite/inserter.ts: INSERT INTO ${table}": "the rows of the inserters below",
  "sqlite/search-index.ts: inserter search_index": "terms of a context's filtered text (search-document.ts), which its types say",
  "sqlite/search-index.ts: inserter search_vectors": "hashes and places of these terms; ids as sent, and a time",
  "sqlite/search-index.ts: inserter search_pairs": "bits of hashes of two of these terms",
  "sqlite/scrub.ts: INSERT INTO search_index": "no row, but an order to merge",
  "sqlite/sync-statements.ts: inserter contexts": "what PrivacyFilter.context leaves (message-effects.ts); ids as sent",
  "sqlite/sync-statements.ts: inserter processed_messages": "ids as sent; hashes of ids and of filtered text; counts of what was removed",
};

/** Of the migrations and their triggers: copies of columns that stand in the database already, places, and counts. */
const knownInMigrations = [
  "INSERT INTO access_changes",
  "INSERT INTO search_index",
  "INSERT INTO search_owners",
  "INSERT INTO search_pending",
  "INSERT OR REPLACE INTO search_pending",
  "REPLACE INTO search_index",
  "UPDATE context_counts",
  "UPDATE search_owners",
];

const sqlWrite = /\b(INSERT(?: OR [A-Z]+)? INTO|REPLACE INTO|UPDATE(?= +["$\w{}]+ +(?:\w+ +)?SET\b))\s+"?([\w${}]+)/g;
const prismaWrite = /\.(\w+)\.(create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert)\(/g;
const inserterCall = /\binserter<[^(]*>\([\w.#]+, "?([\w.]+)/g;
const rawSql = /\$(?:executeRawUnsafe|queryRawUnsafe)\b/g;

/** The statements of a source text that write, in order; what looks the same is numbered. */
function writesIn(source: string): string[] {
  const found = [
    ...[...source.matchAll(sqlWrite)].map(([, verb = "", table = ""]) => `${verb} ${table}`),
    ...[...source.matchAll(prismaWrite)].map(([, model = "", method = ""]) => `${model}.${method}`),
    ...[...source.matchAll(inserterCall)].map(([, table = ""]) => `inserter ${table}`),
    ...[...source.matchAll(rawSql)].map(([call]) => call),
  ];
  return found.map((write, index) => {
    const earlier = found.slice(0, index).filter((other) => other === write).length;
    return earlier === 0 ? write : `${write} (${earlier + 1})`;
  });
}

it("every statement of storage that writes is known with what fills it", () => {
  const files = readdirSync(storage, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/generated|\.test\.ts$|-fixture\.ts$/.test(file))
    .toSorted();
  const writes = files.flatMap((file) =>
    writesIn(readFileSync(join(storage, file), "utf8")).map((write) => `${file.replaceAll("\\", "/")}: ${write}`),
  );
  expect(writes.toSorted()).toEqual(Object.keys(known).toSorted());
});

it("migrations put nothing into tables but what stands in the database already", () => {
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
