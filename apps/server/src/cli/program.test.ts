import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { TestCommand, withCommand as test } from "../../test/test-command.js";

test("prints the version, and every command in the help", async ({ command }) => {
  expect(await command.run("--version")).toEqual({ code: 0, out: `${manifest.version}\n`, err: "" });
  const { out } = await command.run("--help");
  for (const name of ["serve", "migrate", "users", "keys", "privacy", "doctor"]) expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
});

const create = "keys create --user ada --scopes read,write,delete";

test.for<[line: string, complaint: string]>([
  ["frobnicate", "unknown command"],
  ["", "Usage:"],
  ["users", "Usage:"],
  ["privacy", "Usage:"],
  ["users create a/b", "1 to 128 characters"],
  ["users create a b", "too many arguments"],
  ["users erase", "missing required argument"],
  ["users erase ada", "--yes"],
  ["keys create --scopes read", "--user"],
  ["keys create --user ada", "--scopes"],
  ["keys create --user ada --scopes read,admin", "read, write, delete"],
  [`${create} --max-privacy-level secret`, "public, private, filtered, restricted"],
  [`${create} --expires 101y`, "100y"],
  ["users invite --expires 999999y", "100y"],
  ["import .", ". is a folder, not a file."],
  ["restore .", ". is a folder, not a file."],
  [`${create} --frob`, "unknown option"],
  ["serve --port x", '--port (PORT): got "x"; allowed: a whole number from 0 to 65535'],
  ["migrate --database-url postgres://ada:hunter2@db", "not the address of a PostgreSQL database"],
  ["keys list --data-dir=", "--data-dir (PERISCOPE_DATA_DIR)"],
])("rejects wrong usage with exit code 2, and creates nothing: %s", async ([line, complaint], { command }) => {
  const { code, out, err } = await command.run(...line.split(" ").filter(Boolean));
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(complaint);
  expect(err).not.toMatch(/hunter2|\n\s+at /);
  expect(existsSync(command.dataDir)).toBe(false);
});

test("migrate creates the database, then has nothing to do", async ({ command }) => {
  expect((await command.run("migrate")).out).toMatch(/^Applied these migrations:\n {2}\d{14}_init\n/);
  expect(await command.run("migrate")).toEqual({ code: 0, out: "The database is up to date.\n", err: "" });
  expect(readdirSync(command.dataDir)).toContain("periscope.db");
  const [byVariable, byFlag] = [join(command.dataDir, "by-variable.db"), join(command.dataDir, "deep", "by-flag.db")];
  command.env["DATABASE_URL"] = `file:${byVariable}`;
  await command.run("migrate");
  await command.run("migrate", "--database-url", `sqlite:${byFlag}`);
  expect([byVariable, byFlag].map((file) => existsSync(file))).toEqual([true, true]);
});

test("warns of a mistyped setting, and goes on", async () => {
  using command = new TestCommand({ PERISCOPE_DATADIR: "/data", PERISCOPE_API_KEY: "psk_x" });
  expect(await command.run("users", "create", "ada")).toEqual({
    code: 0,
    out: "ada\n",
    err: "PERISCOPE_DATADIR: unknown setting, ignored. Did you mean PERISCOPE_DATA_DIR?\n",
  });
});
