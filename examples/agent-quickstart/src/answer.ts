import type { Periscope } from "@periscope/client";

/** How much of a page an answer quotes, so that it fits a model's window. */
const quoteCharsMax = 600;
const othersMax = 3;

/** Answers "what was that page about …" from the user's contexts: the best page with the start of its text, and the next best ones. */
export async function answer(periscope: Periscope, words: string): Promise<string> {
  const [best, ...others] = await periscope.search(words).toArray({ limit: 1 + othersMax });
  if (best === undefined) {
    const current = await periscope.current({ maxChars: 1 });
    const hint = current === null ? "Nothing has been captured yet." : `The page viewed last is "${current.title}", ${current.url}`;
    return `No page about ${words} was found. ${hint}`;
  }
  const { title, url, timestamp, content, nextContentCursor } = await periscope.get(best.contextId, { maxChars: quoteCharsMax });
  const lines = [
    `It was "${title}", ${url}, seen ${timestamp.slice(0, 10)}.`,
    "",
    `…${best.snippet.trim()}…`,
    "",
    `It begins: ${content.trim()}${nextContentCursor === undefined ? "" : "…"}`,
  ];
  if (others.length > 0) lines.push("", "Other pages:", ...others.map((hit) => `- "${hit.title}", ${hit.url}`));
  return lines.join("\n");
}
