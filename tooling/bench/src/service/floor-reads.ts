import Database from "better-sqlite3";

interface ContextRow {
  contextId: string;
  userId: string;
  type: string;
  url: string;
  title: string;
  content: string;
  contentFormat: string;
  tabId: string;
  extensionId: string;
  capturedAt: number;
  privacyLevel: string;
  tabMetadata: string;
  metadata: string;
}

type SummaryRow = Pick<ContextRow, "contextId" | "type" | "url" | "title" | "capturedAt" | "privacyLevel">;

interface FoundRow extends SummaryRow {
  snippet: string;
  rank: number;
}

const historyLimit = 50;
const searchLimit = 20;
const summary = "contextId, type, url, title, capturedAt, privacyLevel";

/** The reads of one user as prepared statements, and the answers as plain objects. */
export class FloorReads {
  readonly #userId: string;
  readonly #current: Database.Statement<[string], ContextRow>;
  readonly #history: Database.Statement<[string], SummaryRow>;
  readonly #count: Database.Statement<[string], number>;
  readonly #search: Database.Statement<[string, string], FoundRow>;
  readonly #searchCount: Database.Statement<[string, string], number>;

  constructor(file: string, userId: string) {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    this.#userId = userId;
    this.#current = db.prepare(
      `SELECT userId, tabId, extensionId, contentFormat, tabMetadata, metadata, content, ${summary}
       FROM contexts WHERE userId = ? ORDER BY capturedAt DESC, seq DESC LIMIT 1`,
    );
    this.#history = db.prepare(
      `SELECT ${summary} FROM contexts WHERE userId = ? ORDER BY capturedAt DESC, contextId LIMIT ${historyLimit}`,
    );
    this.#count = db.prepare<[string], number>("SELECT count(*) FROM contexts WHERE userId = ?").pluck();
    const matching = "FROM contexts_fts JOIN contexts ON seq = contexts_fts.rowid WHERE contexts_fts MATCH ? AND userId = ?";
    this.#search = db.prepare(
      `SELECT contexts.contextId, type, contexts.url, contexts.title, capturedAt, privacyLevel, rank, snippet(contexts_fts, -1, '', '', '…', 40) AS snippet
       ${matching} ORDER BY rank LIMIT ${searchLimit}`,
    );
    this.#searchCount = db.prepare<[string, string], number>(`SELECT count(*) ${matching}`).pluck();
  }

  current(): object | undefined {
    const row = this.#current.get(this.#userId);
    if (row === undefined) return undefined;
    const { contextId, userId, type, url, title, content, contentFormat, tabId, extensionId, capturedAt, privacyLevel } = row;
    const timestamp = new Date(capturedAt).toISOString();
    const tabMetadata: unknown = JSON.parse(row.tabMetadata);
    const metadata: unknown = JSON.parse(row.metadata);
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
      timestamp,
      privacyLevel,
      tabMetadata,
      metadata,
    };
  }

  history(): object {
    const contexts = this.#history.all(this.#userId).map(withTimestamp);
    return { contexts, total: this.#count.get(this.#userId), limit: historyLimit, offset: 0 };
  }

  search(query: string): object {
    const match = `"${query.replaceAll('"', '""')}"`;
    const results = this.#search
      .all(match, this.#userId)
      .map(({ rank, ...row }) => ({ ...withTimestamp(row), relevance: 1 + 1 / (rank - 1) }));
    return { results, total: this.#searchCount.get(match, this.#userId), query, limit: searchLimit, offset: 0 };
  }
}

function withTimestamp<T extends { capturedAt: number }>({ capturedAt, ...rest }: T) {
  return { ...rest, timestamp: new Date(capturedAt).toISOString() };
}
