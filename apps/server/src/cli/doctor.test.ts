import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { TestCommand, withCommand as test } from "../../test/test-command.js";
import { readConfig } from "../config/config.js";
import { checkClock } from "../system/findings.js";
import { claimDataDirectory } from "./data-directory.js";
import { policyName } from "./privacy.js";

const freePort = ["--port", "0"];
const address = "http://127.0.0.1:4000/api/v1";

async function listen(answer: string) {
  const server = createHttpServer((_req, res) => res.end(answer)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(server, { port: String((server.address() as AddressInfo).port) });
}

test("creates nothing on a fresh machine, and reports database, users and keys", async ({ command }) => {
  const fresh = await command.run("doctor", ...freePort);
  expect(fresh).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^ok {6}[^]*\nNo problems found\.\n$/) });
  expect([fresh.out.includes("problem "), existsSync(command.dataDir)]).toEqual([false, false]);
  for (let keys = 0; keys < 2; keys++) await command.run("keys", "create", "--user", "ada", "--scopes", "read");
  const { code, out } = await command.run("doctor", ...freePort);
  expect(code).toBe(0);
  const database = `database: ${join(command.dataDir, "periscope.db")} is intact`;
  for (const fact of [database, "migrations: up to date", "access: 1 user, 2 valid keys"]) expect(out).toContain(`ok       ${fact}\n`);
  expect(readdirSync(command.dataDir).filter((name) => name.includes("doctor"))).toEqual([]);
});

test("reports wrong and unknown settings", async () => {
  using command = new TestCommand({ LOG_LEVEL: "loud", PERISCOPE_DATADIR: "/data" });
  const { code, out, err } = await command.run("doctor");
  expect({ code, err }).toEqual({ code: 1, err: "2 problems found.\n" });
  expect(out).toContain("problem  settings: PERISCOPE_DATADIR: unknown setting, ignored. Did you mean PERISCOPE_DATA_DIR?\n");
  expect(out).not.toContain("settings: all values are allowed");
  expect(out).toMatch(/^problem {2}settings: LOG_LEVEL: got "loud"; allowed: /m);
});

test.for<[what: string, breakIt: (command: TestCommand) => unknown, problem: RegExp]>([
  [
    "a file that is not a database",
    ({ dataDir }) => {
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, "periscope.db"), "not a database, but longer than the header of one".repeat(3));
    },
    /^problem {2}database: .* cannot be read\n {9}.*not a database/m,
  ],
  [
    "a damaged database",
    async (command) => {
      await command.run("users", "create");
      const file = join(command.dataDir, "periscope.db");
      // Every page after the first two, which hold the beginning of the schema.
      writeFileSync(file, readFileSync(file).fill(0xa5, 8192));
    },
    /^problem {2}database: .*(damaged|cannot be read)/m,
  ],
  [
    "a data directory that is a file",
    ({ dataDir }) => writeFileSync(dataDir, ""),
    /^problem {2}data directory: .* is a file\n {9}.*--data-dir/m,
  ],
  [
    "a folder of the database that cannot be made",
    ({ dataDir, env }) => {
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, "file"), "");
      env["DATABASE_URL"] = `file:${join(dataDir, "file", "periscope.db")}`;
    },
    /^problem {2}folder of the database: .*file is a file\n {9}.*--database-url/m,
  ],
  [
    "a database that is read-only",
    async (command) => {
      await command.run("keys", "create", "--user", "ada", "--scopes", "read");
      chmodSync(join(command.dataDir, "periscope.db"), 0o400);
    },
    /^problem {2}database: \S+ (?:is read-only|cannot be written)\n {9}/m,
  ],
  [
    "that no valid key is left, and how to create one",
    async (command) => {
      const { id } = await command.json("keys", "create", "--user", "ada", "--scopes", "read");
      await command.run("keys", "revoke", id);
    },
    /^problem {2}access: 1 user, 0 valid keys\n {9}.*periscope keys create/m,
  ],
])("reports %s", async ([, breakIt, problem], { command }) => {
  await breakIt(command);
  expect(await command.run("doctor", ...freePort)).toEqual({ code: 1, out: expect.stringMatching(problem), err: "1 problem found.\n" });
});

test("reports a port that another program uses", async ({ command }) => {
  await using other = await listen("hello");
  expect(await command.run("doctor", "--port", other.port)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^problem {2}port: 127\.0\.0\.1:\d+ cannot be listened on\n {9}.*another port/m),
  });
});

test("ignores the data directory's server with PostgreSQL", async () => {
  // There is no such database, which is reported, too.
  using command = new TestCommand({ DATABASE_URL: "postgres://periscope@127.0.0.1:1/periscope" });
  using _claim = claimDataDirectory(command.dataDir);
  await using other = await listen(JSON.stringify({ info: { title: "Periscope" } }));
  const { code, out } = await command.run("doctor", "--port", other.port);
  expect(code).toBe(1);
  expect(out).not.toContain("running on this data directory");
  expect(out).toContain("is used by a Periscope server with this database or another; a second one needs another port");
});

test("names the running server, and reports another policy or a missing database", async ({ command }) => {
  await command.run("keys", "create", "--user", "ada", "--scopes", "read");
  using claim = claimDataDirectory(command.dataDir);
  claim.announce({ address, policy: policyName(readConfig({}).privacyPolicy) });
  const { code, out } = await command.run("doctor");
  expect(code).toBe(0);
  expect(out).toContain(`ok       server: running on this data directory (process ${process.pid}, ${address})\n`);
  claim.announce({ address, policy: policyName(readConfig({ PRIVACY_MINIMUM_LEVEL: "filtered" }).privacyPolicy) });
  const other = await command.run("doctor");
  expect(other.code).toBe(1);
  expect(other.out).toMatch(/^problem {2}privacy: minimum level public, but the running server uses another policy\n {9}Restart/m);
  rmSync(join(command.dataDir, "periscope.db"));
  expect((await command.run("doctor")).out).toMatch(/^problem {2}database: \S+ is gone, and the server that uses it still runs\n {9}Move/m);
});

test.each([
  ["accepts a right clock", Date.UTC(2026, 5, 1), Date.UTC(2026, 4, 1), true],
  ["accepts a clock on a fresh machine", Date.UTC(2026, 5, 1), null, true],
  ["accepts a clock that is a little behind", Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 1) + 299_000, true],
  ["reports a clock that is behind the database", Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 2), false],
  ["reports a clock that was never set", 0, null, false],
])("%s", (...[, now, latest, ok]) => {
  expect(checkClock(now, latest).isOk).toBe(ok);
});
