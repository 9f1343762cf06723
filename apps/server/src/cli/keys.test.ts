import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { withCommand as test } from "../../test/test-command.js";

const create = (user: string, scopes: string, ...more: string[]) => ["keys", "create", "--user", user, "--scopes", scopes, ...more];

test("prints a new key and everything about it as JSON", async ({ command }) => {
  const options = ["--name", "laptop", "--expires", "90d", "--max-privacy-level", "private", "--json"];
  const { code, out, err } = await command.run(...create("ada", "delete, read,delete", ...options));
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
});

test.for<[duration: string, ms: number]>([
  ["30m", 1_800_000],
  ["12h", 43_200_000],
  ["90d", 7_776_000_000],
  ["2w", 1_209_600_000],
  ["1y", 31_536_000_000],
])("a key with --expires %s expires after %i ms", async ([duration, ms], { command }) => {
  const { createdAt, expiresAt } = await command.json(...create("ada", "read", "--expires", duration));
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(ms);
});

test.for(["", "d", "90", "0d", "-1d", "1.5h", "90 d", "90D", "90days", "1000000d"])(
  "rejects --expires %j",
  async (duration, { command }) => {
    expect(await command.run(...create("ada", "read", "--expires", duration))).toMatchObject({
      code: 2,
      err: expect.stringContaining("such as 90d"),
    });
  },
);

test("a key never expires and sees all levels by default", async ({ command }) => {
  const created = await command.json(...create("ada", "read"));
  expect(created).toMatchObject({ name: "", maxPrivacyLevel: "restricted", expiresAt: null });
});

test("prints the key on a line of its own for people", async ({ command }) => {
  const { out } = await command.run(...create("ada", "read,write"));
  expect(out).toMatch(
    /^User ada is new and has no contexts yet\.\nKey \S{26} of user ada may read, write\. It expires: never\.\nSave the key now, it is not shown again:\n\n {2}psk_\S+\n\n$/,
  );
  expect((await command.run(...create("ada", "read"), "--max-privacy-level", "filtered")).out).toMatch(
    /^Key \S{26} of user ada may read, contexts up to filtered only\. It expires: never\.\n/,
  );
});

test("stores and lists no secret", async ({ command }) => {
  const { key } = await command.json(...create("ada", "read"));
  const secret = key.slice(-43);
  const { out } = await command.run("keys", "list");
  expect(out + JSON.stringify(await command.json("keys", "list"))).not.toMatch(new RegExp(`${secret}|hash|[0-9a-f]{64}`));
  for (const file of readdirSync(command.dataDir)) expect(readFileSync(join(command.dataDir, file), "latin1")).not.toContain(secret);
});

test("lists the state of each key", async ({ command }) => {
  await command.run("users", "create", "grace");
  expect((await command.run("keys", "list")).out).toBe("No keys yet.\n");
  expect(await command.run("keys", "list", "--user", "bob")).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no user bob."),
  });
  const { id } = await command.json(...create("ada", "read", "--name", "old"));
  await command.json(...create("ada", "read,write,delete", "--expires", "1h"));
  await command.json(...create("ada", "write"));
  await command.run("keys", "revoke", id);
  const [heading, ...rows] = (await command.run("keys", "list")).out.trimEnd().split("\n");
  expect(heading).toMatch(/^KEY ID +USER +NAME +SCOPES +UP TO +CREATED +LAST USED +STATE$/);
  expect(rows).toEqual([
    expect.stringMatching(/ old +read +restricted +\S+Z +never +revoked \S+Z$/),
    expect.stringMatching(/ read,write,delete +.* valid until \S+Z$/),
    expect.stringMatching(/ write .* valid$/),
  ]);
});

test("revokes by id and by whole key, also twice, and rejects unknown keys", async ({ command }) => {
  const first = await command.json(...create("ada", "read"));
  const second = await command.json(...create("ada", "read"));
  expect(await command.run("keys", "revoke", first.id)).toEqual({ code: 0, out: `Revoked key ${first.id}.\n`, err: "" });
  const [{ revokedAt }] = await command.json("keys", "list");
  expect((await command.run("keys", "revoke", first.id)).code).toBe(0);
  expect(await command.run("keys", "revoke", second.key)).toEqual({ code: 0, out: `Revoked key ${second.id}.\n`, err: "" });
  expect(await command.json("keys", "list")).toMatchObject([{ revokedAt }, { revokedAt: expect.any(String) }]);
  expect(await command.run("keys", "revoke", "01HZX3Y9K8M7N6P5Q4R3S2T1V0")).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no key with the id 01HZX3Y9K8M7N6P5Q4R3S2T1V0"),
  });
});
