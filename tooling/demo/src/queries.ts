import type { Page } from "./pages/page.ts";

/** What one would ask of the documentation that this repository's packages ship. */
export const packageQueries: readonly string[] = [
  "remote cache in continuous integration",
  '"json schema" validation errors',
  "parse command line options",
];

const queryCount = 3;
/** A word of no more titles than this is telling, however few pages there are. */
const fewTitles = 3;
const common = new Set(["with", "from", "this", "that", "your", "into", "using", "index", "page", "html", "documentation", "version"]);

/**
 * Three queries that a folder of pages can answer: one or two words of a title that few other titles have,
 * of titles from the start, the middle and the end of the folder. Fewer where the titles have too few words.
 */
export function queriesFor(pages: readonly Page[]): string[] {
  const titles = pages.map(({ title }) => wordsOf(title));
  const counts = new Map<string, number>();
  for (const words of titles) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const queries = new Set<string>();
  for (let part = 0; part < queryCount; part += 1) {
    const from = Math.floor((titles.length * (2 * part + 1)) / (2 * queryCount));
    const rotated = [...titles.slice(from), ...titles.slice(0, from)];
    const found = rotated.map((words) => distinctive(words, counts, titles.length)).filter((text) => text !== "" && !queries.has(text));
    const query = found.find((text) => text.includes(" ")) ?? found[0];
    if (query !== undefined) queries.add(query);
  }
  return [...queries];
}

/** The two rarest words of a title, in its order; "" when none says something. */
function distinctive(words: readonly string[], counts: ReadonlyMap<string, number>, total: number): string {
  const telling = words.filter((word) => (counts.get(word) ?? 0) <= Math.max(fewTitles, total / 10));
  const rarest = telling.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0)).slice(0, 2);
  return words.filter((word) => rarest.includes(word)).join(" ");
}

function wordsOf(title: string): string[] {
  const words = title.toLowerCase().match(/(?<![\p{L}\p{N}_.])\p{L}{4,20}(?![\p{L}\p{N}_.])/gu) ?? [];
  return [...new Set(words)].filter((word) => !common.has(word));
}
