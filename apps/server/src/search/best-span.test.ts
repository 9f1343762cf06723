import { expect, test } from "vitest";
import { foldWord, isAscii } from "./analysis/fold.js";
import { wordsOf } from "./analysis/term-stream.js";
import { spanFinder } from "./best-span.js";
import { planQuery } from "./query-plan.js";

function find(query: string, text: string): string | undefined {
  const { groups } = planQuery({ all: [[{ text: query, words: wordsOf(query), isPhrase: true }]], none: [] }, ["en"]);
  const wanted = groups.map((group) => ({ group, weight: 1 }));
  const steps = spanFinder(wanted, 100)(text, "en");
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value && text.slice(value.start, value.end);
  }
}

test.each([
  ["name", "getUserName", "Name"],
  ["server", "HTTPServer", "Server"],
  ["username", "user_name", "user_name"],
  ["email", "e-mail", "e-mail"],
  ["email", "e\u2011mail", "e\u2011mail"],
  ["ete", "Été", "Été"],
  ["verkehr", "Ver\u00adkehr", "Ver\u00adkehr"],
  ["die", "dying", "dying"],
  ["dying", "dies", "dies"],
  ["skies", "sky", "sky"],
  ["c++", "in C++", "C++"],
  [".net", "on .NET", ".NET"],
  ["ete", "winter.été", "été"],
  ["server", "observers", undefined],
])("%s is found in %s where a word begins", (query, text, found) => {
  expect(find(query, `before ${text} after`)).toBe(found);
});

test("a word in ASCII is found however its characters are written", () => {
  const missed: string[] = [];
  for (let point = 0x80; point < 0x1_0000; point++) {
    const character = String.fromCharCode(point);
    if (!isAscii(foldWord(character))) continue;
    for (const written of [`${character}xolotl`, `a${character}xolotl`]) {
      const [, word, ...others] = wordsOf(`before ${written}`);
      if (word === undefined || others.length > 0) continue;
      if (find(word, `before ${written} after`) === undefined) missed.push(`${point.toString(16)} ${written}`);
    }
  }
  expect(missed).toEqual([]);
});
