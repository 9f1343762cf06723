import { expectLinear } from "@periscope/vitest/growth";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { excerptTextOf, type TextSource } from "./plain-text.js";
import { planQuery } from "./query-plan.js";
import type { WantedGroup } from "./best-span.js";
import { snippetMaker } from "./snippet.js";
import { wordsOf } from "./analysis/term-stream.js";

const wantedBy = (weight: number, ...terms: string[]): WantedGroup[] =>
  terms.flatMap((text) => {
    const { groups } = planQuery({ all: [[{ text, words: wordsOf(text), isPhrase: true }]], none: [] }, ["en"]);
    return groups.map((group) => ({ group, weight }));
  });
const wanted = (...terms: string[]) => wantedBy(1, ...terms);
function snippetOf(text: string, groups: readonly WantedGroup[], charsMax: number): string {
  return snippetOfSource({ type: "page", contentFormat: "text", content: text, plainText: null }, groups, charsMax);
}
function snippetOfSource(source: TextSource, groups: readonly WantedGroup[], charsMax: number): string {
  const steps = snippetMaker(groups, charsMax)(source, "en");
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
const max = 240;
const filler = (from: number, count: number) => Array.from({ length: count }, (_, index) => `w${from + index}`).join(" ");
const length = (text: string) => Array.from(text).length;

test("shows a short text whole, and the match in a long one with text on both sides", () => {
  expect(snippetOf("  one\n\ttwo   three ", wanted("two"), max)).toBe("one two three");
  const snippet = snippetOf(`${filler(0, 500)} axolotl ${filler(500, 500)}`, wanted("axolotl"), max);
  expect(snippet).toMatch(/^w\d+ .*w499 axolotl w500 .* w\d+$/);
  expect(length(snippet)).toBeGreaterThan(220);
  expect(length(snippet)).toBeLessThanOrEqual(max);
});

test("the place that shows most of the words wins, and the rarer ones", () => {
  const text = `alpha ${filler(0, 200)} beta ${filler(200, 200)} alpha and beta ${filler(400, 200)} gamma`;
  expect(snippetOf(text, wanted("alpha", "beta", "gamma"), max)).toContain("alpha and beta");
  const weighted = [...wanted("alpha", "beta"), ...wantedBy(5, "gamma")];
  expect(snippetOf(text, weighted, max)).toContain("gamma");
});

test.each([
  ["runs", "RUNNING"],
  ["ete", "Été"],
  ["茶叶", "茶叶"],
  ["green tea", "Green (Teas)"],
])("finds %s as %s: endings, case and accents do not matter, and a phrase is one", (word, shown) => {
  const places = ["green hills, black tea", "RUNNING", "Été", "茶叶", "Green (Teas)", ""];
  const text = places.map((place, index) => `${place} ${filler(index * 300, 300)}`).join(" ");
  expect(snippetOf(text, wanted(word), max)).toContain(shown);
});

test("the start is shown when nothing is found, and when no words were searched", () => {
  const text = filler(0, 500);
  for (const nothing of [wanted("axolotl"), wanted("w1 w3"), []]) expect(text.startsWith(`${snippetOf(text, nothing, max)} `)).toBe(true);
});

test("a word longer than a snippet is left out, and cut only when it is all there is", () => {
  const long = "x".repeat(1000);
  expect(snippetOf(`before ${long} after`, wanted("before"), max)).toBe("before");
  expect(snippetOf(`before ${long} after`, wanted("after"), max)).toBe("after");
  expect(snippetOf(`before ${long}`, wanted(long), max)).toBe("before");
  expect(snippetOf(long, wanted(long), max)).toBe("x".repeat(max));
  const pairs = "𝒳".repeat(1000);
  expect(snippetOf(pairs, wanted(pairs), max)).toBe("𝒳".repeat(max));
});

test.each([
  ["in prose", `${filler(0, 2000)}\n\nAn **axolotl** of [the lake](https://lake.example/) swims.\n\n${filler(2000, 2000)}`],
  ["in a block of code", `\`\`\`\n${filler(0, 900)}\n${filler(900, 900)}\n# axolotl *of* the lake\n\`\`\`\n${filler(2000, 2000)}`],
  ["after a block of code", `~~~\n${filler(0, 900)}\n~~~\n${filler(900, 900)}\n# axolotl *of* the lake\n${filler(2000, 2000)}`],
  ["in an address before its place", `[one](https://axolotl.example/)\n${filler(0, 2000)}\nAn axolotl swims.\n${filler(2000, 2000)}`],
  ["nowhere but in an address", `${filler(0, 2000)}\n[one](https://axolotl.example/)\n${filler(2000, 2000)}`],
  ["nowhere", `# About\n\n${filler(0, 4000)}`],
])("a long page of Markdown has the snippet of its plain text, with the word %s", (_where, content) => {
  const source: TextSource = { type: "page", contentFormat: "markdown", content, plainText: null };
  const snippet = snippetOfSource(source, wanted("axolotl"), max);
  expect(snippet).toBe(snippetOf(excerptTextOf(source), wanted("axolotl"), max));
});

test("text without spaces is cut between its words", () => {
  const snippet = snippetOf(`${"今天天气很好".repeat(200)} 机器学习 ${"我们喜欢喝茶。".repeat(200)}`, wanted("机器学习"), max);
  expect(snippet).toContain("机器学习");
  expect(length(snippet)).toBeGreaterThan(200);
  const url = `https://example.com/${"path/".repeat(200)}axolotl/${"path/".repeat(200)}`;
  expect(snippetOf(url, wanted("axolotl"), max)).toMatch(/^(?:\/|path)+axolotl(?:\/|path)+$/);
});

test("properties: bounded, whole words of the text in their order, no half pairs", () => {
  const word = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("tea", "Été", "green", "🍕", "𝒳𝒴", "e\u0301a", "don't", "x-y", "👨‍👩‍👧") },
    { weight: 3, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }) },
    { weight: 1, arbitrary: fc.nat(230).map((count) => "long".repeat(Math.ceil(count / 4) || 1)) },
  );
  const gap = fc.constantFrom(" ", "\n", " \t ", "\u00a0");
  const text = fc.array(fc.tuple(word, gap), { maxLength: 150 }).map((all) => all.flat().join(""));
  const query = fc.array(fc.constantFrom("tea", "ete", "green", "xy", "x y", "nothing"), { maxLength: 4 });
  fc.assert(
    fc.property(text, query, (content, words) => {
      const snippet = snippetOf(content, wanted(...words), max);
      expect(length(snippet)).toBeLessThanOrEqual(max);
      expect(snippet).toBe(snippet.trim());
      const spaced = (value: string) => ` ${value.split(/\s+/).filter(Boolean).join(" ")} `;
      expect(spaced(content)).toContain(spaced(snippet).replace(/^ {2}$/, " "));
      expect(snippet === "").toBe(content.trim() === "");
    }),
    { numRuns: 300 },
  );
});

test.each(["tea green ", "茶"])("a text full of %j takes linear time", (unit) => {
  const run = (size: number) => snippetOf(unit.repeat(size / unit.length), wanted("tea", "black", "green tea"), max);
  expectLinear(run, 200_000);
  expect(length(run(200_000))).toBeLessThanOrEqual(max);
});
