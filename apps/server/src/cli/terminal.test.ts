import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandName, shellWord } from "./terminal.js";

test.each([
  [{}, "periscope"],
  [{ npm_lifecycle_event: "start" }, "npx pnpm@12 periscope"],
  [{ npm_lifecycle_event: "npx" }, "npx @periscope/server"],
])("started with %j, the command is typed %s", (env, name) => {
  expect(commandName(env)).toBe(name);
});

test.each(["plain-word_1.2:3/4", "two words", "it's", '$HOME `id` \\ "', "?*[a]", "", "a\nb", "~"])("%j survives a POSIX shell", (word) => {
  expect(execFileSync("sh", ["-c", `printf %s ${shellWord(word)}`], { encoding: "utf8" })).toBe(word);
});
