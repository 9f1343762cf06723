import { PostgresServer } from "@periscope/postgres/server";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migratePostgres } from "../src/storage/postgres/migrate.js";
import { templateName } from "./postgres-database.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the PostgreSQL server that tests make their databases on; without it, they run on the embedded engine. */
    postgresUrl?: string;
  }
}

/** Starts the server of a test run, with the template of its databases; PostgreSQL 18, or the one whose programs TEST_POSTGRES_BIN names. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await PostgresServer.start({ binaries: process.env["TEST_POSTGRES_BIN"] || undefined });
  const client = new pg.Client(server.url());
  await client.connect();
  await client.query(`CREATE DATABASE ${templateName}`);
  await client.end();
  await migratePostgres(server.url(templateName));
  project.provide("postgresUrl", server.url());
  return () => server[Symbol.asyncDispose]();
}
