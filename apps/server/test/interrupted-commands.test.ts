import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fillDays } from "./day-contexts.js";
import { cli, Installation } from "./server-process.js";

it("exits with 130 on Ctrl-C, and completes when run again, in each long command", async () => {
  await using installation = await Installation.create();
  const server = await installation.serve();
  const client = await installation.client(() => server, "viewer");
  await fillDays(client, 300);
  expect((await client.put("/data/retention", { rules: [{ keepDays: 30 }] })).status).toBe(200);
  await server.end("SIGTERM");
  const file = join(installation.dataDir, "copy.ndjson");
  const contextsOf = (user: string) => installation.database.rows('SELECT "contextId" FROM contexts WHERE "userId" = ?', user);
  const stop = async (...words: string[]) => {
    const { code, err } = await installation.interrupt(...words);
    expect([words.join(" "), code, err]).toEqual([words.join(" "), 130, expect.stringMatching(/^Stopped.* [Rr]un the same command/m)]);
  };
  const goOn = async (...words: string[]) => {
    const { code, out, err } = await installation.run(...words);
    expect([words.join(" "), code, err]).toEqual([words.join(" "), 0, expect.not.stringContaining("Stopped")]);
    return out;
  };

  const before = readdirSync(installation.dataDir);
  const exporting = ["export", "--user", "viewer", file];
  await stop(...exporting);
  expect(readdirSync(installation.dataDir)).toEqual(before);
  await goOn(...exporting);

  await stop("privacy", "apply");
  expect(await goOn("privacy", "apply")).toMatch(/contexts checked +300\n/);

  const importing = ["import", file, "--user", "other"];
  await stop(...importing);
  await goOn(...importing);
  expect(await contextsOf("other")).toHaveLength(300);

  const retention = ["retention", "apply", "--user", "viewer"];
  await stop(...retention);
  expect(await goOn(...retention)).toBe("Deleted 300 contexts.\n");

  const erasing = ["users", "erase", "other", "--yes"];
  await stop(...erasing);
  const left = (await contextsOf("other")).length;
  expect(left).toBeGreaterThan(0);
  expect(JSON.parse(await goOn(...erasing))).toMatchObject({ counts: { contexts: left }, verified: { found: 0 } });
});

it("ends with 130 when Ctrl-C answers a question, and has done nothing", async () => {
  await using installation = await Installation.create();
  await installation.run("users", "create", "someone");
  // Only a terminal is asked.
  const command = `${process.execPath} ${cli} users erase someone`;
  const terminal = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    env: { ...process.env, ...installation.env },
  });
  const closed = once(terminal, "close");
  let shown = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    const wasAsked = shown.includes("Type the user id");
    shown += text;
    if (!wasAsked && shown.includes("Type the user id")) terminal.stdin.write("\u0003");
  });
  expect((await closed)[0]).toBe(130);
  expect((await installation.run("users", "list")).out).toContain("someone");
});
