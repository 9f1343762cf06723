import { CommanderError } from "commander";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { ConfigError } from "../config/config.js";
import { notFound } from "../domain-error.js";
import { CommandFailed, explainFailure, Interrupted, UsageError } from "./failure.js";
import { welcomeText } from "./serve.js";
import { commandName, progressLine } from "./terminal.js";

test("draws progress on one line of a terminal, and clears it at the end", () => {
  const progress = (done: number, total: number): string => {
    let err = "";
    {
      using line = progressLine({ env: {}, out: () => {}, err: (text) => void (err += text), isErrTerminal: true }, "contexts");
      line.show(done, total);
    }
    return err;
  };
  const bar = "\r[###############---------------]  50%  1,200 of 2,400 contexts, 0 per second\u001B[K\r\u001B[K";
  expect(progress(1_200, 2_400)).toBe(bar);
  expect(progress(0, 0)).toContain("[##############################] 100%  0 of 0 contexts");
});

test.each([
  [{}, "periscope"],
  [{ npm_lifecycle_event: "start" }, "npx pnpm@12 periscope"],
  [{ npm_lifecycle_event: "npx" }, "npx @periscope/server"],
])("names the command of the environment %j", (env, name) => {
  expect(commandName(env)).toBe(name);
});

test.each([true, false])("names the portal at later starts, but where nobody uses a browser: %s", (headless) => {
  const facts = {
    baseUrl: "https://p.example/ctx/api/v1",
    headless,
    firstKey: null,
    setupToken: null,
    startedInMs: 1,
    now: 0,
    messageId: "",
  };
  const text = welcomeText({ ...facts, privacy: "minimum level filtered", policyCommand: "", command: (words) => words });
  expect(text.includes("\nPortal: https://p.example/ctx\n")).toBe(!headless);
});

test.each(["http://[::1]:3000/api/v1", "https://p.example/it's $HOME;`id`/api/v1"])("quotes the address %s for the shell", (baseUrl) => {
  const lines = welcomeText({
    baseUrl,
    headless: true,
    firstKey: { userId: "usr_ada", key: "psk_key" },
    setupToken: null,
    startedInMs: 412.3,
    now: Date.UTC(2026, 0, 31),
    messageId: "msg_1",
    privacy: "minimum level filtered",
    policyCommand: "periscope privacy policy",
    command: (words) => `periscope ${words}`,
  }).split("\n");
  const curl = lines.filter((line) => line.startsWith("curl ")).join("\n");
  const words = execFileSync("sh", ["-c", `curl() { for word; do printf '%s\\n' "$word"; done; }; ${curl}`], { encoding: "utf8" });
  expect(words).toContain(`\n${baseUrl}/context/sync\n`);
  expect(words).toContain(`\n${baseUrl}/context/search?query=lighthouse\n`);
});

test.each([
  [new CommanderError(0, "commander.helpDisplayed", "(outputHelp)"), "", 0],
  [new CommanderError(1, "commander.unknownOption", "unknown option"), "", 2],
  [new UsageError("Confirm with --yes."), "Confirm with --yes.", 2],
  [new ConfigError(["PORT: wrong", "HOST: wrong"]), "PORT: wrong\nHOST: wrong", 2],
  [notFound("There is no user ada."), "There is no user ada.", 1],
  [new CommandFailed("Restart the server."), "Restart the server.", 1],
  [new Interrupted("Stopped."), "Stopped.", 130],
  [new Error("\nInvalid `prisma.user.findMany()` invocation:\n\ncode frame"), "Invalid `prisma.user.findMany()` invocation:", 1],
  ["thrown text", "Unexpected failure: thrown text", 1],
])("explains %s", (error, message, exitCode) => {
  expect(explainFailure(error)).toEqual({ message, exitCode });
});

// What databases report, src/storage/faults.test.ts has.
test.each([
  ["EADDRINUSE", { address: "127.0.0.1", port: 3000 }, /^127\.0\.0\.1:3000 is in use.*--port 0/],
  ["EACCES", { address: "0.0.0.0", port: 80 }, /0\.0\.0\.0:80.*above 1023/],
  ["ENOENT", { path: "/none/pages.gz.part" }, /no directory \/none\. Create it/],
  ["ENOENT", { path: `${import.meta.dirname}/none.db` }, /nothing at .*\/none\.db\. Check the path/],
  ["EACCES", { path: "/root/data" }, /cannot write to \/root\/data.*--data-dir/],
  ["EADDRNOTAVAIL", { address: "10.9.9.9", port: 3000 }, /10\.9\.9\.9.*--host/],
  ["ENOTFOUND", { hostname: "nowhere.example" }, /nowhere\.example.*--host/],
  ["ENOTDIR", { path: "/data" }, /\/data is a file.*--data-dir/],
  ["SQLITE_CANTOPEN_ISDIR", {}, /cannot be opened.*DATABASE_URL/],
])("says what to do about %s of %j", (code, fields, words) => {
  const { message, exitCode } = explainFailure(Object.assign(new Error(`${code}: raw text`), { code, ...fields }));
  expect([exitCode, message]).toEqual([1, expect.stringMatching(words)]);
  expect(message).not.toContain("raw text");
});
