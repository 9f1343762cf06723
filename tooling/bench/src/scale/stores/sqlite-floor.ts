import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { contextIdOf, messageIdOf, extensionId } from "../ingest/message-names.ts";
import type { UserName } from "../plan.ts";
import type { Floor, FloorQuestion, NumberRange } from "./scale-store.ts";

type Row = Record<string, unknown>;

/** Contexts that are filled in by one transaction. */
const slice = 2_000;
const pageSize = 50;
const found = 20;
const snippetChars = 240;
const summary = "contextId, type, url, title, capturedAt, privacyLevel";
/** What a match in owner, title, URL, content and metadata counts. */
const weights = "0, 4, 1, 1, 1";
const indexColumns = "rowid, owner, title, url, content, metadata";

/** Raw SQL with better-sqlite3: the server's tables for reads, the same tables and an FTS5 index in a file of its own for writes and searches. */
export class SqliteFloor implements Floor, Disposable {
  readonly #db: Database.Database;

  constructor(file: string, serverFile: string) {
    const isNew = !existsSync(file);
    this.#db = new Database(file);
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = FULL");
    this.#db.prepare("ATTACH ? AS server").run(serverFile);
    if (isNew) this.#create();
  }

  async fill(end: number, progress: (filled: number) => void): Promise<void> {
    const rows = this.#db.prepare(`INSERT OR IGNORE INTO contexts SELECT ${this.#withoutText()} FROM server.contexts WHERE ${between}`);
    const messages = this.#db.prepare(
      `INSERT OR IGNORE INTO processed_messages SELECT * FROM server.processed_messages
       WHERE userId IN (SELECT userId FROM server.users) AND extensionId = '${extensionId}' AND messageId >= ? AND messageId < ?`,
    );
    const index = this.#db.prepare(
      `INSERT INTO floor_index (${indexColumns})
       SELECT seq, replace(userId, '-', ''), title, url, coalesce(plainText, content), metadata FROM server.contexts WHERE ${between}`,
    );
    const fillSlice = this.#db.transaction((from: number, to: number) => {
      rows.run(contextIdOf(from), contextIdOf(to));
      messages.run(messageIdOf(from), messageIdOf(to));
      index.run(contextIdOf(from), contextIdOf(to));
      this.#setFilled(to);
    });
    for (let from = this.#filled(); from < end; from += slice) {
      fillSlice(from, Math.min(from + slice, end));
      progress(from);
      // Whoever wants to stop the run is heard in between.
      await new Promise(setImmediate);
    }
  }

  async insert(batches: readonly NumberRange[]): Promise<{ rows: number; index: number }> {
    const took = { rows: 0, index: 0 };
    for (const batch of batches) {
      const [context, message, entry] = this.#readers.map((statement) => statement.all(...boundsOf(batch))) as [Row[], Row[], Row[]];
      const started = performance.now();
      this.#insertAll([
        ["contexts", context],
        ["processed_messages", message],
      ]);
      const between = performance.now();
      this.#insertAll([["floor_index", entry]], batch.end);
      took.rows += (between - started) / 1_000;
      took.index += (performance.now() - between) / 1_000;
    }
    return took;
  }

  async ask(user: UserName, question: FloorQuestion): Promise<void> {
    switch (question.kind) {
      case "current":
        this.#ask("SELECT * FROM server.contexts WHERE userId = ? ORDER BY viewedAt DESC, seq DESC LIMIT 1").get(user);
        return;
      case "history":
        this.#ask(`SELECT ${summary} FROM server.contexts WHERE userId = ? ${newestFirst}`).all(user);
        this.#ask("SELECT count(*) FROM server.contexts WHERE userId = ?").get(user);
        return;
      case "history-deep": {
        const { capturedAt, contextId } = question.place;
        const after = "capturedAt <= ? AND (capturedAt < ? OR contextId > ?)";
        const page = this.#ask(`SELECT ${summary} FROM server.contexts WHERE userId = ? AND ${after} ${newestFirst}`);
        page.all(user, capturedAt, capturedAt, contextId);
        return;
      }
      case "search": {
        const match = `owner : "${user.replace("-", "")}" AND {title url content metadata} : ${question.text}`;
        const ranked = this.#ask(
          `SELECT rowid FROM floor_index WHERE floor_index MATCH ? AND rank MATCH 'bm25(${weights})' ORDER BY rank LIMIT ${found}`,
        );
        const shown = this.#ask(
          `SELECT ${summary}, substr(coalesce(plainText, content), 1, ${snippetChars}) FROM server.contexts WHERE seq = ?`,
        );
        for (const { rowid } of ranked.all(match) as Array<{ rowid: number }>) shown.get(rowid);
        return;
      }
      case "url": {
        const page = this.#ask(
          `SELECT ${summary} FROM server.contexts WHERE userId = ? AND url LIKE ? ESCAPE '\\' ORDER BY capturedAt DESC LIMIT ${found}`,
        );
        page.all(user, `%${question.part.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`);
        return;
      }
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  readonly #asked = new Map<string, Database.Statement>();

  #ask(sql: string): Database.Statement {
    const statement = this.#asked.get(sql) ?? this.#db.prepare(sql);
    this.#asked.set(sql, statement);
    return statement;
  }

  get #readers(): Array<Database.Statement> {
    const ofUser = "userId = ? AND contextId >= ? AND contextId < ?";
    return [
      this.#ask(`SELECT * FROM server.contexts WHERE ${ofUser}`),
      this.#ask(
        `SELECT * FROM server.processed_messages WHERE userId = ? AND extensionId = '${extensionId}'
         AND messageId >= 'm' || substr(?, 2) AND messageId < 'm' || substr(?, 2)`,
      ),
      this.#ask(
        `SELECT seq AS rowid, replace(userId, '-', '') AS owner, title, url, coalesce(plainText, content) AS content, metadata
         FROM server.contexts WHERE ${ofUser}`,
      ),
    ];
  }

  readonly #insertAll = (tables: ReadonlyArray<readonly [string, readonly Row[]]>, filled?: number): void => {
    this.#db.transaction(() => {
      for (const [table, rows] of tables) {
        const columns = Object.keys(rows[0] ?? {});
        const insert = this.#ask(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map((column) => `@${column}`).join()})`);
        for (const row of rows) insert.run(row);
      }
      if (filled !== undefined) this.#setFilled(filled);
    })();
  };

  #create(): void {
    const tables = this.#db
      .prepare<[], string>(
        "SELECT sql FROM server.sqlite_master WHERE tbl_name IN ('contexts', 'processed_messages') AND type IN ('table', 'index') AND sql IS NOT NULL ORDER BY type = 'index'",
      )
      .pluck()
      .all();
    this.#db.exec(`${tables.join(";")};
      CREATE VIRTUAL TABLE floor_index USING fts5(owner, title, url, content, metadata, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
      CREATE TABLE progress (filled INTEGER NOT NULL);
      INSERT INTO progress VALUES (0);`);
  }

  #filled(): number {
    return Number(this.#ask("SELECT filled FROM progress").pluck().get());
  }

  #setFilled(number: number): void {
    this.#db.prepare("UPDATE progress SET filled = ?").run(number);
  }

  /** The columns of a context in their order, without what is long. */
  #withoutText(): string {
    const columns = this.#db.pragma("server.table_info(contexts)") as Array<{ name: string }>;
    return columns.map(({ name }) => (name === "content" ? "''" : name === "plainText" ? "NULL" : name)).join();
  }
}

const newestFirst = `ORDER BY capturedAt DESC, contextId LIMIT ${pageSize}`;
const between = "userId IN (SELECT userId FROM server.users) AND contextId >= ? AND contextId < ?";

function boundsOf({ user, first, end }: NumberRange): [string, string, string] {
  return [user, contextIdOf(first), contextIdOf(end)];
}
