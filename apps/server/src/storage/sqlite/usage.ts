import type { Database } from "better-sqlite3";
import type { UsageCount, UsageStore } from "../../usage/usage.store.js";
import type { SqliteWriter } from "./writer.js";

/** What keys were used for, by day. */
export function createUsageStore({ reader, writerDb, writer }: { reader: Database; writerDb: Database; writer: SqliteWriter }): UsageStore {
  const add = writerDb.prepare<[string, string]>(
    `INSERT INTO usage_by_day (userId, day, keyId, kind, requests, refused)
     SELECT u.userId, c.value ->> 'day', c.value ->> 'keyId', c.value ->> 'kind', c.value ->> 'requests', c.value ->> 'refused'
     FROM users u, json_each(?) c WHERE u.userId = ?
     ON CONFLICT (userId, day, keyId, kind) DO UPDATE SET requests = requests + excluded.requests, refused = refused + excluded.refused`,
  );
  const read = reader.prepare<[string, number], UsageCount>(
    "SELECT day, keyId, kind, requests, refused FROM usage_by_day WHERE userId = ? AND day >= ?",
  );
  const prune = writerDb.prepare<[number]>("DELETE FROM usage_by_day WHERE day < ?");
  return {
    add: (userId, counts) => writer.run(() => void add.run(JSON.stringify(counts), userId)),
    read: async (userId, sinceDay) => read.all(userId, sinceDay),
    prune: (beforeDay) => writer.run(() => void prune.run(beforeDay)),
  };
}
