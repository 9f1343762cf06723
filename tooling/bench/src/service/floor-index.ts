import Database from "better-sqlite3";

/**
 * Gives the floor's copy of the database a full-text index of its own in place of the server's: FTS5 as it comes, kept by a trigger. It
 * is what a search with as little code as possible has to do, when contexts are written as well as when they are found.
 */
export function createFloorIndex(file: string): void {
  const db = new Database(file);
  try {
    db.exec(`
      DROP TRIGGER search_delete; DROP TRIGGER search_user_delete;
      DROP TABLE search_index; DROP TABLE search_terms; DROP TABLE search_owners;
      CREATE VIRTUAL TABLE floor_index USING fts5(title, url, content, metadata, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
      CREATE TRIGGER floor_insert AFTER INSERT ON contexts BEGIN
        INSERT INTO floor_index (rowid, title, url, content, metadata)
          VALUES (new.seq, new.title, new.url, coalesce(new.plainText, new.content), new.metadata);
      END;
      INSERT INTO floor_index (rowid, title, url, content, metadata)
        SELECT seq, title, url, coalesce(plainText, content), metadata FROM contexts;`);
  } finally {
    db.close();
  }
}
