import Database from "better-sqlite3";

/** A read that the service and the floor both answer: `search` is for a word or a phrase in quotes. */
export type Question = { kind: "current" } | { kind: "history" } | { kind: "search"; text: string };

type Row = Record<string, unknown>;

const historyLimit = 50;
const searchLimit = 20;
const sliceSize = 2_000;
const snippetChars = 240;
const summary = "contextId, type, url, title, capturedAt, privacyLevel";
const newestFirst = `ORDER BY capturedAt DESC, contextId LIMIT ${historyLimit}`;
/** What a match in owner, title, URL, content and metadata counts. */
const weights = "0, 4, 1, 1, 1";

/**
 * The least that must be done for the same work as the service: raw SQL with better-sqlite3 over a copy of its tables, with FTS5's own index and
 * ranking.
 */
export class SqliteFloor implements Disposable {
  readonly #db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  #inserted = 0;

  /** @param serverFile the server's database; without it, what the copy has can be read */
  constructor(file: string, serverFile?: string) {
    this.#db = new Database(file);
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = FULL");
    if (serverFile === undefined) return;
    this.#db.prepare("ATTACH ? AS server").run(serverFile);
    const copied = "tbl_name IN ('contexts', 'processed_messages') AND type IN ('table', 'index') AND sql IS NOT NULL";
    const tables = this.#db
      .prepare<[], string>(`SELECT sql FROM server.sqlite_master WHERE ${copied} ORDER BY type = 'index'`)
      .pluck()
      .all();
    this.#db.exec(`${tables.join(";")};
      CREATE VIRTUAL TABLE floor_index USING fts5(owner, title, url, content, metadata, content = '', tokenize = 'porter unicode61 remove_diacritics 2')`);
  }

  /** Copies the server's contexts. */
  async fill(): Promise<void> {
    for (;;) {
      // Contexts and messages are numbered alike, and in order.
      const from = this.#sql("SELECT max(seq) FROM main.contexts").pluck().get() ?? 0;
      const rows = this.#sql(`SELECT * FROM server.contexts WHERE seq > ? ORDER BY seq LIMIT ${sliceSize}`).all(from) as Row[];
      if (rows.length === 0) return;
      const messages = this.#messagesOf(rows);
      this.#db.transaction(() => {
        for (const row of rows) {
          this.#insertInto("contexts", row);
          this.#index(row);
        }
        for (const message of messages) this.#insertInto("processed_messages", message);
      })();
      // Signals arrive in between.
      await new Promise(setImmediate);
    }
  }

  /** Inserts copies of the newest contexts under new ids for some seconds. Returns milliseconds of each transaction. */
  insertFor(seconds: number, perTransaction: number): number[] {
    // Copies of an earlier measurement have no message of the server.
    const contexts = this.#sql(
      "SELECT * FROM main.contexts WHERE contextId NOT LIKE 'floor-%' ORDER BY seq DESC LIMIT 2000",
    ).all() as Row[];
    const messages = this.#messagesOf(contexts);
    if (messages.length === 0) throw new Error("There are no contexts to copy: seed the database first.");
    const latencies: number[] = [];
    const begun = performance.now();
    for (let now = begun; now < begun + seconds * 1_000; now = performance.now()) {
      this.#db.transaction(() => {
        for (let count = 0; count < perTransaction; count += 1) {
          const number = this.#inserted++;
          const { seq: _, ...context } = contexts[number % contexts.length] ?? {};
          const row = { ...context, contextId: `floor-${number}`, capturedAt: Date.now() };
          const { lastInsertRowid } = this.#insertInto("contexts", row);
          this.#index({ ...row, seq: lastInsertRowid });
          this.#insertInto("processed_messages", {
            ...messages[number % messages.length],
            messageId: `floor-${number}`,
            processedAt: Date.now(),
          });
        }
      })();
      latencies.push(performance.now() - now);
    }
    return latencies;
  }

  answer(user: string, question: Question): object | undefined {
    switch (question.kind) {
      case "current":
        return currentOf(
          this.#sql("SELECT * FROM contexts WHERE userId = ? AND viewedAt IS NOT NULL ORDER BY viewedAt DESC, seq DESC LIMIT 1").get(
            user,
          ) as Row,
        );
      case "history": {
        const contexts = this.#sql(`SELECT ${summary} FROM contexts WHERE userId = ? ${newestFirst}`).all(user) as Row[];
        const total = this.#sql("SELECT count(*) FROM contexts WHERE userId = ?").pluck().get(user);
        return { contexts: contexts.map(withTimestamp), total, limit: historyLimit, offset: 0 };
      }
      case "search": {
        const match = `owner : "${ownerOf(user)}" AND {title url content metadata} : ${question.text}`;
        const ranked = this.#sql(
          `SELECT rowid, rank FROM floor_index WHERE floor_index MATCH ? AND rank MATCH 'bm25(${weights})' ORDER BY rank LIMIT ${searchLimit}`,
        ).all(match) as { rowid: number; rank: number }[];
        const shown = this.#sql(`SELECT ${summary}, coalesce(plainText, content) AS text FROM contexts WHERE seq = ?`);
        const results = ranked.map(({ rowid, rank }) => {
          const { text, ...row } = shown.get(rowid) as Row;
          const start = Math.max(0, String(text).indexOf(question.text.replaceAll('"', "")) - snippetChars / 2);
          return { ...withTimestamp(row), snippet: String(text).slice(start, start + snippetChars), relevance: rank / (rank - 1) };
        });
        return { results, total: this.#sql("SELECT count(*) FROM floor_index WHERE floor_index MATCH ?").pluck().get(match) };
      }
    }
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #sql(text: string): Database.Statement {
    const statement = this.#statements.get(text) ?? this.#db.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  #messagesOf(contexts: readonly Row[]): Row[] {
    const message = this.#sql("SELECT * FROM server.processed_messages WHERE userId = ? AND extensionId = ? AND messageId = ?");
    return contexts.map(({ userId, extensionId, contextId }) => message.get(userId, extensionId, `m${String(contextId).slice(1)}`) as Row);
  }

  #insertInto(table: string, row: Row): Database.RunResult {
    const columns = Object.keys(row);
    return this.#sql(`INSERT INTO main.${table} (${columns.join()}) VALUES (${columns.map((column) => `@${column}`).join()})`).run(row);
  }

  #index({ seq, userId, title, url, plainText, content, metadata }: Row): void {
    const insert = this.#sql("INSERT INTO floor_index (rowid, owner, title, url, content, metadata) VALUES (?, ?, ?, ?, ?, ?)");
    insert.run(seq, ownerOf(String(userId)), title, url, plainText ?? content, metadata);
  }
}

/** An id as one word of the index. */
function ownerOf(user: string): string {
  return user.replaceAll(/[^A-Za-z0-9]/g, "");
}

function withTimestamp({ capturedAt, ...rest }: Row): Row {
  return { ...rest, timestamp: new Date(Number(capturedAt)).toISOString() };
}

/** The same bytes as the service answers, in the order of the contract. */
function currentOf(row: Row): object {
  const { contextId, userId, type, url, title, content, contentFormat, tabId, extensionId, capturedAt, privacyLevel, viewedAt } = row;
  // Stored only where they differ from the context's own.
  const { id, url: tabUrl = url, title: tabTitle = title, ...tab } = JSON.parse(String(row["tabMetadata"])) as Row;
  return {
    contextId,
    userId,
    type,
    url,
    title,
    content,
    contentFormat,
    tabId,
    extensionId,
    timestamp: new Date(Number(capturedAt)).toISOString(),
    privacyLevel,
    tabMetadata: { id, url: tabUrl, title: tabTitle, ...tab },
    metadata: JSON.parse(String(row["metadata"])) as unknown,
    viewedAt: new Date(Number(viewedAt)).toISOString(),
  };
}
