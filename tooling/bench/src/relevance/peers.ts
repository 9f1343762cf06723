import Database from "better-sqlite3";
import MiniSearch from "minisearch";
import { depth } from "./ndcg.ts";
import type { TestSet } from "./test-set.ts";

/** Something that finds documents. */
export interface Peer {
  name: string;
  /** Ids of the ten best documents. */
  find(query: string): Promise<string[]> | string[];
}

/** FTS5 with Porter's stems: any of the words, by bm25, the title counting four times as much. */
export function fts5({ docs }: TestSet): Peer {
  const db = new Database(":memory:");
  db.exec("CREATE VIRTUAL TABLE docs USING fts5(title, text, tokenize = 'porter unicode61 remove_diacritics 2')");
  const insert = db.prepare("INSERT INTO docs (rowid, title, text) VALUES (?, ?, ?)");
  for (const [index, { title, text }] of docs.entries()) insert.run(index, title, text);
  const ranked = db.prepare<[string], number>(`SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY bm25(docs, 4, 1) LIMIT ${depth}`).pluck();
  return {
    name: "FTS5 bm25",
    find(query) {
      const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return [];
      return ranked.all(words.map((word) => `"${word}"`).join(" OR ")).map((index) => docs[index]?.id ?? "");
    },
  };
}

/** MiniSearch as it comes, the title counting four times as much. */
export function miniSearch({ docs }: TestSet): Peer {
  const index = new MiniSearch({ fields: ["title", "text"] });
  index.addAll(docs);
  return {
    name: "MiniSearch",
    find: (query) =>
      index
        .search(query, { boost: { title: 4 } })
        .slice(0, depth)
        .map(({ id }) => String(id)),
  };
}
