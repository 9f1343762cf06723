import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TestCommand } from "../../test/test-command.js";
import { readConfig } from "../config/config.js";
import { claimDataDirectory } from "./data-directory.js";
import { checkClock, checkNode } from "./doctor-checks.js";
import { policyName } from "./policy-name.js";

const freePort = ["--port", "0"];

async function listen(handler: RequestListener) {
  const server = createHttpServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: String((server.address() as AddressInfo).port),
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("a fresh machine is well, and nothing is made", async () => {
  using command = new TestCommand();
  const { code, out, err } = await command.run("doctor", ...freePort);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^ok {6}/);
  expect(out).not.toContain("problem");
  expect(out).toMatch(/\nEverything is well\.\n$/);
  expect(existsSync(command.dataDir)).toBe(false);
});

test("of an installation in use, it tells database, users and keys", async () => {
  using command = new TestCommand();
  await command.run("keys", "create", "--user", "ada", "--scopes", "read");
  await command.run("keys", "create", "--user", "ada", "--scopes", "read");
  const { code, out } = await command.run("doctor", ...freePort);
  expect(code).toBe(0);
  expect(out).toContain(`ok       database: ${join(command.dataDir, "periscope.db")} is sound\n`);
  expect(out).toContain("ok       migrations: up to date\n");
  expect(out).toContain("ok       access: 1 user, 2 valid keys\n");
  expect(readdirSync(command.dataDir).filter((name) => name.includes("doctor"))).toEqual([]);
});

test("users without a valid key are a problem, with the command that helps", async () => {
  using command = new TestCommand();
  const { id } = await command.json("keys", "create", "--user", "ada", "--scopes", "read");
  await command.run("keys", "revoke", id);
  const { code, out, err } = await command.run("doctor", ...freePort);
  expect({ code, err }).toEqual({ code: 1, err: "1 problem found.\n" });
  expect(out).toMatch(/^problem {2}access: 1 user, 0 valid keys\n {9}.*periscope keys create/m);
});

test("a wrong setting is a problem", async () => {
  using command = new TestCommand({ LOG_LEVEL: "loud" });
  const { code, out } = await command.run("doctor");
  expect(code).toBe(1);
  expect(out).toMatch(/^problem {2}settings: LOG_LEVEL: got "loud"; allowed: /m);
});

test("a database that is none is a problem", async () => {
  using command = new TestCommand();
  mkdirSync(command.dataDir);
  writeFileSync(join(command.dataDir, "periscope.db"), "not a database, but longer than a header of one hundred bytes would be".repeat(3));
  const { code, out } = await command.run("doctor", ...freePort);
  expect(code).toBe(1);
  expect(out).toMatch(/^problem {2}database: .* cannot be read\n {9}.*not a database/m);
});

test("a damaged database is a problem", async () => {
  using command = new TestCommand();
  await command.run("users", "create");
  const file = join(command.dataDir, "periscope.db");
  const bytes = readFileSync(file);
  // Every page after the first two, which hold the schema's beginning.
  writeFileSync(file, bytes.fill(0xa5, 8192));
  const { code, out } = await command.run("doctor", ...freePort);
  expect(code).toBe(1);
  expect(out).toMatch(/^problem {2}database: .*(damaged|cannot be read)/m);
});

test("a data directory that is a file is a problem", async () => {
  using command = new TestCommand();
  writeFileSync(command.dataDir, "");
  const { code, out } = await command.run("doctor", ...freePort);
  expect(code).toBe(1);
  expect(out).toMatch(/^problem {2}data directory: .* is a file\n {9}.*--data-dir/m);
});

test("a port that is taken by another program is a problem", async () => {
  using command = new TestCommand();
  using other = await listen((_req, res) => res.end("hello"));
  const { code, out } = await command.run("doctor", "--port", other.port);
  expect(code).toBe(1);
  expect(out).toMatch(/^problem {2}port: 127\.0\.0\.1:\d+ cannot be listened on\n {9}.*another port/m);
});

test("a port that a Periscope serves is none", async () => {
  using command = new TestCommand();
  using other = await listen((_req, res) => res.end(JSON.stringify({ info: { title: "Periscope" } })));
  const { code, out } = await command.run("doctor", "--port", other.port);
  expect(code).toBe(0);
  expect(out).toContain(`127.0.0.1:${other.port} is served by a Periscope with another data directory`);
});

test("with PostgreSQL the port is looked at, whoever runs on the data directory", async () => {
  // The database is gone, which is told beside it.
  using command = new TestCommand({ DATABASE_URL: "postgres://periscope@127.0.0.1:1/periscope" });
  using _claim = claimDataDirectory(command.dataDir);
  using other = await listen((_req, res) => res.end(JSON.stringify({ info: { title: "Periscope" } })));
  const { code, out } = await command.run("doctor", "--port", other.port);
  expect(code).toBe(1);
  expect(out).not.toContain("running on this data directory");
  expect(out).toContain(
    `127.0.0.1:${other.port} is served by a Periscope with another database, or on this one; a second one needs another port`,
  );
});

test("a server on this data directory is named", async () => {
  using command = new TestCommand();
  using claim = claimDataDirectory(command.dataDir);
  claim.announce({ address: "http://127.0.0.1:4000/api/v1", policy: policyName(readConfig({}).privacyPolicy) });
  const { code, out } = await command.run("doctor");
  expect(code).toBe(0);
  expect(out).toContain(`ok       server: running on this data directory (process ${process.pid}, http://127.0.0.1:4000/api/v1)\n`);
});

test("a server that filters by another policy than the settings is a problem", async () => {
  using command = new TestCommand();
  using claim = claimDataDirectory(command.dataDir);
  claim.announce({
    address: "http://127.0.0.1:4000/api/v1",
    policy: policyName(readConfig({ PRIVACY_MINIMUM_LEVEL: "filtered" }).privacyPolicy),
  });
  const { code, out } = await command.run("doctor");
  expect(code).toBe(1);
  expect(out).toMatch(
    /^problem {2}privacy: minimum level public, and the server that is running filters by another policy\n {9}Restart it/m,
  );
});

test.each([
  ["22.12.0", true],
  ["24.0.0", true],
  ["100.1.0", true],
  ["22.11.9", false],
  ["20.20.2", false],
])("Node.js %s: %s", (version, ok) => {
  expect(checkNode(version).ok).toBe(ok);
});

test.each([
  ["in order", Date.UTC(2026, 5, 1), Date.UTC(2026, 4, 1), true],
  ["on a fresh machine", Date.UTC(2026, 5, 1), null, true],
  ["a little behind", Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 1) + 299_000, true],
  ["behind what is on record", Date.UTC(2026, 5, 1), Date.UTC(2026, 5, 2), false],
  ["never set", 0, null, false],
])("a clock %s", (...[, now, latest, ok]) => {
  expect(checkClock(now, latest).ok).toBe(ok);
});
