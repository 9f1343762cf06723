import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";

/** The database that every other is copied from: it has all migrations and no rows. */
export const templateName = "periscope_template";

/** A database of its own on the server of the test run, gone at the end of the block: hold it with `await using`. */
export class PostgresDatabase implements AsyncDisposable {
  private constructor(
    private readonly servers: readonly string[],
    readonly name: string,
  ) {}

  /** @param from the database that it is a copy of */
  static async create(from = templateName): Promise<PostgresDatabase> {
    const server = inject("postgresUrl");
    if (server === undefined) throw new Error("This test needs the project `postgres`.");
    // Of a database that is spread over machines, each has its part; one that is made of nothing is on the first alone.
    const servers = [server, ...(from === templateName ? (inject("postgresWorkerUrls") ?? []) : [])];
    const name = `test_${randomUUID().replaceAll("-", "")}`;
    // To copy files takes a third of what it takes to write each of their pages to the log.
    await Promise.all(servers.map((each) => run(each, `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY FILE_COPY`)));
    return new PostgresDatabase(servers, name);
  }

  get url(): string {
    return Object.assign(new URL(this.servers[0] ?? ""), { pathname: this.name }).href;
  }

  /** Rows of a statement on a connection of its own; `?` stands for each of the values. */
  async rows<Row extends pg.QueryResultRow>(sql: string, ...values: unknown[]): Promise<Row[]> {
    let place = 0;
    const numbered = sql.replaceAll("?", () => `$${++place}`);
    return await run<Row>(this.url, numbered, values);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // In a cluster a process of Citus may have just begun its work in it.
    const drop = (server: string, attempts: number): Promise<unknown> =>
      run(server, `DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`).catch(async (error: unknown) => {
        if (attempts === 1) throw error;
        await pause(100);
        return await drop(server, attempts - 1);
      });
    for (const server of this.servers) await drop(server, 20);
  }
}

async function run<Row extends pg.QueryResultRow>(url: string, sql: string, values?: unknown[]): Promise<Row[]> {
  const client = new pg.Client(url).on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
