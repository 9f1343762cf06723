import { chownSync, lstatSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { idsOf } from "../../test/day-contexts.js";
import { createMessage } from "../../test/messages.js";
import { Installation } from "../../test/server-process.js";
import { TestCommand, withCommand as test } from "../../test/test-command.js";
import { withOwnServer as it } from "../../test/test-server.js";

it("backs up a database while it is written, verified, and restores it", async ({ server, client }) => {
  using command = new TestCommand();
  const directory = join(command.dataDir, "backups");
  const from = ["--data-dir", server.config.dataDir];
  for (let index = 0; index < 20; index++) await client.sync(createMessage({ context: { content: "page ".repeat(20_000) } }));
  let isDone = false;
  const backup = command.run("backup", directory, ...from).finally(() => (isDone = true));
  let written = 20;
  while (!isDone) if ((await client.sync(createMessage())).status === 201) written++;
  expect(written).toBeGreaterThan(20);
  const { code, out, err } = await backup;
  expect([code, err]).toEqual([0, expect.stringContaining("Backed up and verified: 1 users, 1 valid keys.")]);
  const file = out.trim();
  expect(readdirSync(directory).map((name) => join(directory, name))).toEqual([file]);

  // The server has its database locked, and without --force nothing is replaced.
  expect(await command.run("restore", file, ...from)).toMatchObject({ code: 2, err: expect.stringContaining("--force") });
  const damaged = join(directory, "damaged.db");
  writeFileSync(damaged, readFileSync(file).fill(0xa5, 8192));
  expect(await command.run("restore", damaged)).toMatchObject({
    code: 1,
    err: expect.stringContaining("is damaged, or is no backup. Nothing was changed."),
  });
  expect(await command.run("restore", join(directory, "none.db"))).toMatchObject({ code: 2 });
  expect(await command.run("restore", file)).toMatchObject({ code: 0, out: expect.stringContaining("1 users, 1 valid keys") });
  await server.close();
  expect(await command.run("restore", file, "--force", ...from)).toMatchObject({ code: 0 });
  await server.restart();
  const restored = (await client.get("/context/history?limit=1")).body.total;
  expect(restored).toBeGreaterThanOrEqual(20);
  expect(restored).toBeLessThanOrEqual(written);
  expect(await idsOf(client)).toHaveLength(Math.min(200, restored));
});

test("refuses to restore what Periscope did not write, and keeps the database", async ({ command }) => {
  await command.run("users", "create", "viewer");
  const file = join(command.dataDir, "other.db");
  writeFileSync(file, "");
  const refused = { code: 1, err: expect.stringContaining(`${file} is damaged, or is no backup. Nothing was changed.`) };
  expect(await command.run("restore", file, "--force")).toMatchObject(refused);
  const other = new Database(file);
  other.exec("CREATE TABLE bookmarks (url TEXT)");
  other.close();
  expect(await command.run("restore", file, "--force")).toMatchObject(refused);
  expect((await command.run("users", "list")).out).toContain("viewer");
});

test("restores what a link points to, for the user who owns it", async ({ command }) => {
  await command.run("users", "create", "viewer");
  const { out } = await command.run("backup", join(command.dataDir, "backups"));
  const file = join(command.dataDir, "periscope.db");
  const moved = join(command.dataDir, "moved.db");
  renameSync(file, moved);
  symlinkSync(moved, file);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(moved, 4321, 4321);
  expect(await command.run("restore", out.trim(), "--force")).toMatchObject({ code: 0 });
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  const owners = [moved, `${moved}.lock`].map((name) => statSync(name).uid);
  expect(owners).toEqual(isRoot ? [4321, 4321] : [process.getuid?.(), process.getuid?.()]);
  expect((await command.run("users", "list")).out).toContain("viewer");
});

test("leaves nothing behind after Ctrl-C, and backs up and restores when run again", async () => {
  await using installation = await Installation.create();
  expect((await installation.run("users", "create", "viewer")).code).toBe(0);
  const backups = join(installation.dataDir, "backups");
  const stopped = { code: 130, err: expect.stringMatching(/^Stopped\. .* run the same command to start again\.$/m) };
  expect(await installation.interrupt("backup", backups)).toMatchObject(stopped);
  expect(readdirSync(backups)).toEqual([]);
  const { out } = await installation.run("backup", backups);
  const before = readdirSync(installation.dataDir);
  const restoring = ["restore", out.trim(), "--database-url", `file:${join(installation.dataDir, "restored.db")}`];
  expect(await installation.interrupt(...restoring)).toMatchObject(stopped);
  expect(readdirSync(installation.dataDir).filter((name) => !before.includes(name))).toEqual(["restored.db.lock"]);
  expect(await installation.run(...restoring)).toMatchObject({ code: 0, out: expect.stringContaining(": 1 users") });
});

test("draws a bar on a terminal while it migrates, backs up and restores", async () => {
  using command = new TestCommand();
  command.isErrTerminal = true;
  const bar = (unit: string) => ({ code: 0, err: expect.stringMatching(new RegExp(`\\[[#-]{30}\\] +\\d+%  [\\d,]+ of [\\d,]+ ${unit}`)) });
  expect(await command.run("migrate")).toMatchObject(bar("migrations"));
  const backup = await command.run("backup", join(command.dataDir, "backups"));
  expect(backup).toMatchObject(bar("pages"));
  expect(await command.run("restore", backup.out.trim(), "--force")).toMatchObject(bar("bytes"));
});

it("names PostgreSQL's own tools", async () => {
  using command = new TestCommand({ DATABASE_URL: "postgres://someone:secret@127.0.0.1:1/periscope" });
  const backup = await command.run("backup", "/backups");
  expect(backup).toMatchObject({ code: 1, err: expect.stringContaining("pg_dump --format=custom --file=/backups/periscope-") });
  expect(await command.run("restore", "a.dump")).toMatchObject({ code: 1, err: expect.stringContaining("pg_restore --clean") });
  expect(backup.err).not.toContain("secret");
});
