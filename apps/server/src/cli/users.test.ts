import { existsSync } from "node:fs";
import { expect } from "vitest";
import { withCommand as test } from "../../test/test-command.js";

test("accepts a chosen id, and rejects one that is taken", async ({ command }) => {
  for (const id of ["ada", "A.b:c-d_9", "u".repeat(128)])
    expect(await command.run("users", "create", id)).toEqual({ code: 0, out: `${id}\n`, err: "" });
  expect(await command.run("users", "create", "ada")).toEqual({ code: 1, out: "", err: expect.stringContaining("a user ada already") });
  expect(await command.json("users", "list")).toContainEqual({ id: "ada", createdAt: expect.stringMatching(/^\d{4}-.*Z$/) });
});

test("lists users as a table", async ({ command }) => {
  expect(await command.run("users", "list")).toMatchObject({ code: 1, err: expect.stringContaining("There is no database") });
  expect(existsSync(command.dataDir)).toBe(false);
  for (const id of ["ada", "grace"]) await command.run("users", "create", id);
  expect((await command.run("users", "list")).out).toMatch(/^USER {3}CREATED\nada {4}\d{4}-\S+Z\ngrace {2}\d{4}-\S+Z\n$/);
});

test("deletes a user with the keys, and nobody else", async ({ command }) => {
  for (const user of ["ada", "grace"]) await command.json("keys", "create", "--user", user, "--scopes", "read");
  expect((await command.run("users", "delete", "ada", "--yes")).out).toBe("Deleted user ada with all keys and contexts.\n");
  expect(await command.json("users", "list")).toMatchObject([{ id: "grace" }]);
  expect(await command.json("keys", "list")).toMatchObject([{ userId: "grace" }]);
  expect(await command.run("users", "delete", "ada", "--yes")).toEqual({ code: 1, out: "", err: "There is no user ada.\n" });
});

test.for<[answer: string, code: number, left: string[]]>([
  ["ada", 0, []],
  ["yes", 2, ["ada"]],
  ["", 2, ["ada"]],
])("asks before it deletes; the answer %j ends with %i", async ([answer, code, left], { command }) => {
  await command.run("users", "create", "ada");
  command.answer = answer;
  expect((await command.run("users", "delete", "ada")).code).toBe(code);
  expect((await command.json("users", "list")).map(({ id }: { id: string }) => id)).toEqual(left);
});
