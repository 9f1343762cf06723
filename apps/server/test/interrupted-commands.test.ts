import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { fillDays } from "./day-contexts.js";
import { TestCommand } from "./test-command.js";
import { testEngine } from "./test-database.js";
import { withOwnServer as it } from "./test-server.js";

it("says after Ctrl-C how to go on, and goes on, in each long command", async ({ server, client }) => {
  await fillDays(client, 1_200);
  using command = new TestCommand({ RETENTION_MAX_DAYS: "30" });
  const [file, backups] = [join(command.dataDir, "copy.ndjson"), join(command.dataDir, "backups")];
  const database = ["--data-dir", server.config.dataDir, "--database-url", server.config.databaseUrl];
  const run = (...words: string[]) => command.run(...words, ...database);
  /** Presses Ctrl-C as soon as the command listens, and runs it again. */
  const interrupt = async (...words: string[]) => {
    const listeners = process.listenerCount("SIGINT");
    const running = run(...words);
    while (process.listenerCount("SIGINT") === listeners) await new Promise(setImmediate);
    process.listeners("SIGINT").at(-1)?.("SIGINT");
    expect(await running).toMatchObject({ code: 130, err: expect.stringMatching(/^Stopped.* [Rr]un the same command/m) });
    return async () => {
      const again = await run(...words);
      expect([again.code, again.err]).toEqual([0, expect.not.stringContaining("Stopped")]);
      return again.out;
    };
  };

  mkdirSync(command.dataDir);
  await run("backup", backups);
  const exportAgain = await interrupt("export", "--user", client.userId, file);
  expect(readdirSync(command.dataDir)).toEqual(testEngine() === "sqlite" ? ["backups"] : []);
  await exportAgain();
  if (testEngine() === "sqlite") {
    const backUpAgain = await interrupt("backup", backups);
    expect(readdirSync(backups)).toHaveLength(1);
    await backUpAgain();
  }
  await (
    await interrupt("privacy", "apply")
  )();
  const importAgain = await interrupt("import", file, "--user", "other");
  expect(await importAgain()).toMatch(/contexts created +1,200\n/);
  expect(await (await interrupt("retention", "apply", "--user", client.userId))()).toBe("Deleted 1,200 contexts.\n");
  const eraseAgain = await interrupt("users", "erase", "other", "--yes");
  const left = await server.rows('SELECT "contextId" FROM contexts');
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(1_200);
  expect(JSON.parse(await eraseAgain())).toMatchObject({ counts: { contexts: left.length }, verified: { found: 0 } });
  expect(existsSync(`${file}.part`)).toBe(false);
});
