import { placeOf } from "../../../database-url.js";
import type { ReplicaReport } from "../../replica-report.js";
import { connect } from "../connect.js";
import { identity, position, type ServerIdentity } from "./server-identity.js";

const onPrimary = `SELECT ${identity}, ${position}`;
const onReplica = `SELECT ${identity}, pg_is_in_recovery() AS "isStandby",
  greatest(0, $1::float8 - pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'))::float8 AS "lagBytes",
  (extract(epoch FROM now() - pg_last_xact_replay_timestamp()) * 1000)::float8 AS "ageMs"`;

interface ReplicaRow extends ServerIdentity {
  isStandby: boolean;
  lagBytes: number;
  ageMs: number | null;
}

/** Looks at each replica of a database, which must answer itself; changes nothing. */
export async function inspectReplicas(databaseUrl: string, urls: readonly string[]): Promise<ReplicaReport[]> {
  const [primary] = await ask<ServerIdentity & { position: number }>(databaseUrl, "DATABASE_URL", onPrimary, []);
  if (!primary) throw new Error("a SELECT without FROM gives a row");
  return await Promise.all(urls.map((url) => inspectReplica(url, primary)));
}

async function inspectReplica(url: string, primary: ServerIdentity & { position: number }): Promise<ReplicaReport> {
  const place = placeOf(url);
  try {
    const [row] = await ask<ReplicaRow>(url, "DATABASE_REPLICA_URLS", onReplica, [primary.position]);
    if (!row) throw new Error(`${place} does not answer.`);
    if (row.system !== primary.system || row.database !== primary.database)
      return { place, problem: `${place} belongs to another database than DATABASE_URL names.` };
    if (!row.isStandby) return { place, problem: `${place} is no standby: it takes writes of its own.` };
    // What is missing is younger than the last that is there.
    return { place, lagBytes: row.lagBytes, lagMs: row.lagBytes === 0 ? 0 : (row.ageMs ?? 0) };
  } catch (error) {
    return { place, problem: error instanceof Error ? error.message : String(error) };
  }
}

async function ask<Row extends object>(url: string, setting: string, sql: string, values: unknown[]): Promise<Row[]> {
  const client = await connect(url, { query_timeout: 30_000 }, setting);
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
