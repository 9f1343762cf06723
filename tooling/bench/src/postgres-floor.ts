import pg from "pg";
import { type FillTimes, type Floor, historyLimit, type Question, searchLimit } from "./floor.ts";

const sliceSize = 2_000;
/** After which a question is given up. */
const questionMsMax = 30_000;
const snippetChars = 240;
const summary = `"contextId", type, url, title, "capturedAt", "privacyLevel"`;
const newestFirst = `ORDER BY "capturedAt" DESC, "contextId" LIMIT ${historyLimit}`;
const vector = `setweight(to_tsvector('english', title), 'A') || to_tsvector('english', coalesce("plainText", content))`;

/** Raw SQL with `pg` over a copy of the server's tables in a schema of its own, with a stored tsvector. */
export class PostgresFloor implements Floor {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async open(url: string): Promise<PostgresFloor> {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    await client.query(`
      DO $$ BEGIN IF to_regclass('floor.search') IS NULL THEN
        CREATE SCHEMA floor;
        CREATE EXTENSION IF NOT EXISTS btree_gin SCHEMA floor;
        CREATE TABLE floor.contexts (LIKE public.contexts INCLUDING ALL);
        CREATE TABLE floor.processed_messages (LIKE public.processed_messages INCLUDING ALL);
        CREATE TABLE floor.search ("userId" text COLLATE "C", seq bigint, "contextId" text COLLATE "C", vector tsvector, PRIMARY KEY ("userId", seq));
        CREATE INDEX ON floor.search USING gin ("userId", vector);
      END IF; END $$`);
    return new PostgresFloor(client);
  }

  async fill(): Promise<FillTimes> {
    const times: FillTimes = { contexts: 0, rows: 0, index: 0 };
    const timed = async (sql: string, values: unknown[]) => {
      const started = performance.now();
      await this.#client.query(sql, values);
      return (performance.now() - started) / 1_000;
    };
    for (;;) {
      // Contexts and messages are numbered alike over all users.
      const { rows } = await this.#client.query<{ from: string; to: string | null; count: string }>(
        `SELECT coalesce(max(a), '') AS from, (SELECT max("contextId") FROM (SELECT "contextId" FROM contexts WHERE "contextId" > coalesce(max(a), '')
           ORDER BY "contextId" LIMIT ${sliceSize}) AS slice) AS to FROM (SELECT max("contextId") AS a FROM floor.search) AS known`,
      );
      const { from = "", to = null } = rows[0] ?? {};
      if (to === null) return times;
      const between = `"contextId" > $1 AND "contextId" <= $2`;
      const before = await this.#count();
      times.rows += await timed(`INSERT INTO floor.contexts SELECT * FROM contexts WHERE ${between} ON CONFLICT DO NOTHING`, [from, to]);
      times.rows += await timed(
        `INSERT INTO floor.processed_messages SELECT * FROM processed_messages WHERE "messageId" > $1 AND "messageId" <= $2 ON CONFLICT DO NOTHING`,
        [from.replace("c", "m"), to.replace("c", "m")],
      );
      times.index += await timed(
        `INSERT INTO floor.search SELECT "userId", seq, "contextId", ${vector} FROM floor.contexts WHERE ${between}`,
        [from, to],
      );
      times.contexts += (await this.#count()) - before;
    }
  }

  async ask(user: string, question: Question): Promise<unknown> {
    switch (question.kind) {
      case "current":
        return await this.#ask(
          `SELECT * FROM contexts WHERE "userId" = $1 AND "viewedAt" IS NOT NULL ORDER BY "viewedAt" DESC, seq DESC LIMIT 1`,
          [user],
        );
      case "history":
        await this.#ask(`SELECT count(*) FROM contexts WHERE "userId" = $1`, [user]);
        return await this.#ask(`SELECT ${summary} FROM contexts WHERE "userId" = $1 ${newestFirst}`, [user]);
      case "history-deep": {
        const after = `"capturedAt" <= $2 AND ("capturedAt" < $2 OR "contextId" > $3)`;
        const place = [new Date(question.capturedAt), question.contextId];
        return await this.#ask(`SELECT ${summary} FROM contexts WHERE "userId" = $1 AND ${after} ${newestFirst}`, [user, ...place]);
      }
      case "search":
        return await this.#ask(
          `SELECT c."contextId", c.type, c.url, c.title, c."capturedAt", left(coalesce(c."plainText", c.content), ${snippetChars})
           FROM (SELECT s."userId", s.seq, ts_rank_cd(s.vector, q) AS rank FROM floor.search s, websearch_to_tsquery('english', $2) q
             WHERE s."userId" = $1 AND s.vector @@ q ORDER BY rank DESC LIMIT ${searchLimit}) AS best
           JOIN contexts c ON c."userId" = best."userId" AND c.seq = best.seq ORDER BY best.rank DESC`,
          [user, question.text],
        );
      case "url":
        return await this.#ask(
          `SELECT ${summary} FROM contexts WHERE "userId" = $1 AND url ILIKE $2 ORDER BY "capturedAt" DESC LIMIT ${searchLimit}`,
          [user, `%${question.part.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`],
        );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }

  async #count(): Promise<number> {
    return Number((await this.#client.query<{ count: string }>("SELECT count(*) FROM floor.contexts")).rows[0]?.count);
  }

  /** A statement that takes too long is given up, and counts with the time that it had. */
  async #ask(text: string, values: unknown[]): Promise<unknown> {
    await this.#client.query(`SET statement_timeout = ${questionMsMax}`);
    try {
      return (await this.#client.query(text, values)).rows;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === "57014") return [];
      throw error;
    } finally {
      await this.#client.query("SET statement_timeout = 0");
    }
  }
}
