import { headingsOf } from "./markdown.ts";

/** Documents up to this long stay one page. Characters. */
const wholeCharsMax = 6_000;
/** A shorter section stays with the one before it. Characters. */
const sectionCharsMin = 400;

/** Part of a long document that has an address of its own. */
export interface Section {
  /** Heading of the part; undefined for the start of the document. */
  heading: string | undefined;
  /** Fragment of the heading as GitHub forms it; undefined for the start. */
  anchor: string | undefined;
  content: string;
}

/**
 * Cuts a long Markdown document at its first- and second-level headings, as documentation sites publish it; a short one is one section.
 * No line is lost or doubled.
 */
export function sectionsOf(markdown: string): Section[] {
  if (markdown.length <= wholeCharsMax) return [{ heading: undefined, anchor: undefined, content: markdown }];
  const lines = markdown.split("\n");
  const anchors = new Map<string, number>();
  const sections: Section[] = [];
  let current: Section = { heading: undefined, anchor: undefined, content: "" };
  let from = 0;
  const append = (to: number) => {
    current.content += lines
      .slice(from, to)
      .map((line) => `${line}\n`)
      .join("");
    from = to;
  };
  for (const { level, text, line } of headingsOf(lines)) {
    const anchor = anchorOf(text, anchors);
    if (level > 2) continue;
    append(line);
    if (current.content.length < sectionCharsMin) continue;
    sections.push(current);
    current = { heading: text, anchor, content: "" };
  }
  append(lines.length);
  return [...sections, current];
}

function anchorOf(heading: string, taken: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
  const times = taken.get(slug) ?? 0;
  taken.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}
