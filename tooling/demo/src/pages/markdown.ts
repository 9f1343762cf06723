import { cleanTitle } from "./page.ts";

const fence = /^ {0,3}(```|~~~)/;
const heading = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/;
const underline = /^ {0,3}(=+|-+)\s*$/;

/** A heading of a Markdown document: its level, its text without markup, and the line it starts on. */
export interface Heading {
  level: number;
  text: string;
  line: number;
}

/** Headings outside code blocks, in order: `# one` and the underlined kind. */
export function headingsOf(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  let open: string | undefined;
  for (const [line, text] of lines.entries()) {
    const mark = fence.exec(text)?.[1];
    if (mark !== undefined && (open === undefined || open === mark)) {
      open = open === undefined ? mark : undefined;
      continue;
    }
    if (open !== undefined) continue;
    const atx = heading.exec(text);
    if (atx !== null) {
      found.push({ level: atx[1]?.length ?? 1, text: plainText(atx[2] ?? ""), line });
      continue;
    }
    const rule = underline.exec(text)?.[1];
    const above = lines[line - 1] ?? "";
    if (rule !== undefined && rule.length > 2 && /^[^\s#>|-]/.test(above) && (lines[line - 2] ?? "").trim() === "") {
      found.push({ level: rule.startsWith("=") ? 1 : 2, text: plainText(above), line: line - 1 });
    }
  }
  // A heading that is only a logo has no text.
  return found.filter(({ text }) => text !== "");
}

/** Text of the first heading of the first level: a lower one names a part of the document, and a version one of its releases. */
export function markdownTitle(markdown: string): string | undefined {
  const title = headingsOf(markdown.split(/\r?\n/)).find(({ level }) => level === 1)?.text;
  return title === undefined || /^\W*v?\d+\.\d/.test(title) ? undefined : title;
}

const frontMatter = /^---\r?\n([^]{0,8000}?)\r?\n---\r?\n/;

/** The `title` that a document's front matter gives. */
export function frontMatterTitle(text: string): string | undefined {
  const title = /^title:\s*(.+)$/m.exec(frontMatter.exec(text)?.[1] ?? "")?.[1];
  return title === undefined ? undefined : plainText(title.replaceAll(/^["']|["']\s*$/g, ""));
}

/** The document without the settings before it. */
export function withoutFrontMatter(text: string): string {
  return text.replace(frontMatter, "");
}

/** One line of Markdown as its reader sees it: images gone, links and code as their text, tags dropped. */
function plainText(markup: string): string {
  return cleanTitle(
    markup
      .replaceAll(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, "")
      .replaceAll(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?/g, "$1")
      .replaceAll(/<\/?[a-z][^<>]*>/gi, "")
      .replaceAll(/\*\*|__|`/g, "")
      .replaceAll(/\\([\W_])/g, "$1"),
  );
}
