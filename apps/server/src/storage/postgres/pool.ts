import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { storableText } from "../../formats.js";
import { hasCode } from "../faults.js";

/** Milliseconds for a connection, new or from the pool. */
const connectTimeoutMs = 5_000;
/** Milliseconds past the server's own time limit after which a connection that says nothing is given up. */
const silenceMs = 2_000;

/** Statements get a time limit, so that a stuck one gives its connection back. One waits a third of it for a lock. */
interface PoolOptions {
  connectionsMax: number;
  statementTimeoutMs: number;
}

export type Connection = pg.PoolClient;

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  name: string;
  text: string;
}

/** A statement under a name that is made of its text. */
export const statement = (text: string): Statement => ({ name: hash("sha1", text), text });

export type Query = readonly [statement: Statement, values: readonly unknown[]];

/** Stored text has been through the same as values, also those of Prisma: one that cannot be stored is not found, and is no error. */
class StorableClient extends pg.Client {
  override query = ((config: string | pg.QueryConfig<unknown[]>, ...rest: unknown[]) => {
    const query = super.query as (...given: unknown[]) => unknown;
    if (typeof config === "string" || !config.values) return query.call(this, config, ...rest);
    const values = config.values.map((value) => (typeof value === "string" ? storableText(value) : value));
    return query.call(this, { ...config, values }, ...rest);
  }) as pg.Client["query"];
}

/**
 * Connections to the database. Statements that are not waited for one by one go out together (pipelining), and run in their order.
 * Nothing is connected before the first statement; a broken connection is replaced when the next one is wanted.
 */
export function openPool(databaseUrl: string, { connectionsMax, statementTimeoutMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    Client: StorableClient,
    connectionString: databaseUrl,
    application_name: "periscope",
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    pipeline: true,
    statement_timeout: statementTimeoutMs,
    lock_timeout: Math.ceil(statementTimeoutMs / 3),
    idle_in_transaction_session_timeout: 60_000,
    query_timeout: statementTimeoutMs + silenceMs,
  });
  // Whoever waits on a broken connection gets its error; without a listener here, it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Runs a prepared statement on a connection of the pool or on a given one. */
export async function run<Row extends pg.QueryResultRow>(
  connection: pg.Pool | Connection,
  [statement, values]: Query,
): Promise<pg.QueryResult<Row>> {
  return await connection.query<Row>({ ...statement, values: [...values] });
}

export async function rowsOf<Row extends pg.QueryResultRow>(connection: pg.Pool | Connection, ...query: Query): Promise<Row[]> {
  return (await run<Row>(connection, query)).rows;
}

const attemptsMax = 4;

/** Runs `work` again, a few times, while what it fails with is transient. */
export async function retry<Result>(work: () => Promise<Result>, isTransient: (error: unknown) => boolean): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attemptsMax || !isTransient(error)) throw error;
    }
    await wait(attempt * 10 * Math.random());
  }
}

/** Whether a transaction lost against another one, and may be run again. */
export const isConflict = (error: unknown): boolean => hasCode(error, /^(?:40001|40P01|P2034)$/);

/** Whether a row was there already. */
export const isDuplicate = (error: unknown): boolean => hasCode(error, /^(?:23505|P2002)$/);

/** Whether the statement was cancelled, by its timeout or by an operator. */
export const isCancelled = (error: unknown): boolean => hasCode(error, /^57014$/);

/** Counts a write to the user's data and keeps other writers of the user out until the transaction ends. No row without the user. */
export const bumpRevision = statement(`UPDATE users SET revision = revision + 1 WHERE "userId" = $1 RETURNING 1`);

/** The same, if the data is as it was at revision `$2`. */
export const bumpRevisionFrom = statement(
  `UPDATE users SET revision = revision + 1 WHERE "userId" = $1 AND revision = $2::bigint RETURNING 1`,
);

/**
 * Runs `first`, then `writes` and COMMIT in one go: two round trips. Resolves with the rows of the writes, or undefined, with
 * nothing written, when `first` has no row. A transaction that met a deadlock is run again.
 */
export function writeTransaction(pool: pg.Pool, first: Query, writes: readonly Query[]): Promise<pg.QueryResult[] | undefined> {
  return retry(async () => {
    const connection = await pool.connect();
    try {
      const [, opened] = await pipelined(connection, [[begin, []], first]);
      if (opened?.rowCount === 0) {
        release(connection, connection.query("ROLLBACK"));
        return undefined;
      }
      const results = await pipelined(connection, [...writes, [commit, []]]);
      // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK.
      if (results.pop()?.command !== "COMMIT") throw new Error("The transaction was rolled back.");
      connection.release();
      return results;
    } catch (error) {
      release(connection, connection.query("ROLLBACK"));
      throw error;
    }
  }, isConflict);
}

const begin = statement("BEGIN");
const commit = statement("COMMIT");
const beginReading = statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");

/** Reads as of one moment, in one round trip. */
export async function readTogether(pool: pg.Pool, queries: readonly Query[]): Promise<pg.QueryResult[]> {
  const connection = await pool.connect();
  try {
    const results = await pipelined(connection, [[beginReading, []], ...queries, [commit, []]]);
    connection.release();
    return results.slice(1, -1);
  } catch (error) {
    release(connection, connection.query("ROLLBACK"));
    throw error;
  }
}

/** Sends all without waiting for each other. Rejects with the first failure, which is why all after it failed, when all are answered. */
async function pipelined(connection: Connection, queries: readonly Query[]): Promise<pg.QueryResult[]> {
  const sent = queries.map((query) => run(connection, query));
  const settled = await Promise.allSettled(sent);
  return settled.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

/** Gives a connection back when its transaction has ended, or up when that fails. */
export function release(connection: Connection, ending: Promise<unknown>): void {
  void ending.then(
    () => connection.release(),
    (broken: Error) => connection.release(broken),
  );
}

/** A connection outside any pool, for commands. The rejection says what to do: start the server, or correct the address. */
export async function connect(databaseUrl: string, options: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000, ...options });
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "no answer";
    const explanation = explanations[code] ?? `cannot be reached (${code}). Start it, or correct DATABASE_URL.`;
    throw new Error(`${describeDatabase(databaseUrl)} ${explanation}`, { cause: error });
  }
}

/** Where a PostgreSQL database is, as it may be printed: host, port and name, without user, password and options. */
export function describeDatabase(databaseUrl: string): string {
  const url = URL.canParse(databaseUrl) ? new URL(databaseUrl) : null;
  if (url === null) return "PostgreSQL";
  const host = url.hostname || url.searchParams.get("host") || "localhost";
  return `PostgreSQL at ${host}:${url.port || "5432"}${url.pathname}`;
}

const wrongUser = "does not accept the user or the password that DATABASE_URL gives.";
const explanations: Record<string, string> = {
  "3D000": "does not exist: the server has no database of this name. Create it with createdb, or correct DATABASE_URL.",
  "28P01": wrongUser,
  "28000": wrongUser,
  "53300": "has no connection left. End some, or raise its max_connections.",
};

/**
 * Numbers of the advisory locks that this service takes. They belong to one database, and no other program may take one from 7,352,000
 * to 7,352,999.
 */
export const advisoryLocks = {
  /** Held while migrations are applied, or tables spread. */
  migration: 7_352_000,
  /** Held by the process that prunes; the others skip it. */
  prune: 7_352_001,
  /** Held by the process that makes the first key. */
  firstKey: 7_352_002,
  /** Held by a process that stores a setup token. */
  setupToken: 7_352_003,
} as const;
