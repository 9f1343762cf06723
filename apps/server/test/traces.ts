import { languages } from "../src/search/analysis/languages.js";
import { scan, withoutJoiners } from "../src/search/analysis/scan.js";
import { wordTermsIn } from "../src/search/analysis/term-stream.js";
import type { RawFile } from "./stored-bytes.js";

/** What is looked for in bytes, and whose it is. */
export interface Needle {
  owner: string;
  spelling: string;
  bytes: string;
}

/** A value as it was sent and in every other spelling that a server could give it. */
export function spellingsOf(owner: string, value: string): Needle[] {
  const encoded = encodeURIComponent(value);
  const json = JSON.stringify(value).slice(1, -1);
  const texts: Array<[string, string]> = [
    ["as sent", value],
    ["percent-encoded", encoded],
    ["form-encoded", encoded.replaceAll("%20", "+")],
    ["JSON-escaped", json],
    ["JSON-escaped twice", JSON.stringify(json).slice(1, -1)],
    ["HTML-escaped", value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")],
    ["lower-cased", value.toLowerCase()],
    ["hex", Buffer.from(value).toString("hex")],
    ...base64Of(value).map((text): [string, string] => ["base64", text]),
    ...indexedEnds(value).map((end): [string, string] => ["as the index stores it", end]),
  ];
  return texts.map(([spelling, text]) => ({ owner, spelling, bytes: Buffer.from(text, "utf8").toString("latin1") }));
}

/** Base64 of the value at each of the three places that it can have in a longer text, without the characters that its neighbours change. */
function base64Of(value: string): string[] {
  const inner = ["", "x", "xx"].map((before) =>
    Buffer.from(before + value)
      .toString("base64")
      .slice(before === "" ? 0 : 4, -4),
  );
  return inner.filter((text) => text.length >= 8).flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]);
}

/**
 * How a text's long words end in the index, whatever the language of what they stand in. It stores a word folded and stemmed, and without
 * what it has in common with the word before.
 */
export function indexedEnds(text: string): string[] {
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
  return [...found].filter((word) => word.length >= 12).map((word) => word.slice(-9));
}

/** Every needle that stands in one of the files, as `owner, spelling, file`. */
export function tracesIn(files: readonly RawFile[], needles: readonly Needle[]): string[] {
  const found = files.flatMap(({ file, bytes }) =>
    needles.filter((needle) => bytes.includes(needle.bytes)).map(({ owner, spelling }) => `${owner}, ${spelling}, ${file}`),
  );
  return [...new Set(found)];
}
