import { fileURLToPath } from "node:url";
import { readPackagePages } from "@periscope/harness/pages";
import { randomOf } from "../measure/random.ts";
import { markdownToHtml, pageOf } from "./html-page.ts";
import { type Sprinkle, sprinkles } from "./identifiers.ts";

/** A document of the bench, and what was put into it. */
export interface FilterDocument {
  format: DocumentFormat;
  content: string;
  /** Length in UTF-8, which is what MB/s counts. */
  bytes: number;
  planted: Sprinkle[];
}

/** How a document is written. */
export type DocumentFormat = "text" | "markdown" | "html";
export const documentFormats: readonly DocumentFormat[] = ["text", "markdown", "html"];

const packageStore = fileURLToPath(new URL("../../../../node_modules/.pnpm", import.meta.url));
const seed = 20_261_121;
/** Markdown between two sentences with an identifier: about as many as a page with comments or an account's page has. Characters. */
const everyChars = 3_000;

/**
 * A document of about `length` characters: documentation that the installed packages ship, page after page, with a sentence
 * that holds an identifier about every 3,000 characters. The same installation gives the same document.
 */
export function filterDocument(format: DocumentFormat, length: number): FilterDocument {
  const pages = readPackagePages(3_000, packageStore).filter((page) => page.format === "markdown");
  const random = randomOf(seed);
  const sentences = sprinkles(random);
  const planted: Sprinkle[] = [];
  let content = "";
  let sinceLast = 0;
  while (content.length < length) {
    const page = pages[Math.floor(random() * pages.length)];
    if (page === undefined) throw new Error("No documentation is installed. Run `pnpm install`.");
    const paragraphs: string[] = [];
    for (const paragraph of paragraphsOf(page.content)) {
      paragraphs.push(paragraph);
      sinceLast += paragraph.length;
      if (sinceLast < everyChars) continue;
      sinceLast = 0;
      const next = sentences.next().value;
      planted.push(next);
      paragraphs.push(next.sentence);
    }
    content += written(format, { title: page.title, url: page.url, markdown: `${paragraphs.join("\n\n")}\n\n` });
  }
  const whole = content.toWellFormed();
  return { format, content: whole, bytes: Buffer.byteLength(whole), planted };
}

/** Paragraphs, with a block of code whole. */
function paragraphsOf(markdown: string): string[] {
  return markdown.split(/\n{2,}(?=\S)(?![^`]{0,4000}\n```\n)/).filter((paragraph) => paragraph.trim() !== "");
}

function written(format: DocumentFormat, { title, url, markdown }: { title: string; url: string; markdown: string }): string {
  if (format === "markdown") return markdown;
  return format === "html" ? pageOf({ title, url, body: markdownToHtml(markdown) }) : plainText(markdown);
}

/** Markdown without its marks, as a page's text reads. */
function plainText(markdown: string): string {
  return markdown
    .replaceAll(/^ {0,3}(?:#{1,6} |```.*$|> )/gm, "")
    .replaceAll(/!?\[([^\][\n]{0,300})\]\([^()\s]{0,1000}\)/g, "$1")
    .replaceAll(/<\/?[a-z][^<>\n]{0,500}>/gi, "")
    .replaceAll(/[*`]{1,3}/g, "");
}
