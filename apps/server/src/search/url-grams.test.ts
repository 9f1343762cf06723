import { expect, it } from "vitest";
import { hashOf } from "./analysis/term-hash.js";
import { gramsOfPattern, urlGrams } from "./url-grams.js";

const gramsIn = (piece: string) => new Set(urlGrams(piece));

it("of every piece of a pattern something is looked up, and of all of them little", () => {
  const pieces = ["https://", "/posts/", "/unique-slug"];
  const grams = gramsOfPattern(pieces.join("*"));
  for (const piece of pieces) expect(grams.filter((gram) => gramsIn(piece).has(gram)).length).toBeGreaterThanOrEqual(3);
  expect(grams.length).toBeLessThanOrEqual(12);
});

it("one piece is looked up from its beginning to its end", () => {
  const piece = "github.com/periscope";
  const grams = gramsOfPattern(piece.toUpperCase());
  expect(grams).toHaveLength(6);
  expect(grams).toEqual(expect.arrayContaining([hashOf("git"), hashOf("ope")]));
});

it("of very many pieces the longest are looked up, and of those shorter than three characters nothing", () => {
  const pieces = Array.from({ length: 30 }, (_, index) => `p${index}x`);
  const grams = gramsOfPattern(["a-longer-piece", "xy", ...pieces].join("*"));
  expect(grams).toHaveLength(12);
  expect(grams.some((gram) => gramsIn("a-longer-piece").has(gram))).toBe(true);
  expect(gramsOfPattern("ab*c*")).toEqual([]);
});

it.each(["example.com/a/b", "https://*.google.com/*/annual-report-2025"])("what matches %s has what is looked up", (pattern) => {
  const url = `HTTPS://www.Google.com/x/annual-report-2025${pattern.includes("*") ? "" : "#Example.com/a/b"}`;
  expect(gramsIn(url)).toEqual(new Set([...gramsIn(url), ...gramsOfPattern(pattern)]));
});
