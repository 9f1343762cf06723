import type pg from "pg";
import { placeOf } from "../../database-url.js";
import { type CopiedRow, copiedRow, type CopiedTable } from "../copy/copied-tables.js";
import type { Snapshot } from "../copy/copy-ends.js";
import { placesOf, requireUpToDate } from "../copy/snapshot-checks.js";
import { connect } from "./connect.js";
import { millis } from "./context-columns.js";
import { appliedMigrations } from "./migrate.js";

/** Rows of a part: a context has 2 MB at most and mostly a few KB, a row of another table 32 KB. */
const partRows = (table: string): number => (table === "contexts" ? 50 : 500);

/** The database as it is now. Throws when it cannot be reached, or another version has written it. */
export async function openPostgresSnapshot(databaseUrl: string): Promise<Snapshot> {
  const client = await connect(databaseUrl, { application_name: "periscope copy" }, "its address");
  try {
    await client.query("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    requireUpToDate("postgres", placeOf(databaseUrl), await appliedMigrations(client));
    const { rows } = await client.query<{ installation: string }>(
      `SELECT id || ' ' || current_database() AS installation FROM "_prisma_migrations" ORDER BY migration_name, id LIMIT 1`,
    );
    return new PostgresSnapshot(client, rows[0]?.installation ?? "");
  } catch (error) {
    await client.end();
    throw error;
  }
}

class PostgresSnapshot implements Snapshot {
  constructor(
    private readonly client: pg.Client,
    readonly installation: string,
  ) {}

  async count({ name }: CopiedTable): Promise<number> {
    return await this.#number(`SELECT count(*)::float8 AS n FROM "${name}"`);
  }

  /** Each part goes on after the last row of the one before, by the index of the key. */
  async *read(table: CopiedTable): AsyncGenerator<CopiedRow[]> {
    const { name, columns, key } = table;
    const selected = Object.entries(columns).map(([column, kind]) => {
      if (kind === "text") return `t."${column}"`;
      if (kind === "time") return millis(column);
      if (kind === "number") return `t."${column}"`;
      return `(SELECT count(*) FROM contexts c WHERE c."userId" = t."userId" AND c.seq <= t."${column}")::float8 AS "${column}"`;
    });
    const names = key.map((column) => `t."${column}"`).join(", ");
    const keys = key.map((column, index) => `t."${column}"::text AS "key${index}"`);
    const types = key.map((column, index) => `$${index + 1}::${column === "seq" ? "bigint" : "text"}`);
    const text = (isFirst: boolean) =>
      `SELECT ${[...selected, ...keys].join(", ")} FROM "${name}" t ${isFirst ? "" : `WHERE (${names}) > (${types.join(", ")})`}
       ORDER BY ${names} LIMIT ${partRows(name)}`;
    let after: unknown[] = [];
    for (;;) {
      const isFirst = after.length === 0;
      const { rows } = await this.client.query<Record<string, unknown>>({
        name: `copy_${name}${isFirst ? "_first" : ""}`,
        text: text(isFirst),
        values: after,
      });
      const last = rows.at(-1);
      if (!last) return;
      yield rows.map((row) => copiedRow(table, row));
      if (rows.length < partRows(name)) return;
      after = key.map((_, index) => last[`key${index}`]);
    }
  }

  async countIndexed(): Promise<number> {
    const count = (from: string) => this.#number(`SELECT count(*)::float8 AS n FROM ${from}`);
    return placesOf(await count("contexts"), [
      await count(`contexts c JOIN search_vectors v ON v."userId" = c."userId" AND v.seq = c.seq AND v."contextId" = c."contextId"
        JOIN search_terms t ON t."userId" = c."userId" AND t.seq = c.seq AND t."capturedAt" = c."capturedAt"`),
      await count("search_vectors"),
      await count("search_terms"),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.end();
  }

  async #number(sql: string): Promise<number> {
    const { rows } = await this.client.query<{ n: number }>(sql);
    return rows[0]?.n ?? 0;
  }
}

/** Sessions that have work to do on the database: those of pools, of commands too. What is idle for half a minute has none. */
export async function countSessions(databaseUrl: string): Promise<number> {
  const client = await connect(databaseUrl, { application_name: "periscope copy" }, "its address");
  try {
    const { rows } = await client.query<{ n: number }>(
      "SELECT count(*)::float8 AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'periscope'",
    );
    return rows[0]?.n ?? 0;
  } finally {
    await client.end();
  }
}
