import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { placeOf } from "../../database-url.js";
import { type SearchDocument, searchDocument } from "../../search/search-document.js";
import { fromForeignRow, type RawRow } from "../context-row.js";
import { type ColumnKind, copiedTables, type CopiedRow, type CopiedTable, hasArrivals } from "../copy/copied-tables.js";
import type { CopyMark, CopyTarget, TargetState } from "../copy/copy-ends.js";
import { markTable } from "../copy/half-copied.js";
import { connect } from "./connect.js";
import { markOf } from "./copy-mark.js";
import { advisoryLocks } from "./locks.js";
import { migratePostgres } from "./migrate.js";
import { ownerPrefix, placeLexemes, vectorText } from "./search-lexemes.js";

/** A process that was killed leaves its session behind for as long as its last statement takes. */
const lockWaitMs = 20_000;
const lockRetryMs = 100;

/** Contexts that are analysed before others get a turn: what was sent goes out meanwhile. */
const sliceRows = 10;

/** The database as a target. Throws when it cannot be reached, or another process copies into it. */
export async function openPostgresCopyTarget(databaseUrl: string): Promise<CopyTarget> {
  const client = await connect(databaseUrl, { application_name: "periscope copy", pipeline: true }, "its address");
  try {
    await client.query("SET statement_timeout = 0");
    for (const until = performance.now() + lockWaitMs; ; await pause(lockRetryMs)) {
      const { rows } = await client.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${advisoryLocks.copyInto}) AS mine`);
      if (rows[0]?.mine) break;
      if (performance.now() > until) throw new Error(`Another process copies into ${placeOf(databaseUrl)}; wait for its end, or stop it.`);
    }
    return new PostgresCopyTarget(client, databaseUrl);
  } catch (error) {
    await client.end();
    throw error;
  }
}

class PostgresCopyTarget implements CopyTarget {
  #isMigrated = false;
  /** One part is prepared after the other, while the one before is written. */
  #prepared: Promise<unknown> = Promise.resolve();
  /** What was begun before; the next transaction waits for its end. */
  #last: Promise<unknown> = Promise.resolve();
  /** Arrivals of the user whose rows were written last, by table. */
  readonly #arrivals = new Map<string, { userId: unknown; last: number }>();

  constructor(
    private readonly client: pg.Client,
    private readonly databaseUrl: string,
  ) {}

  async state(): Promise<TargetState> {
    const mark = await markOf(this.client);
    if (mark) return { is: "begun", mark };
    for (const { name } of copiedTables) {
      const { rows: found } = await this.client.query<{ there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [name]);
      if (!found[0]?.there) continue;
      const { rows } = await this.client.query(`SELECT 1 FROM "${name}" LIMIT 1`);
      if (rows.length > 0) return { is: "taken" };
    }
    return { is: "empty" };
  }

  async begin(mark: CopyMark): Promise<void> {
    await this.#migrate();
    this.#arrivals.clear();
    const tables = [...copiedTables.map(({ name }) => `"${name}"`), "context_counts", "search_terms", "search_vectors"];
    await this.#transact([
      { text: `CREATE TABLE IF NOT EXISTS ${markTable} (id INTEGER NOT NULL PRIMARY KEY, mark TEXT NOT NULL)` },
      ...tables.map((table) => ({ text: `TRUNCATE ${table}` })),
      { text: `DELETE FROM ${markTable}` },
      { text: `INSERT INTO ${markTable} VALUES (1, $1)`, values: [JSON.stringify(mark)] },
    ]);
  }

  async write(table: CopiedTable, rows: readonly CopiedRow[], mark: CopyMark): Promise<void> {
    const prepared = this.#prepared.then(() => this.#prepare(table, rows));
    this.#prepared = prepared.catch(() => {});
    await this.#transact([...(await prepared), { text: `UPDATE ${markTable} SET mark = $1`, values: [JSON.stringify(mark)] }]);
  }

  async finish(): Promise<void> {
    await this.client.query(`DROP TABLE ${markTable}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last.catch(() => {});
    await this.client.end();
  }

  async #prepare(table: CopiedTable, rows: readonly CopiedRow[]): Promise<pg.QueryConfig[]> {
    await this.#migrate();
    const placed = await this.#placed(table, rows);
    return [insertion(table, placed), ...(table.name === "contexts" ? await indexing(placed) : [])];
  }

  /** Before anything is written; what only looks changes nothing. */
  async #migrate(): Promise<void> {
    if (!this.#isMigrated) await migratePostgres(this.databaseUrl);
    this.#isMigrated = true;
  }

  /** Numbers the rows of each user in their order, on from the last. */
  async #placed(table: CopiedTable, rows: readonly CopiedRow[]): Promise<CopiedRow[]> {
    if (!hasArrivals(table)) return [...rows];
    const known = this.#arrivals.get(table.name) ?? (await this.#lastArrival(table, rows[0]?.["userId"]));
    let { userId, last } = known;
    const placed = rows.map((row) => {
      last = row["userId"] === userId ? last + 1 : 1;
      userId = row["userId"];
      return { ...row, seq: last };
    });
    this.#arrivals.set(table.name, { userId, last });
    return placed;
  }

  async #lastArrival({ name }: CopiedTable, userId: unknown): Promise<{ userId: unknown; last: number }> {
    const { rows } = await this.client.query<{ last: number }>(
      `SELECT coalesce(max(seq), 0)::float8 AS last FROM "${name}" WHERE "userId" = $1`,
      [userId],
    );
    return { userId, last: rows[0]?.last ?? 0 };
  }

  /** Sends the statements in one go, after the transaction before. */
  async #transact(statements: readonly pg.QueryConfig[]): Promise<void> {
    const before = this.#last;
    const run = async () => {
      await before;
      const sent = [{ text: "BEGIN" }, ...statements, { text: "COMMIT" }].map((statement) => this.client.query(statement));
      const settled = await Promise.allSettled(sent);
      // What failed first is why all after it failed.
      const failed = settled.find((result) => result.status === "rejected");
      if (failed) {
        await this.client.query("ROLLBACK").catch(() => {});
        throw failed.reason;
      }
    };
    this.#last = run();
    await this.#last;
  }
}

