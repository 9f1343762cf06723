import Database from "better-sqlite3";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { searchDocument } from "../../search/search-document.js";
import type { SearchStore } from "../../search/search.store.js";
import { fromRow, type RawRow } from "../context-row.js";
import { indexPending } from "./index-pending.js";
import { migrateSqlite } from "./migrate.js";
import { SearchIndex } from "./search-index.js";
import { createSqliteSearch, type SqliteSearchOptions } from "./search.js";

/** What a test says of a context; the rest has defaults. */
export interface ContextRow {
  userId: string;
  contextId: string;
  type: string;
  capturedAt: number;
  privacyLevel: string;
  url: string;
  title: string;
  content: string;
  plainText: string | null;
  tabMetadata: object;
  metadata: object;
}

/** A database in a directory of its own with the shipped migrations, a writing connection, and the search over it. */
export interface SearchFixture extends AsyncDisposable {
  file: string;
  db: Database.Database;
  store: SearchStore;
  /** Adds contexts, each a second newer than the one before, with their places in the index. */
  add(...rows: Array<Partial<ContextRow>>): void;
  /** Indexes what other SQL has written. */
  index(): Promise<void>;
}

/** The user that a fixture's contexts belong to unless they say otherwise. */
export const user = "usr_a";
const firstCapture = Date.UTC(2026, 0, 1);

export function openSearchFixture(options: Partial<SqliteSearchOptions> = {}): SearchFixture {
  const folder = mkdtempSync(join(tmpdir(), "periscope-search-"));
  const file = join(folder, "periscope.db");
  migrateSqlite(file);
  const db = new Database(file);
  db.pragma("synchronous = FULL");
  const store = createSqliteSearch({ file, timeoutMs: 20_000, ...options });
  const insert = db.prepare(`INSERT INTO contexts
    (userId, contextId, type, tabId, extensionId, capturedAt, privacyLevel, writtenAt, contentFormat, url, title, tabMetadata, metadata, plainText, content)
    VALUES (@userId, @contextId, @type, 't', 'e', @capturedAt, @privacyLevel, 0, 'text', @url, @title, @tabMetadata, @metadata, @plainText, @content)`);
  const written = db.prepare<[number | bigint], RawRow>("SELECT * FROM contexts WHERE seq = ?");
  const index = new SearchIndex(db);
  let added = 0;

  return {
    file,
    db,
    store,
    add: db.transaction((...rows: Array<Partial<ContextRow>>) => {
      for (const row of rows) {
        added++;
        const id = row.contextId ?? `c${added}`;
        const { tabMetadata = {}, metadata = {}, ...given } = row;
        const { lastInsertRowid } = insert.run({
          userId: user,
          contextId: id,
          type: "page",
          capturedAt: firstCapture + added * 1000,
          privacyLevel: "private",
          url: `https://site.test/${id}`,
          title: "",
          content: "",
          plainText: null,
          ...given,
          tabMetadata: JSON.stringify(tabMetadata),
          metadata: JSON.stringify(metadata),
        });
        const raw = written.get(lastInsertRowid);
        if (!raw) throw new Error("a context was not written");
        const context = fromRow(raw);
        index.add(context.userId, [{ ...context, seq: Number(lastInsertRowid), search: searchDocument(context) }]);
      }
    }),
    async index() {
      while (await indexPending({ reader: db, writer: db, transact: async (work) => db.transaction(work).immediate() }));
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
