import { expect } from "vitest";
import { contextLine, exportText } from "../../test/export-text.js";
import { withCommand as test } from "../../test/test-command.js";

test("counts what is past its time in a dry run, and deletes it without", async ({ command }) => {
  const lines = Array.from({ length: 7 }, (_, index) =>
    contextLine(`c${index}`, { timestamp: new Date(Date.now() - index * 86_400_000).toISOString() }),
  );
  const rules = { kind: "retention", rules: [{ keepDays: 2 }, { keepDays: 4, type: "page" }], updatedAt: "2026-01-31T12:00:00.000Z" };
  command.input = exportText([...lines, rules]);
  expect(await command.run("import", "-", "--user", "ada")).toMatchObject({ code: 0 });
  const dry = await command.run("retention", "apply", "--dry-run");
  expect(dry).toMatchObject({ code: 0, out: "5 contexts would be deleted. Nothing was deleted.\n" });
  expect(await command.run("retention", "apply", "--user", "ada")).toMatchObject({ code: 0, out: "Deleted 5 contexts.\n" });
  expect(await command.run("retention", "apply")).toMatchObject({ code: 0, out: "Deleted 0 contexts.\n" });
  expect(await command.run("retention", "apply", "--user", "eva")).toMatchObject({ code: 1 });
});
