import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { welcomeText } from "./serve.js";
import { commandName, progressLine } from "./terminal.js";

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

test.each(["http://[::1]:3000/api/v1", "https://p.example/it's $HOME;`id`/api/v1"])("quotes the address %s for the shell", (baseUrl) => {
  const lines = welcomeText({
    baseUrl,
    firstKey: { userId: "usr_ada", key: "psk_key" },
    startedInMs: 412.3,
    now: Date.UTC(2026, 0, 31),
    messageId: "msg_1",
    privacy: "minimum level filtered",
    command: (words) => `periscope ${words}`,
  }).split("\n");
  const curl = lines.filter((line) => line.startsWith("curl ")).join("\n");
  const words = execFileSync("sh", ["-c", `curl() { for word; do printf '%s\\n' "$word"; done; }; ${curl}`], { encoding: "utf8" });
  expect(words).toContain(`\n${baseUrl}/context/sync\n`);
  expect(words).toContain(`\n${baseUrl}/context/search?query=lighthouse\n`);
});
