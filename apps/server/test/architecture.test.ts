import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/**
 * Tables that hold text of clients, and the files that write them. A file belongs here only when its text has passed the privacy
 * filter: stores accept `Filtered` values, and ids as they were sent.
 */
const writers: Record<string, readonly string[]> = {
  // The key that read a context last, and when.
  contexts: ["contexts.ts", "postgres/context-statements.ts", "sqlite/user-data.ts"],
  extensions: ["postgres/user-data.ts", "sqlite/user-data.ts"],
  extension_errors: ["postgres/user-data.ts", "sqlite/user-data.ts"],
  processed_messages: ["postgres/user-data.ts", "sqlite/user-data.ts"],
  search_index: ["sqlite/search-index.ts"],
  search_terms: ["postgres/search-index.ts", "sqlite/search-index.ts"],
  // The user's own rules say what must not be stored, or for how long it may be.
  privacy_rules: ["access.prisma-store.ts"],
  retention_rules: ["data.ts"],
};

/** Tables with ids, names of keys and passkeys, hashes, counts and times only. (What people write of themselves, better-auth writes.) */
const withoutText = [
  "api_keys",
  "auth_accounts",
  "auth_clients",
  "auth_passkeys",
  "auth_secrets",
  "auth_tokens",
  "auth_users",
  "invites",
  "key_uses",
  "live_changes",
  "live_tickets",
  "periscope_migrations",
  "privacy_progress",
  "rate_windows",
  "search_owners",
  "tombstones",
  "usage_by_day",
  "users",
];

const models: Record<string, string> = {
  user: "users",
  apiKey: "api_keys",
  authAccount: "auth_accounts",
  authClient: "auth_clients",
  authPasskey: "auth_passkeys",
  authSecret: "auth_secrets",
  authToken: "auth_tokens",
  authUser: "auth_users",
  invite: "invites",
  privacyRules: "privacy_rules",
};

const sqlWrite = /\b(?:INSERT(?: OR [A-Z]+)? INTO|REPLACE INTO|UPDATE(?= +["$\w{}]+ +(?:\w+ +)?SET\b))\s+"?([\w${}]+)/g;
/** A command to a full-text table, which has the table's name for its first column, writes a setting or merges what is there. */
const ftsCommand = /INSERT INTO "?(\w+)"? ?\("?\1"?, "?rank"?\)/g;
const prismaWrite = /\.(\w+)\.(?:create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert)\(/g;
const rawSql = /\$(?:executeRawUnsafe|queryRawUnsafe)\b/g;

/** Names of the tables that a source text writes, once each. */
function tablesIn(source: string): string[] {
  const sql = [...source.replaceAll(ftsCommand, "").matchAll(sqlWrite)].map(([, table = ""]) => table);
  const prisma = [...source.matchAll(prismaWrite)].map(([, model = ""]) => models[model] ?? model);
  return [...new Set([...sql, ...prisma, ...[...source.matchAll(rawSql)].map(([call]) => call)])];
}

it("only known files of storage write text of clients", () => {
  const storage = join(import.meta.dirname, "../src/storage");
  const files = readdirSync(storage, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".ts") && !/generated|\.test\.ts$/.test(file))
    .toSorted();
  const found: Record<string, string[]> = {};
  for (const file of files)
    for (const table of tablesIn(readFileSync(join(storage, file), "utf8")))
      if (!withoutText.includes(table)) (found[table] ??= []).push(file);
  expect(found).toEqual(writers);
});

it("migrations write no text of clients", () => {
  const folder = join(import.meta.dirname, "../prisma");
  const scripts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".sql"));
  const tables = scripts.flatMap((file) => tablesIn(readFileSync(join(folder, file), "utf8")));
  expect([...new Set(tables)].filter((table) => !withoutText.includes(table))).toEqual([]);
});

it("docs/architecture.md names only files and folders that exist", () => {
  const root = new URL("../../../", import.meta.url);
  const server = new URL("apps/server/", root);
  // Those of the server are named by their path in it, others by their path in the repository.
  const isThere = (path: string) => existsSync(new URL(path, /^(?:src|test|prisma)\//.test(path) ? server : root));
  const page = readFileSync(new URL("docs/architecture.md", root), "utf8");
  const named = page.matchAll(/`((?:src|test|prisma|apps|packages|tooling|docs)\/[\w./-]*)`/g);
  const paths = [...new Set([...named].map(([, path = ""]) => path))];
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});
