import Database from "better-sqlite3";
import { join } from "node:path";
import { inject } from "vitest";
import { PostgresDatabase } from "./postgres-database.js";

/** A database of the engine that the tests run on; gone at the end of the block. */
export interface TestDatabase extends AsyncDisposable {
  url: string;
  /**
   * Runs a statement of another program: rows as the database has them, which no answer of the service shows. `?` stands for each of
   * the values; names of columns are quoted.
   */
  rows<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]>;
}

/** The engine that the tests run on, by the project of the test run. */
export function testEngine(): "sqlite" | "postgres" {
  return inject("postgresUrl") === undefined ? "sqlite" : "postgres";
}

/** A new database; one of the embedded engine lies in the directory, whoever made that removes it. */
export async function createTestDatabase(directory: string): Promise<TestDatabase> {
  if (testEngine() === "postgres") return await PostgresDatabase.create();
  const file = join(directory, "periscope.db");
  return {
    url: `file:${file}`,
    async rows<Row>(sql: string, ...values: unknown[]) {
      const db = new Database(file);
      try {
        const statement = db.prepare<unknown[], Row>(sql);
        if (statement.reader) return statement.all(...values);
        statement.run(...values);
        return [];
      } finally {
        db.close();
      }
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Lets the database refuse new rows of a table, until the returned function is called. */
export async function refuseInserts(database: Pick<TestDatabase, "rows">, table: string): Promise<() => Promise<unknown>> {
  if (testEngine() === "sqlite") {
    await database.rows(`CREATE TRIGGER refuse BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    return () => database.rows("DROP TRIGGER refuse");
  }
  await database.rows(`ALTER TABLE ${table} ADD CONSTRAINT refused CHECK (false) NOT VALID`);
  return () => database.rows(`ALTER TABLE ${table} DROP CONSTRAINT refused`);
}
