import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TestCommand } from "../../test/test-command.js";

const day = 86_400_000;

test("--json prints one object with the key and everything about it", async () => {
  using command = new TestCommand();
  const { code, out, err } = await command.run(
    "keys",
    "create",
    "--user",
    "ada",
    "--scopes",
    "delete,read",
    "--name",
    "laptop",
    "--expires",
    "90d",
    "--max-privacy-level",
    "private",
    "--json",
  );
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const created = JSON.parse(out);
  expect(out).toBe(`${JSON.stringify(created)}\n`);
  expect(created).toEqual({
    key: expect.stringMatching(new RegExp(`^psk_${created.id}_[0-9A-Za-z]{43}$`)),
    id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    userId: "ada",
    name: "laptop",
    scopes: ["read", "delete"],
    maxPrivacyLevel: "private",
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    lastUsedAt: null,
    revokedAt: null,
  });
  expect(Date.parse(created.expiresAt) - Date.parse(created.createdAt)).toBe(90 * day);
});

test("the defaults are a key that never ends and sees all", async () => {
  using command = new TestCommand();
  const created = await command.json("keys", "create", "--user", "ada", "--scopes", "read");
  expect(created).toMatchObject({ name: "", maxPrivacyLevel: "restricted", expiresAt: null });
});

test("the user is made when missing, and kept when there", async () => {
  using command = new TestCommand();
  await command.run("users", "create", "ada");
  for (const user of ["ada", "ada", "grace"]) await command.json("keys", "create", "--user", user, "--scopes", "write");
  expect(await command.json("users", "list")).toMatchObject([{ id: "ada" }, { id: "grace" }]);
  expect(await command.json("keys", "list", "--user", "ada")).toHaveLength(2);
  expect(await command.json("keys", "list")).toHaveLength(3);
});

test("for people, the key stands on a line of its own", async () => {
  using command = new TestCommand();
  const { out } = await command.run("keys", "create", "--user", "ada", "--scopes", "read,write");
  expect(out).toMatch(/^Key \S{26} of user ada may read, write; it ends never\.\nKeep it now, it is not shown again:\n\n {2}psk_\S+\n\n$/);
});

test("neither the list nor the disk has the key", async () => {
  using command = new TestCommand();
  const { key } = await command.json("keys", "create", "--user", "ada", "--scopes", "read");
  const secret = key.slice(-43);
  const { out } = await command.run("keys", "list");
  expect(out + JSON.stringify(await command.json("keys", "list"))).not.toMatch(new RegExp(`${secret}|hash|[0-9a-f]{64}`));
  for (const file of readdirSync(command.dataDir)) expect(readFileSync(join(command.dataDir, file), "latin1")).not.toContain(secret);
});

test("the table shows the state of each key", async () => {
  using command = new TestCommand();
  expect((await command.run("keys", "list")).out).toBe("No keys yet.\n");
  const { id } = await command.json("keys", "create", "--user", "ada", "--scopes", "read", "--name", "old");
  await command.json("keys", "create", "--user", "ada", "--scopes", "read,write,delete", "--expires", "1h");
  await command.json("keys", "create", "--user", "ada", "--scopes", "write");
  await command.run("keys", "revoke", id);
  const [heading, ...rows] = (await command.run("keys", "list")).out.trimEnd().split("\n");
  expect(heading).toMatch(/^KEY ID +USER +NAME +SCOPES +UP TO +CREATED +LAST USED +STATE$/);
  expect(rows).toEqual([
    expect.stringMatching(/ old +read +restricted +\S+Z +never +revoked \S+Z$/),
    expect.stringMatching(/ read,write,delete +.* valid until \S+Z$/),
    expect.stringMatching(/ write .* valid$/),
  ]);
});

test("revoking works by id and by whole key, twice, and not for a key that never was", async () => {
  using command = new TestCommand();
  const first = await command.json("keys", "create", "--user", "ada", "--scopes", "read");
  const second = await command.json("keys", "create", "--user", "ada", "--scopes", "read");
  expect(await command.run("keys", "revoke", first.id)).toEqual({ code: 0, out: `Revoked key ${first.id}.\n`, err: "" });
  const [{ revokedAt }] = await command.json("keys", "list");
  expect((await command.run("keys", "revoke", first.id)).code).toBe(0);
  expect(await command.run("keys", "revoke", second.key)).toEqual({ code: 0, out: `Revoked key ${second.id}.\n`, err: "" });
  expect(await command.json("keys", "list")).toMatchObject([{ revokedAt }, { revokedAt: expect.any(String) }]);
  const { code, err } = await command.run("keys", "revoke", "01HZX3Y9K8M7N6P5Q4R3S2T1V0");
  expect(code).toBe(1);
  expect(err).toContain("There is no key with the id 01HZX3Y9K8M7N6P5Q4R3S2T1V0");
});

test("a name that could forge lines of the table is refused", async () => {
  using command = new TestCommand();
  const { code, err } = await command.run("keys", "create", "--user", "ada", "--scopes", "read", "--name", "a\nb");
  expect(code).toBe(1);
  expect(err).toContain("control characters");
});
