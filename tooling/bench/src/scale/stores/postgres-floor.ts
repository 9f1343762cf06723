import pg from "pg";
import { contextIdOf, extensionId, messageIdOf } from "../ingest/message-names.ts";
import type { UserName } from "../plan.ts";
import type { Floor, FloorQuestion, NumberRange } from "./scale-store.ts";

/** Contexts that are filled in by one transaction. */
const slice = 5_000;
const pageSize = 50;
const found = 20;
const snippetChars = 240;
/** Connections of the inserts: as many as the load on the server has. */
const connections = 4;
/** After which a question is given up; filling takes as long as it takes. */
const questionMsMax = 30_000;
const summary = `"contextId", type, url, title, "capturedAt", "privacyLevel"`;
const vector = `setweight(to_tsvector('english', title), 'A') || to_tsvector('english', coalesce("plainText", content))`;
const between = `"userId" = ANY(ARRAY(SELECT "userId" FROM users)) AND "contextId" >= $1 AND "contextId" < $2`;

/** Raw SQL with `pg`: the server's tables for reads, the same tables and a stored tsvector in a schema of their own for writes and searches. */
export class PostgresFloor implements Floor {
  readonly #pool: pg.Pool;
  /** Its statements are planned for each question's values, since users and words differ a lot. */
  readonly #asking: pg.Client;

  private constructor(pool: pg.Pool, asking: pg.Client) {
    this.#pool = pool;
    this.#asking = asking;
  }

  static async open(url: string): Promise<PostgresFloor> {
    const pool = new pg.Pool({ connectionString: url, max: connections });
    pool.on("error", () => undefined);
    await pool.query(schema);
    const asking = new pg.Client({ connectionString: url, statement_timeout: questionMsMax });
    asking.on("error", () => undefined);
    await asking.connect();
    return new PostgresFloor(pool, asking);
  }

