import type pg from "pg";
import type { DatabaseReport } from "../database-report.js";
import { shippedMigrations } from "../shipped-migrations.js";
import { connect } from "./connect.js";
import { appliedMigrations } from "./migrate.js";

/** Looks at a database without changing it. Rejects when it cannot be reached. */
export async function inspectPostgres(databaseUrl: string, now: number = Date.now()): Promise<DatabaseReport> {
  const client = await connect(databaseUrl, { query_timeout: 30_000 });
  try {
    await client.query("SET default_transaction_read_only = on");
    const applied = await appliedMigrations(client);
    const shipped = shippedMigrations("postgres").map(({ name }) => name);
    const pending = shipped.filter((name) => !applied.includes(name));
    return {
      damage: [],
      pending,
      unknown: applied.filter((name) => !shipped.includes(name)),
      ...(applied.length > 0 ? await countAccess(client, now, pending.length === 0) : { users: 0, keys: 0, latest: null }),
    };
  } finally {
    await client.end();
  }
}

/** Migrations that the database has not had yet. */
export async function pendingPostgres(databaseUrl: string): Promise<string[]> {
  const client = await connect(databaseUrl, { query_timeout: 30_000 });
  try {
    const applied = await appliedMigrations(client);
    return shippedMigrations("postgres")
      .map(({ name }) => name)
      .filter((name) => !applied.includes(name));
  } finally {
    await client.end();
  }
}

/** @param hasUses whether the table of keys' last uses is there */
async function countAccess(client: pg.Client, now: number, hasUses: boolean): Promise<Pick<DatabaseReport, "users" | "keys" | "latest">> {
  const { rows } = await client.query<{ users: number; keys: number; latest: number | null }>(
    `SELECT (SELECT count(*) FROM users)::float8 AS users,
      (SELECT count(*) FROM api_keys WHERE "revokedAt" IS NULL AND ("expiresAt" IS NULL OR "expiresAt" > to_timestamp($1::float8 / 1000)))::float8 AS keys,
      (SELECT (extract(epoch FROM greatest((SELECT max("createdAt") FROM users), max("createdAt"), max("lastUsedAt"), ${hasUses ? `(SELECT max("lastUsedAt") FROM key_uses)` : "NULL"})) * 1000)::float8 FROM api_keys) AS latest`,
    [now],
  );
  return rows[0] ?? { users: 0, keys: 0, latest: null };
}
