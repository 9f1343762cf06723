import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { commandName, progressLine, shellWord } from "./terminal.js";

function progress(isErrTerminal: boolean, steps: ReadonlyArray<readonly [number, number]>): string {
  let err = "";
  {
    using line = progressLine({ env: {}, out: () => {}, err: (text) => void (err += text), isErrTerminal }, "contexts");
    for (const [done, total] of steps) line.show(done, total);
  }
  return err;
}

test("draws progress on one line of a terminal, and clears it at the end", () => {
  expect(progress(true, [[1_200, 2_400]])).toBe(
    "\r[###############---------------]  50%  1,200 of 2,400 contexts, 0 per second\u001B[K\r\u001B[K",
  );
  expect(progress(true, [[0, 0]])).toContain("[##############################] 100%  0 of 0 contexts");
});

test.each([
  [{}, "periscope"],
  [{ npm_lifecycle_event: "start" }, "npx pnpm@12 periscope"],
  [{ npm_lifecycle_event: "npx" }, "npx @periscope/server"],
])("names the command of the environment %j", (env, name) => {
  expect(commandName(env)).toBe(name);
});

test.each(["plain-word_1.2:3/4", "two words", "it's", '$HOME `id` \\ "', "?*[a]", "", "a\nb", "~"])(
  "quotes %j for a POSIX shell",
  (word) => {
    expect(execFileSync("sh", ["-c", `printf %s ${shellWord(word)}`], { encoding: "utf8" })).toBe(word);
  },
);
