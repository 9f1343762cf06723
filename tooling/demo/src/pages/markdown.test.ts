import { expect, test } from "vitest";
import { frontMatterTitle, headingsOf, markdownTitle, withoutFrontMatter } from "./markdown.ts";
import { sectionsOf } from "./sections.ts";

test("headings in code blocks, under logos and of releases are no titles", () => {
  expect(markdownTitle("```sh\n# a comment\n```\n\n# ![logo](x)\n\n# **Real** `title`\n")).toBe("Real title");
  expect(markdownTitle("Underlined\n==========\n")).toBe("Underlined");
  expect(markdownTitle("# 1.2.0 / 2020-01-01\n\n# 1.1.0\n")).toBeUndefined();
  expect(headingsOf(["- item", "---", "text", "---"])).toEqual([]);
});

test("front matter gives the title and is no content", () => {
  const text = '---\ntitle: "Remote caching"\ntype: guide\n---\nBody\n';
  expect(frontMatterTitle(text)).toBe("Remote caching");
  expect(withoutFrontMatter(text)).toBe("Body\n");
});

test("sections keep every line once, and number repeated anchors as GitHub does", () => {
  const filler = "All lines are kept, none twice.\n".repeat(60);
  const text = `# Log\n\n${filler}## Fixes!\n\n${filler}### Small\n\n${filler}## Fixes!\n\n${filler}## Tiny\n\nx\n## Last\n\n${filler}`;
  const sections = sectionsOf(text);
  expect(sections.map(({ anchor }) => anchor)).toEqual([undefined, "fixes", "fixes-1", "tiny"]);
  expect(sections.map(({ content }) => content).join("")).toBe(`${text}\n`);
  expect(sectionsOf("# Short\n## Two\n")).toHaveLength(1);
});
