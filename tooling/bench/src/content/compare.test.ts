import { expect, test } from "vitest";
import { plainOf, scoreOf } from "./compare.ts";

const expected = { text: "The keeper lights the lamp 灯台", code: ["const a = 1;\n  b();"], rows: [["Fastnet", "5 s"]] };

test("words count as often as they are there, fences with all of their code, rows that stand on one line", () => {
  const markdown = "The keeper lights a lamp 灯\n\n```ts\nconst a = 1;\n  b();\n```\n\n| [Fastnet](https://a.example/b_c) | 5 s |";
  expect(scoreOf(expected, { text: plainOf(markdown), markdown })).toEqual({ recall: 5 / 7, precision: 5 / 13, fenced: 1, rows: 1 });
  const text = "Fastnet\n5 s\nconst a = 1;";
  expect(scoreOf(expected, { text })).toEqual({ recall: 0, precision: 0, fenced: 0, rows: 0 });
});

test("of markdown the words are compared, not its signs and addresses", () => {
  expect(plainOf("## A **lamp** ![no](https://a.example/no.png) [of [1]](https://a.example/no) snake\\_case")).toBe(
    "## A lamp   of [1] snake_case",
  );
});
