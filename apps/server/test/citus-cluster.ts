import { type PostgresOptions, PostgresServer } from "@periscope/harness/postgres";
import pg from "pg";
import { distributePostgres, migratePostgres } from "../src/storage/postgres/migrate.js";
import { citusWorkers } from "./citus-workers.js";

// Each database has a process of Citus' own; every writer of a transaction may need a place on every machine. What is written to a shard
// while it moves reaches its new place by the log.
const settings = {
  shared_preload_libraries: "citus",
  "citus.node_conninfo": "sslmode=disable",
  "citus.shard_count": 4,
  max_worker_processes: 100,
  max_prepared_transactions: 300,
  wal_level: "logical",
};

/** A Citus cluster on this machine: a coordinator and workers, whose PostgreSQL has the extension installed. */
export class CitusCluster implements AsyncDisposable {
  private constructor(readonly servers: readonly [coordinator: PostgresServer, ...workers: PostgresServer[]]) {}

  /** @param coordinator how that one is to run; all are of the PostgreSQL whose programs TEST_POSTGRES_BIN names */
  static async start(coordinator: PostgresOptions = {}): Promise<CitusCluster> {
    const [first, ...others] = await Promise.all([coordinator, ...Array.from({ length: citusWorkers }, () => ({}))].map(startServer));
    if (first === undefined) throw new Error("There is no coordinator.");
    return new CitusCluster([first, ...others]);
  }

  /** Makes a database that all servers know of, with the service's tables spread over the workers. */
  async createDatabase(name: string): Promise<void> {
    await this.createEmpty(name);
    await migratePostgres(this.servers[0].url(name));
    await distributePostgres(this.servers[0].url(name));
  }

  /** Makes a database that all servers know of, with nothing in it. */
  async createEmpty(name: string): Promise<void> {
    const [coordinator, ...workers] = this.servers;
    for (const server of this.servers) await createPart(server, name);
    await run(coordinator.url(name), [
      `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
      ...workers.map(({ port }) => addNode(port)),
    ]);
  }

  /**
   * Closes a database, so that each server can copy its part of it. The copies are such a database again: the servers know each other's
   * parts by the name of the database alone.
   */
  async close(name: string): Promise<void> {
    for (const server of this.servers)
      await run(server.url(), [
        `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
        `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
      ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.servers.map((server) => server[Symbol.asyncDispose]()));
  }
}

function startServer(options: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = process.env["TEST_POSTGRES_BIN"] || undefined;
  return PostgresServer.start({ ...options, binaries, settings: { ...settings, ...options.settings } });
}

/** Makes a server's part of a database. */
async function createPart(server: PostgresServer, name: string): Promise<void> {
  await run(server.url(), [`CREATE DATABASE ${name}`]);
  const password = decodeURIComponent(new URL(server.url()).password);
  const known = `INSERT INTO pg_dist_authinfo VALUES (0, current_user, 'password=''${password}''')`;
  await run(server.url(name), ["CREATE EXTENSION citus", known]);
}

const addNode = (port: number) => `SELECT citus_add_node('127.0.0.1', ${port})`;

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