const sentAs: Record<ColumnKind, string> = { text: "text[]", time: "float8[]", number: "float8[]", place: "float8[]" };

/** Rows as arrays, one a column, as the service itself writes them. The order of arrival was given to them. */
function insertion(table: CopiedTable, rows: readonly CopiedRow[]): pg.QueryConfig {
  const { name } = table;
  const columns: Array<readonly [string, ColumnKind]> = [
    ...Object.entries(table.columns),
    ...(hasArrivals(table) ? [["seq", "place"] as const] : []),
  ];
  const names = columns.map(([column]) => `"${column}"`).join(", ");
  const made = columns.map(([column, kind]) => (kind === "time" ? `to_timestamp(r."${column}" / 1000)` : `r."${column}"`));
  const arrays = columns.map(([, kind], index) => `$${index + 1}::${sentAs[kind]}`);
  return {
    name: `copy_into_${name}`,
    text: `INSERT INTO "${name}" (${names}) SELECT ${made.join(", ")} FROM unnest(${arrays.join(", ")}) AS r(${names})`,
    values: columns.map(([column]) => rows.map((row) => row[column])),
  };
}

const addTerms = {
  name: "copy_into_search_terms",
  text: `INSERT INTO search_terms ("userId", seq, "capturedAt", url, terms, pairs)
    SELECT r."userId", r.seq, to_timestamp(r.at / 1000), r.url, r.terms || ${placeLexemes("r.seq::bigint", "r.prefix")}, r.pairs
    FROM unnest($1::text[], $2::float8[], $3::float8[], $4::text[], $5::text[], $6::text[], $7::bytea[])
      AS r("userId", seq, at, url, terms, prefix, pairs)`,
};

const addVectors = {
  name: "copy_into_search_vectors",
  text: `INSERT INTO search_vectors ("userId", seq, "contextId", "capturedAt", vector)
    SELECT r."userId", r.seq, r."contextId", to_timestamp(r.at / 1000), r.vector
    FROM unnest($1::text[], $2::float8[], $3::text[], $4::float8[], $5::bytea[]) AS r("userId", seq, "contextId", at, vector)`,
};

/** What gives contexts their places in the search index. */
async function indexing(rows: readonly CopiedRow[]): Promise<pg.QueryConfig[]> {
  const documents: SearchDocument[] = [];
  for (const row of rows) {
    documents.push(searchDocument(fromForeignRow(row as unknown as RawRow)));
    if (documents.length % sliceRows === 0) await new Promise(setImmediate);
  }
  const of = (column: string) => rows.map((row) => row[column]);
  const prefixes = rows.map((row) => ownerPrefix(String(row["userId"])));
  const urls = rows.map((row) => String(row["url"]).toLowerCase());
  const terms = documents.map((document, index) => vectorText(prefixes[index] ?? "", document.terms));
  const vectors = documents.map(({ vector }) => Buffer.from(vector));
  return [
    {
      ...addTerms,
      values: [of("userId"), of("seq"), of("capturedAt"), urls, terms, prefixes, documents.map(({ pairs }) => pairs && Buffer.from(pairs))],
    },
    { ...addVectors, values: [of("userId"), of("seq"), of("contextId"), of("capturedAt"), vectors] },
  ];
}
