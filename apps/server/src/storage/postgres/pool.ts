import pg from "pg";
import { storable } from "../../contexts/storable.js";

/** Milliseconds for a connection, new or from the pool. */
const connectTimeoutMs = 5_000;
/** Milliseconds past the server's own time limit after which a connection that says nothing is given up. */
const silenceMs = 2_000;

export interface PoolOptions {
  /** Connections of this process at most. */
  connectionsMax: number;
  /**
   * Milliseconds that a statement may run: far more than any needs, so that a stuck one gives its connection back. It waits a third of
   * that for a lock, such as another writer's of the same user.
   */
  statementTimeoutMs: number;
}

/** A connection that is taken out of the pool. */
export type Connection = pg.PoolClient;

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  name: string;
  text: string;
}

/**
 * Connections to the database. Statements that are not waited for one by one go out together (pipelining), and are run in their order.
 * Nothing is connected before the first statement; a connection that breaks is replaced by the next that is wanted.
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
  // A connection that breaks says so to whoever waits on it; with nobody listening here, it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Rows of a prepared statement, on a connection of the pool or on a given one. */
export async function rowsOf<Row extends pg.QueryResultRow>(
  connection: pg.Pool | Connection,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  // What was stored has been through the same: a value that cannot be stored is not found, and is no error.
  const storableValues = values.map((value) => (typeof value === "string" ? storable(value) : value));
  const { rows } = await connection.query<Row>({ ...statement, values: storableValues });
  return rows;
}
