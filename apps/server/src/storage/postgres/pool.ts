import { hash } from "node:crypto";
import pg from "pg";
import { storableText } from "../../formats.js";

/** Milliseconds for a connection, new or from the pool. */
const connectTimeoutMs = 5_000;
/** Milliseconds past the server's own time limit after which a connection that says nothing is given up. */
const silenceMs = 2_000;

/** Statements get a time limit, so that a stuck one gives its connection back. One waits a third of it for a lock. */
interface PoolOptions {
  connectionsMax: number;
  statementTimeoutMs: number;
}

/** A connection that is taken out of the pool. */
export type Connection = pg.PoolClient;

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  name: string;
  text: string;
}

/** A statement under a name that is made of its text. */
export const statement = (text: string): Statement => ({ name: hash("sha1", text), text });

/** A statement with its values. */
export type Query = readonly [statement: Statement, values: readonly unknown[]];

/**
 * Connections to the database. Statements that are not waited for one by one go out together (pipelining), and run in their order.
 * Nothing is connected before the first statement; a broken connection is replaced when the next one is wanted.
 */
export function openPool(databaseUrl: string, { connectionsMax, statementTimeoutMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
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
  // Stored text has been through the same: a value that cannot be stored is not found, and is no error.
  const storableValues = values.map((value) => (typeof value === "string" ? storableText(value) : value));
  return await connection.query<Row>({ ...statement, values: storableValues });
}

/** Rows of a prepared statement. */
export async function rowsOf<Row extends pg.QueryResultRow>(connection: pg.Pool | Connection, ...query: Query): Promise<Row[]> {
  return (await run<Row>(connection, query)).rows;
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
} as const;
