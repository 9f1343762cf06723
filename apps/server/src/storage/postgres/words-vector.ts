import type { StoredContext } from "../../contexts/context.store.js";
import { stemOf } from "../../search/stem.js";
import { wordsOf } from "../../search/words.js";

/** PostgreSQL's bounds: bytes of a whole vector (1 MiB), of a word, and places it tells apart. */
const vectorBytesMax = 900_000;
const wordBytesMax = 2_000;
const placesMax = 16_383;
const placesPerWordMax = 255;
/** Places between one field and the next, so that no phrase reaches across. */
const gap = 16;

/** What is searched of a context, as text of a `tsvector`: words as they are compared, with their places and the field that they stand in. */
export function wordsVector({ title, url, content, plainText, metadata, tabMetadata }: StoredContext): string {
  const fields: ReadonlyArray<readonly [string, string]> = [
    ["A", title],
    ["B", url],
    ["D", [...valuesOf(metadata), ...tabValuesOf(tabMetadata, [title, url])].join("\n")],
    ["C", plainText ?? content],
  ];
  const places = new Map<string, string[]>();
  let bytes = 0;
  let place = 0;
  for (const [weight, text] of fields) {
    for (const word of wordsOf(text)) {
      if (place < placesMax) place++;
      const stem = stemmed(word);
      let known = places.get(stem);
      if (!known) {
        const size = Buffer.byteLength(stem);
        if (size > wordBytesMax) continue;
        if ((bytes += size + 8) > vectorBytesMax) break;
        places.set(stem, (known = []));
      }
      if (known.length >= placesPerWordMax || place === placesMax) continue;
      known.push(`${place}${weight}`);
      bytes += 2;
    }
    place = Math.min(placesMax, place + gap);
  }
  // Words are letters and digits: there is no quote or backslash to escape.
  let vector = "";
  for (const [word, at] of places) vector += at.length === 0 ? `'${word}' ` : `'${word}':${at.join()} `;
  return vector;
}

/** The stems of words seen lately: most words of a page are those of other pages, and stemming takes most of the time. */
const stems = new Map<string, string>();
const stemsMax = 20_000;
const remembered = /^.{1,24}$/su;

function stemmed(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stem = stemOf(word);
    if (stems.size >= stemsMax) stems.clear();
    if (remembered.test(word)) stems.set(word, stem);
  }
  return stem;
}

/** Texts and numbers in a JSON value, at any depth; keys say nothing of what a page is about. */
function valuesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(valuesOf) : [];
}

/** A tab's own title and URL mostly repeat the context's, and the time of its last update is no text. */
function tabValuesOf(tabMetadata: Record<string, unknown>, repeated: readonly string[]): string[] {
  const { lastUpdated: _time, ...rest } = tabMetadata;
  return valuesOf(rest).filter((text) => !repeated.includes(text));
}
