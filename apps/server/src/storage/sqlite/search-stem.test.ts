import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { stemOf } from "../../search/stem.js";

// Snippets find a match again by its stem, so stem and index must mean the same words. (FTS5 stems bytes: words that keep letters
// outside ASCII after folding, such as "Straße", may end differently, which only keeps an inflected form out of a snippet's middle.)
test("the stem of a word is its term in the index", () => {
  const roots = "abstract happ trad rel hopp fall connect oper agre sens critic digit resolv é über naïv ñand iv y sk 42nd x".split(" ");
  const endings =
    "s ed ing eed ational ization iveness fulness ousness ies y ement ion ible izer logi ll e able ance ful ness ence ism".split(" ");
  const words = [
    ...roots.flatMap((root) => ["", ...endings].map((ending) => root + ending)),
    "İstanbul",
    "ΑΛΦΑ",
    "Привет",
    "機械",
    "a",
    `${"long".repeat(20)}ing`,
  ];
  using db = Object.assign(new Database(":memory:"), { [Symbol.dispose]: () => void db.close() });
  db.exec("CREATE VIRTUAL TABLE words USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 2')");
  db.exec("CREATE VIRTUAL TABLE terms USING fts5vocab(words, instance)");
  const insert = db.prepare("INSERT INTO words (rowid, word) VALUES (?, ?)");
  for (const [index, word] of words.entries()) insert.run(index, word);
  const terms = db.prepare<[], [string, number]>("SELECT term, doc FROM terms ORDER BY doc").raw().all();
  expect(terms.map(([term]) => term)).toEqual(words.map(stemOf));
});
