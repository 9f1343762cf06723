import { PostgresServer } from "@periscope/harness/postgres";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migratePostgres } from "../src/storage/postgres/migrate.js";
import { CitusCluster } from "./citus-cluster.js";
import { citusWorkers } from "./citus-workers.js";
import { templateName } from "./postgres-database.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the PostgreSQL server that tests make their databases on; without it, they run on the embedded engine. */
    postgresUrl?: string;
    /** Addresses of the other servers of its Citus cluster; none without a cluster. */
    postgresWorkerUrls?: string[];
  }
}

/**
 * Starts the server of a test run, with the template of its databases: PostgreSQL 18, or the one whose programs TEST_POSTGRES_BIN names.
 * TEST_POSTGRES_URL names one that runs already, such as in a container. TEST_CITUS_WORKERS makes it a Citus cluster of a coordinator and as many workers.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (citusWorkers > 0) {
    const cluster = await CitusCluster.start();
    await cluster.createDatabase(templateName);
    await cluster.close(templateName);
    const [coordinator, ...others] = cluster.servers.map((server) => server.url());
    project.provide("postgresUrl", coordinator);
    project.provide("postgresWorkerUrls", others);
    return () => cluster[Symbol.asyncDispose]();
  }
  const running = process.env["TEST_POSTGRES_URL"];
  const server = running ? undefined : await PostgresServer.start({ binaries: process.env["TEST_POSTGRES_BIN"] || undefined });
  const urlOf = (database: string) => server?.url(database) ?? Object.assign(new URL(running ?? ""), { pathname: `/${database}` }).href;
  const client = new pg.Client(urlOf("postgres"));
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${templateName}`);
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  await migratePostgres(urlOf(templateName));
  project.provide("postgresUrl", urlOf("postgres"));
  return async () => await server?.[Symbol.asyncDispose]();
}
