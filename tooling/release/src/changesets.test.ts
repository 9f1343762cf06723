import { expect, test } from "vitest";
import { changesetProblems } from "./changesets.ts";

const published = ["@periscope/server", "@periscope/schemas"];
const changeset = (names: readonly string[], summary: string) =>
  ["---", ...names.map((name) => `"${name}": minor`), "---", "", summary, ""].join("\n");

test("a changeset that names a published package and says what changed is well", () => {
  expect(changesetProblems(changeset(["@periscope/server"], "Faster search."), published)).toEqual([]);
});

test.each([
  ["an unknown package", changeset(["@periscope/sever"], "Faster search."), "@periscope/sever is no published package"],
  ["no package", changeset([], "Faster search."), "it names no package"],
  ["no summary", changeset(["@periscope/server"], ""), "it does not say what changed"],
  ["no front matter", "Faster search.", "it cannot be read"],
])("%s is named", (_, text, problem) => {
  expect(changesetProblems(text, published).join("\n")).toContain(problem);
});
