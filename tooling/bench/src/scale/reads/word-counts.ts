import type { BenchDocument } from "../../service/documents.ts";

/** Words that engines leave out, or might. */
const dull = new Set(
  "about after all also and any are because been before being between both but can could did does doing down each even every few for from further had has have having here how into its itself just like make many may more most must need not now off once only other ought our out over own same should some such than that the their them then there these they this those through too under until use used uses using very was were what when where which while who whom why will with would you your".split(
    " ",
  ),
);

/** What stands in some of a user's documents. */
export interface WordCounts {
  documents: number;
  /** Documents by word of 4 to 12 small letters, in alphabetical order. */
  holders: ReadonlyMap<string, number>;
  /** Two words that follow one another somewhere, several a document. */
  pairs: readonly string[];
  urls: readonly string[];
}

const word = /(?<![\p{L}\p{N}_])[a-z]{4,12}(?![\p{L}\p{N}_])/gu;
const pair = /(?<![\p{L}\p{N}_])([a-z]{4,12}) ([a-z]{4,12})(?![\p{L}\p{N}_])/gu;
const pairsPerDocument = 4;

export function countWords(documents: Iterable<BenchDocument>): WordCounts {
  const holders = new Map<string, number>();
  const pairs = new Set<string>();
  const urls: string[] = [];
  for (const { content, url } of documents) {
    for (const found of new Set(content.toLowerCase().match(word))) holders.set(found, (holders.get(found) ?? 0) + 1);
    const told = [...content.matchAll(pair)].filter(([, first = "", second = ""]) => !isDull(first) && !isDull(second));
    const step = Math.max(1, Math.floor(told.length / pairsPerDocument));
    for (let at = 0; at < told.length; at += step) pairs.add(told[at]?.[0] ?? "");
    urls.push(url);
  }
  const sorted = [...holders].filter(([found]) => !isDull(found)).sort(([a], [b]) => (a < b ? -1 : 1));
  return { documents: urls.length, holders: new Map(sorted), pairs: [...pairs], urls };
}

function isDull(found: string): boolean {
  return dull.has(found);
}
