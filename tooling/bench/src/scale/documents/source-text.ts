import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { readPackagePages } from "@periscope/harness/pages";

/** A real page, cut into what new pages are put together from. */
export interface SourcePage {
  url: string;
  title: string;
  paragraphs: readonly string[];
}

/** The real text behind all documents of the benchmark. */
export interface SourceText {
  pages: readonly SourcePage[];
  /** Every sentence of running text of every page. */
  sentences: readonly string[];
  /** Different words of 6 to 12 small letters. */
  words: readonly string[];
  /** Tells one installation's text from another's. */
  digest: string;
}

const packageStore = fileURLToPath(new URL("../../../../../node_modules/.pnpm", import.meta.url));
const sentenceChars = { min: 30, max: 300 };

/** Documentation that the installed packages ship. @throws Error when there is none */
export function readSourceText(): SourceText {
  const pages = readPackagePages(3_000, packageStore)
    .filter(({ format }) => format === "markdown")
    .map(({ url, title, content }) => ({ url, title, paragraphs: paragraphsOf(content) }))
    .filter(({ paragraphs }) => paragraphs.length > 0);
  if (pages.length === 0) throw new Error(`No documentation in ${packageStore}. Run \`pnpm install\` first.`);
  const sentences = pages.flatMap(({ paragraphs }) => paragraphs.filter(isRunningText).flatMap(sentencesOf));
  const words = new Set(sentences.flatMap((sentence) => sentence.match(/(?<![\p{L}\p{N}_])[a-z]{6,12}(?![\p{L}\p{N}_])/gu) ?? []));
  const hash = createHash("sha256");
  for (const { url, title, paragraphs } of pages) hash.update(JSON.stringify([url, title, paragraphs]));
  return { pages, sentences, words: [...words].sort(), digest: hash.digest("hex").slice(0, 16) };
}

function paragraphsOf(content: string): string[] {
  return content.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");
}

/** Neither code nor table nor list of links. */
function isRunningText(paragraph: string): boolean {
  return /^[\p{L}"`]/u.test(paragraph) && /[.:!?]/.test(paragraph);
}

function sentencesOf(paragraph: string): string[] {
  return paragraph
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.!?])\s/)
    .filter(({ length }) => length >= sentenceChars.min && length <= sentenceChars.max);
}
