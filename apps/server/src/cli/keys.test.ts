import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { withCommand as test } from "../../test/test-command.js";

const create = (user: string, scopes: string, ...more: string[]) => ["keys", "create", "--user", user, "--scopes", scopes, ...more];

describe("keys", () => {
  test("are printed with everything about them as JSON, and in a sentence for people", async ({ command }) => {
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
    expect((await command.run(...create("grace", "read,write"))).out).toMatch(
      /^User grace is new and has no contexts yet\.\nKey \S{26} of user grace may read, write\. It expires: never\.\nSave the key now, it is not shown again:\n\n {2}psk_\S+\n\n$/,
    );
    expect((await command.run(...create("ada", "read"), "--max-privacy-level", "filtered")).out).toMatch(
      /^Key \S{26} of user ada may read, contexts up to filtered only\. It expires: never\.\n/,
    );
  });

  test("expire after --expires, never by default, and see all levels by default", async ({ command }) => {
    const durations = { "30m": 1_800_000, "12h": 43_200_000, "90d": 7_776_000_000, "2w": 1_209_600_000, "1y": 31_536_000_000 };
    for (const [duration, ms] of Object.entries(durations)) {
      const { createdAt, expiresAt } = await command.json(...create("ada", "read", "--expires", duration));
      expect([duration, Date.parse(expiresAt) - Date.parse(createdAt)]).toEqual([duration, ms]);
    }
    expect(await command.json(...create("ada", "read"))).toMatchObject({ name: "", maxPrivacyLevel: "restricted", expiresAt: null });
    for (const duration of ["", "d", "90", "0d", "-1d", "1.5h", "90 d", "90D", "90days", "1000000d"])
      expect(await command.run(...create("ada", "read", "--expires", duration))).toMatchObject({
        code: 2,
        err: expect.stringContaining("such as 90d"),
      });
  });

  test("are listed with their state, and stored and listed without their secret", async ({ command }) => {
    await command.run("users", "create", "grace");
    expect((await command.run("keys", "list")).out).toBe("No keys yet.\n");
    const unknown = { code: 1, err: expect.stringContaining("There is no user bob.") };
    expect(await command.run("keys", "list", "--user", "bob")).toMatchObject(unknown);
    const { id, key } = await command.json(...create("ada", "read", "--name", "old"));
    await command.json(...create("ada", "read,write,delete", "--expires", "1h"));
    await command.json(...create("ada", "write"));
    await command.run("keys", "revoke", id);
    const { out } = await command.run("keys", "list");
    const [heading, ...rows] = out.trimEnd().split("\n");
    expect(heading).toMatch(/^KEY ID +USER +NAME +SCOPES +UP TO +CREATED +LAST USED +STATE$/);
    expect(rows).toEqual([
      expect.stringMatching(/ old +read +restricted +\S+Z +never +revoked \S+Z$/),
      expect.stringMatching(/ read,write,delete +.* valid until \S+Z$/),
      expect.stringMatching(/ write .* valid$/),
    ]);
    const secret = key.slice(-43);
    expect(out + JSON.stringify(await command.json("keys", "list"))).not.toMatch(new RegExp(`${secret}|hash|[0-9a-f]{64}`));
    for (const file of readdirSync(command.dataDir)) expect(readFileSync(join(command.dataDir, file), "latin1")).not.toContain(secret);
  });

  test("are revoked by id and by whole key, also twice", async ({ command }) => {
    const [first, second] = [await command.json(...create("ada", "read")), await command.json(...create("ada", "read"))];
    expect(await command.run("keys", "revoke", first.id)).toEqual({ code: 0, out: `Revoked key ${first.id}.\n`, err: "" });
    const [{ revokedAt }] = await command.json("keys", "list");
    expect((await command.run("keys", "revoke", first.id)).code).toBe(0);
    expect(await command.run("keys", "revoke", second.key)).toEqual({ code: 0, out: `Revoked key ${second.id}.\n`, err: "" });
    expect(await command.json("keys", "list")).toMatchObject([{ revokedAt }, { revokedAt: expect.any(String) }]);
    const unknown = "01HZX3Y9K8M7N6P5Q4R3S2T1V0";
    const err = expect.stringContaining(`There is no key with the id ${unknown}`);
    expect(await command.run("keys", "revoke", unknown)).toMatchObject({ code: 1, err });
  });
});

describe("users", () => {
  test("are created under a chosen id once, and listed as a table", async ({ command }) => {
    expect(await command.run("users", "list")).toMatchObject({ code: 1, err: expect.stringContaining("There is no database") });
    expect(existsSync(command.dataDir)).toBe(false);
    for (const id of ["ada", "grace"]) expect(await command.run("users", "create", id)).toEqual({ code: 0, out: `${id}\n`, err: "" });
    expect(await command.run("users", "create", "ada")).toEqual({ code: 1, out: "", err: expect.stringContaining("a user ada already") });
    expect((await command.run("users", "list")).out).toMatch(/^USER +NAME +EMAIL +CREATED\nada +\d{4}-\S+Z\ngrace +\d{4}-\S+Z\n$/);
    expect(await command.json("users", "list")).toContainEqual({
      id: "ada",
      name: null,
      email: null,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  test("are deleted with their keys, and nobody else", async ({ command }) => {
    for (const user of ["ada", "grace"]) await command.json(...create(user, "read"));
    expect(JSON.parse((await command.run("users", "erase", "ada", "--yes")).out)).toMatchObject({ counts: { keys: 1 } });
    expect(await command.json("users", "list")).toMatchObject([{ id: "grace" }]);
    expect(await command.json("keys", "list")).toMatchObject([{ userId: "grace" }]);
    expect(await command.run("users", "erase", "ada", "--yes")).toEqual({ code: 1, out: "", err: "There is no user ada.\n" });
  });

  test("are deleted only when the answer is their id", async ({ command }) => {
    await command.run("users", "create", "ada");
    for (const [answer, code, left] of [["yes", 2, 1] as const, ["", 2, 1] as const, ["ada", 0, 0] as const]) {
      command.answer = answer;
      expect((await command.run("users", "erase", "ada")).code).toBe(code);
      expect(await command.json("users", "list")).toHaveLength(left);
    }
  });
});
