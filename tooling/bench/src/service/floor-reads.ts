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
  viewedAt: number;
}

type SummaryRow = Pick<ContextRow, "contextId" | "type" | "url" | "title" | "capturedAt" | "privacyLevel">;

interface FoundRow extends SummaryRow {
  text: string;
}

interface RankedRow {
  rowid: number;
  rank: number;
}

const historyLimit = 50;
const searchLimit = 20;
const snippetChars = 240;
/** What a match in title, URL, content and metadata counts. */
const weights = "4, 1, 1, 1";
const summary = "contextId, type, url, title, capturedAt, privacyLevel";

/** The reads of one user as prepared statements, and the answers as plain objects. */
export class FloorReads {
  readonly #userId: string;
  readonly #current: Database.Statement<[string], ContextRow>;
  readonly #history: Database.Statement<[string], SummaryRow>;
  readonly #count: Database.Statement<[string], number>;
  readonly #ranked: Database.Statement<[string], RankedRow>;
  readonly #matches: Database.Statement<[string], number>;
  readonly #found: Database.Statement<[number], FoundRow>;

  constructor(file: string, userId: string) {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    this.#userId = userId;
    this.#current = db.prepare(
      `SELECT userId, tabId, extensionId, contentFormat, tabMetadata, metadata, content, viewedAt, ${summary}
       FROM contexts WHERE userId = ? AND viewedAt IS NOT NULL ORDER BY viewedAt DESC, seq DESC LIMIT 1`,
    );
    this.#history = db.prepare(
      `SELECT ${summary} FROM contexts WHERE userId = ? ORDER BY capturedAt DESC, contextId LIMIT ${historyLimit}`,
    );
    this.#count = db.prepare<[string], number>("SELECT count(*) FROM contexts WHERE userId = ?").pluck();
    this.#ranked = db.prepare(
      `SELECT rowid, rank FROM floor_index WHERE floor_index MATCH ? AND rank MATCH 'bm25(${weights})' ORDER BY rank LIMIT ${searchLimit}`,
    );
    this.#matches = db.prepare<[string], number>("SELECT count(*) FROM floor_index WHERE floor_index MATCH ?").pluck();
    this.#found = db.prepare(`SELECT ${summary}, coalesce(plainText, content) AS text FROM contexts WHERE seq = ?`);
  }

  current(): object | undefined {
    const row = this.#current.get(this.#userId);
    if (row === undefined) return undefined;
    const { contextId, userId, type, url, title, content, contentFormat, tabId, extensionId, capturedAt, privacyLevel } = row;
    const timestamp = new Date(capturedAt).toISOString();
    // The server answers fields in the order of the contract, whatever the order in which they were stored.
    // Stored only where they differ from the context's own.
    const { id, url: tabUrl = row.url, title: tabTitle = row.title, ...tab } = JSON.parse(row.tabMetadata) as Record<string, unknown>;
    const tabMetadata = { id, url: tabUrl, title: tabTitle, ...tab };
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
      viewedAt: new Date(row.viewedAt).toISOString(),
    };
  }

  history(): object {
    const contexts = this.#history.all(this.#userId).map(withTimestamp);
    return { contexts, total: this.#count.get(this.#userId), limit: historyLimit, offset: 0 };
  }

  /** The best 20 of one word by FTS5's own ranking, the text around it, and the count. */
  search(word: string): object {
    const match = `"${word}"`;
    const results = this.#ranked.all(match).map(({ rowid, rank }) => {
      const found = this.#found.get(rowid);
      if (found === undefined) return {};
      const { text, ...row } = found;
      return { ...withTimestamp(row), snippet: around(text, word), relevance: rank / (rank - 1) };
    });
    return { results, total: this.#matches.get(match), query: word, limit: searchLimit, offset: 0 };
  }
}

function around(text: string, word: string): string {
  const start = Math.max(0, text.indexOf(word) - snippetChars / 2);
  return text.slice(start, start + snippetChars);
}

function withTimestamp<T extends { capturedAt: number }>({ capturedAt, ...rest }: T) {
  return { ...rest, timestamp: new Date(capturedAt).toISOString() };
}
