import { expect, test } from "vitest";
import { TestCommand } from "../../test/test-command.js";

test("creates a user and prints only the id", async () => {
  using command = new TestCommand();
  const { code, out, err } = await command.run("users", "create");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^usr_[0-9A-HJKMNP-TV-Z]{26}\n$/);
});

test.each(["ada", "A.b:c-d_9", "u".repeat(128)])("accepts the chosen id %s", async (id) => {
  using command = new TestCommand();
  expect(await command.run("users", "create", id)).toEqual({ code: 0, out: `${id}\n`, err: "" });
  expect(await command.json("users", "list")).toEqual([{ id, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
});

test("rejects an id that is taken", async () => {
  using command = new TestCommand();
  await command.run("users", "create", "ada");
  expect(await command.run("users", "create", "ada")).toEqual({
    code: 1,
    out: "",
    err: "There is a user ada already; choose another id.\n",
  });
});

test("lists users as a table", async () => {
  using command = new TestCommand();
  expect((await command.run("users", "list")).out).toBe("No users yet.\n");
  await command.run("users", "create", "ada");
  await command.run("users", "create", "grace");
  expect((await command.run("users", "list")).out).toMatch(/^USER {3}CREATED\nada {4}\d{4}-\S+Z\ngrace {2}\d{4}-\S+Z\n$/);
});

test("deletes a user with the keys", async () => {
  using command = new TestCommand();
  await command.json("keys", "create", "--user", "ada", "--scopes", "read");
  await command.json("keys", "create", "--user", "grace", "--scopes", "read");
  expect((await command.run("users", "delete", "ada", "--yes")).out).toBe("Deleted user ada with all keys and contexts.\n");
  expect(await command.json("users", "list")).toMatchObject([{ id: "grace" }]);
  expect(await command.json("keys", "list")).toMatchObject([{ userId: "grace" }]);
});

test("fails to delete an unknown user", async () => {
  using command = new TestCommand();
  expect(await command.run("users", "delete", "nobody", "--yes")).toEqual({ code: 1, out: "", err: "There is no user nobody.\n" });
});

test.each([
  ["ada", 0, []],
  ["yes", 2, ["ada"]],
  ["", 2, ["ada"]],
])("asks before it deletes; the answer %j ends with %i", async (answer, code, left) => {
  using command = new TestCommand();
  await command.run("users", "create", "ada");
  command.answer = answer;
  expect((await command.run("users", "delete", "ada")).code).toBe(code);
  expect((await command.json("users", "list")).map(({ id }: { id: string }) => id)).toEqual(left);
});
