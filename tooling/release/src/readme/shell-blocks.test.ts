import { expect, test } from "vitest";
import { shellBlocks } from "./shell-blocks.ts";

const fenced = (language: string, ...lines: string[]) => ["```" + language, ...lines, "```"].join("\n");

test("takes the commands of sh blocks in order, with the line they stand on", () => {
  const markdown = ["# Title", "", fenced("sh", "one", "two --flag"), "text", fenced("sh", "three")].join("\n");
  expect(shellBlocks(markdown)).toEqual([
    { line: 4, commands: ["one", "two --flag"] },
    { line: 9, commands: ["three"] },
  ]);
});

test("leaves other fences alone, also when they show an sh fence", () => {
  const shown = ["````md", fenced("sh", "never"), "````"].join("\n");
  expect(shellBlocks([fenced("text", "never"), fenced("", "never"), fenced("ts", "never()"), shown].join("\n"))).toEqual([]);
});

test("keeps a command together that goes over lines, and drops comments and blank lines", () => {
  expect(shellBlocks(fenced("sh", "# why", "", "curl -sS url \\", "  -d '{", '  "a": "it\\"s"', "}'", "next"))).toEqual([
    { line: 2, commands: ['curl -sS url \\\n  -d \'{\n  "a": "it\\"s"\n}\'', "next"] },
  ]);
});

test("a quote sign inside other quotes, or behind a backslash, opens nothing", () => {
  const commands = [`echo "it's"`, `echo 'say "x'`, `echo \\'`, `echo '\\'`];
  expect(shellBlocks(fenced("sh", ...commands))).toEqual([{ line: 2, commands }]);
});

test.each([
  ["a block that is never closed", "```sh\none\n", "line 2 is never closed"],
  ["a command that is never finished", fenced("sh", "one \\"), "line 2 ends inside a command"],
  ["a quote that is never closed", fenced("sh", "echo 'one", "two"), "line 2 ends inside a command"],
  ["a here-document", fenced("sh", "cat <<EOF", "x", "EOF"), "line 2 uses a here-document"],
])("refuses %s", (_, markdown, message) => {
  expect(() => shellBlocks(markdown)).toThrow(message);
});