  async fill(end: number, progress: (filled: number) => void): Promise<void> {
    const columns = await this.#columns("contexts");
    const shortened = columns.map((name) => (name === "content" ? "''" : name === "plainText" ? "NULL" : `"${name}"`));
    for (let from = await this.#filled(); from < end; from += slice) {
      const to = Math.min(from + slice, end);
      const contexts = [contextIdOf(from), contextIdOf(to)];
      await this.#transaction(async (client) => {
        await client.query(
          `INSERT INTO floor.contexts SELECT ${shortened.join()} FROM contexts WHERE ${between} ON CONFLICT DO NOTHING`,
          contexts,
        );
        await client.query(
          `INSERT INTO floor.processed_messages SELECT * FROM processed_messages WHERE "userId" = ANY(ARRAY(SELECT "userId" FROM users))
           AND "extensionId" = '${extensionId}' AND "messageId" >= $1 AND "messageId" < $2 ON CONFLICT DO NOTHING`,
          [messageIdOf(from), messageIdOf(to)],
        );
        await client.query(
          `INSERT INTO floor.search SELECT "userId", seq, ${vector} FROM contexts WHERE ${between} ON CONFLICT DO NOTHING`,
          contexts,
        );
        await client.query("UPDATE floor.progress SET filled = $1", [to]);
      });
      progress(to);
    }
  }

  async insert(batches: readonly NumberRange[]): Promise<{ rows: number; index: number }> {
    const prepared = [];
    for (const batch of batches) prepared.push(await this.#rowsOf(batch));
    const rows = await this.#timed(prepared, async (client, { contexts, messages }) => {
      await insertRows(client, "floor.contexts", contexts);
      await insertRows(client, "floor.processed_messages", messages);
    });
    const index = await this.#timed(batches, async (client, { user, first, end }) => {
      const bounds = [user, contextIdOf(first), contextIdOf(end)];
      await client.query(
        `INSERT INTO floor.search SELECT "userId", seq, ${vector} FROM floor.contexts WHERE "userId" = $1 AND "contextId" >= $2 AND "contextId" < $3`,
        bounds,
      );
    });
    await this.#pool.query("UPDATE floor.progress SET filled = $1", [Math.max(...batches.map(({ end }) => end))]);
    return { rows, index };
  }

  async ask(user: UserName, question: FloorQuestion): Promise<void> {
    switch (question.kind) {
      case "current":
        await this.#ask(
          `SELECT * FROM contexts WHERE "userId" = $1 AND "viewedAt" IS NOT NULL ORDER BY "viewedAt" DESC, seq DESC LIMIT 1`,
          [user],
        );
        return;
      case "history":
        await this.#ask(`SELECT ${summary} FROM contexts WHERE "userId" = $1 ${newestFirst}`, [user]);
        await this.#ask(`SELECT count(*) FROM contexts WHERE "userId" = $1`, [user]);
        return;
      case "history-deep": {
        const after = `"capturedAt" <= $2 AND ("capturedAt" < $2 OR "contextId" > $3)`;
        const place = [new Date(question.place.capturedAt), question.place.contextId];
        await this.#ask(`SELECT ${summary} FROM contexts WHERE "userId" = $1 AND ${after} ${newestFirst}`, [user, ...place]);
        return;
      }
      case "search":
        await this.#ask(
          `SELECT c."contextId", c.type, c.url, c.title, c."capturedAt", left(coalesce(c."plainText", c.content), ${snippetChars})
           FROM (SELECT s."userId", s.seq, ts_rank_cd(s.vector, q) AS rank FROM floor.search s, websearch_to_tsquery('english', $2) q
             WHERE s."userId" = $1 AND s.vector @@ q ORDER BY rank DESC LIMIT ${found}) AS best
           JOIN contexts c ON c."userId" = best."userId" AND c.seq = best.seq ORDER BY best.rank DESC`,
          [user, question.text],
        );
        return;
      case "url":
        await this.#ask(`SELECT ${summary} FROM contexts WHERE "userId" = $1 AND url ILIKE $2 ORDER BY "capturedAt" DESC LIMIT ${found}`, [
          user,
          `%${question.part.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`,
        ]);
        return;
    }
  }

  async close(): Promise<void> {
    await this.#asking.end();
    await this.#pool.end();
  }

  /** A statement that takes too long is given up, and has taken as long as it was given. */
  async #ask(text: string, values: unknown[]): Promise<void> {
    await this.#asking.query(text, values).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError && error.code === "57014")) throw error;
    });
  }

  /** Seconds that the work takes over all connections together, an item a transaction. */
  async #timed<T>(items: readonly T[], work: (client: pg.PoolClient, item: T) => Promise<void>): Promise<number> {
    const left = [...items];
    const started = performance.now();
    const worker = async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) {
        const next = item;
        await this.#transaction((client) => work(client, next));
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return (performance.now() - started) / 1_000;
  }

  async #transaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query("BEGIN");
      await work(client);
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  async #rowsOf({ user, first, end }: NumberRange): Promise<{ contexts: pg.QueryResult; messages: pg.QueryResult }> {
    const read = (table: string, id: string, bounds: string[]) =>
      this.#pool.query({
        text: `SELECT * FROM ${table} WHERE "userId" = $1 AND "${id}" >= $2 AND "${id}" < $3`,
        values: [user, ...bounds],
        rowMode: "array",
      });
    return {
      contexts: await read("contexts", "contextId", [contextIdOf(first), contextIdOf(end)]),
      messages: await read("processed_messages", "messageId", [messageIdOf(first), messageIdOf(end)]),
    };
  }

  async #columns(table: string): Promise<string[]> {
    const { fields } = await this.#pool.query(`SELECT * FROM ${table} LIMIT 0`);
    return fields.map(({ name }) => name);
  }

  async #filled(): Promise<number> {
    return Number((await this.#pool.query<{ filled: string }>("SELECT filled FROM floor.progress")).rows[0]?.filled ?? 0);
  }
}

const newestFirst = `ORDER BY "capturedAt" DESC, "contextId" LIMIT ${pageSize}`;

const schema = `
  DO $$ BEGIN IF to_regclass('floor.progress') IS NULL THEN
    CREATE SCHEMA floor;
    CREATE EXTENSION IF NOT EXISTS btree_gin SCHEMA floor;
    CREATE TABLE floor.contexts (LIKE public.contexts INCLUDING ALL);
    CREATE TABLE floor.processed_messages (LIKE public.processed_messages INCLUDING ALL);
    CREATE TABLE floor.search ("userId" text COLLATE "C", seq bigint, vector tsvector, PRIMARY KEY ("userId", seq));
    CREATE INDEX ON floor.search USING gin ("userId", vector);
    CREATE TABLE floor.progress (filled bigint NOT NULL);
    INSERT INTO floor.progress VALUES (0);
  END IF; END $$`;

/** One statement, a list of values a row. */
async function insertRows(client: pg.PoolClient, table: string, { rows, fields }: pg.QueryResult): Promise<void> {
  const values = (rows as unknown[][]).flat();
  const row = (at: number) => `(${fields.map((_, index) => `$${at * fields.length + index + 1}`).join()})`;
  const list = fields.map(({ name }) => `"${name}"`).join();
  await client.query(`INSERT INTO ${table} (${list}) VALUES ${rows.map((_, at) => row(at)).join()}`, values);
}
