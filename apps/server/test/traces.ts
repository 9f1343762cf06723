import Database from "better-sqlite3";
import { languages } from "../src/search/analysis/languages.js";
import { scan, withoutJoiners } from "../src/search/analysis/scan.js";
import { wordTermsIn } from "../src/search/analysis/term-stream.js";
import { createSearcher } from "../src/storage/sqlite/search.js";
import type { RawFile } from "./stored-bytes.js";

/** Spelled like this a value may stand in a file. */
export interface Spelling {
  name: string;
  bytes: string;
}

const utf8 = (text: string): string => Buffer.from(text, "utf8").toString("latin1");

/** A value as it was sent and in every other spelling that a server could give it. */
export function spellingsOf(value: string): Spelling[] {
  const encoded = encodeURIComponent(value);
  const texts: Array<[string, string]> = [
    ["as sent", value],
    ["percent-encoded", encoded],
    ["form-encoded", encoded.replaceAll("%20", "+")],
    ["JSON-escaped", JSON.stringify(value).slice(1, -1)],
    ["JSON-escaped twice", JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1)],
    ["HTML-escaped", value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")],
    ["lower-cased", value.toLowerCase()],
    ["hex", Buffer.from(value).toString("hex")],
    ["HEX", Buffer.from(value).toString("hex").toUpperCase()],
    ...base64Of(value),
    ...indexedEnds(value).map((end): [string, string] => ["as the index stores it", end]),
  ];
  const byBytes = new Map(texts.toReversed().map(([name, text]) => [utf8(text), name]));
  return [...byBytes].map(([bytes, name]) => ({ name, bytes }));
}

/** Base64 of the value at each of the three places that it can have in a longer text, without the characters that its neighbours change. */
function base64Of(value: string): Array<[string, string]> {
  return ["", "x", "xx"].flatMap((before): Array<[string, string]> => {
    const whole = Buffer.from(before + value).toString("base64");
    const inner = whole.slice(before === "" ? 0 : 4, whole.length - 4);
    if (inner.length < 8) return [];
    return [
      ["base64", inner],
      ["base64url", inner.replaceAll("+", "-").replaceAll("/", "_")],
    ];
  });
}

/** How a text's long words end in the index. It stores a word folded and stemmed, and without what it has in common with the word before. */
export function indexedEnds(value: string): string[] {
  return indexedWords(value)
    .filter((word) => word.length >= 12)
    .map((word) => word.slice(-9));
}

/** The words of a text as the index of the service has them, whatever the language of what they stand in. */
function indexedWords(text: string): string[] {
  const found = new Set<string>();
  for (const language of languages) {
    const termsOf = wordTermsIn(language);
    const add = (word: string) => {
      const { term, accented = term } = termsOf(word);
      found.add(term).add(accented);
    };
    scan(text, {
      word: (start, end) => add(text.slice(start, end)),
      joined: (start, end) => add(withoutJoiners(text.slice(start, end))),
      gram: () => {},
    });
  }
  return [...found];
}

/** What is looked for in bytes, and whose it is. */
export interface Needle extends Spelling {
  owner: string;
}

/** Bytes by which all needles are looked for at once; a shorter needle would be found by chance. */
const keyLength = 8;

/** Every needle that stands in one of the files, as `owner, spelling, file`. One pass over the bytes, however many the needles. */
export function tracesIn(files: readonly RawFile[], needles: readonly Needle[]): string[] {
  const byKey = Map.groupBy(needles, ({ bytes }) => bytes.slice(0, keyLength));
  const [first, second] = [new Uint8Array(65_536), new Uint8Array(65_536)];
  for (const key of byKey.keys()) {
    if (key.length < keyLength) throw new Error("a needle is too short to tell anything");
    first[pairAt(key, 0)] = 1;
    second[pairAt(key, 2)] = 1;
  }
  const found = new Set<string>();
  for (const { file, bytes } of files)
    for (let at = 0; at + keyLength <= bytes.length; at++) {
      if (first[pairAt(bytes, at)] === 0 || second[pairAt(bytes, at + 2)] === 0) continue;
      for (const needle of byKey.get(bytes.slice(at, at + keyLength)) ?? [])
        if (bytes.startsWith(needle.bytes, at)) found.add(`${needle.owner}, ${needle.name}, ${file}`);
    }
  return [...found];
}

function pairAt(bytes: string, at: number): number {
  return (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1);
}

/** Every column of every table with all that is in it, the full-text index's blobs too: the file is named `table.column`. */
export function columnsOf(databaseFile: string): RawFile[] {
  using opened = openReadOnly(databaseFile);
  const { db } = opened;
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").pluck().all();
  return tables.flatMap((table) => {
    const names = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
    return names.map((name) => {
      const values = db.prepare<[], Buffer | null>(`SELECT CAST("${name}" AS BLOB) FROM "${table}"`).pluck().all();
      return { file: `${table}.${name}`, bytes: values.map((value) => value?.toString("latin1") ?? "").join("\n") };
    });
  });
}

/** Those of the texts that a search finds as a phrase among what any user has. */
export async function indexedPhrases(databaseFile: string, texts: readonly string[]): Promise<string[]> {
  using opened = openReadOnly(databaseFile);
  const { db } = opened;
  const search = createSearcher(db);
  const users = db.prepare<[], string>("SELECT userId FROM search_owners").pluck().all();
  const found = new Set<string>();
  for (const text of texts)
    for (const userId of users) {
      const request = { query: `"${text.replaceAll('"', " ")}"`, limit: 1, offset: 0 };
      const { total, correctedQuery } = await search({ userId, maxPrivacyLevel: "restricted" }, request);
      if (total > 0 && correctedQuery === undefined) found.add(text);
    }
  return [...found];
}

function openReadOnly(file: string) {
  const db = new Database(file, { readonly: true });
  return { db, [Symbol.dispose]: () => void db.close() };
}
