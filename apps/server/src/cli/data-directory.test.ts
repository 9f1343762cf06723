import { mkdtempDisposableSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimDatabase, claimDataDirectory, findServer } from "./data-directory.js";

const freshDirectory = () => mkdtempDisposableSync(join(scratchFolder(), "periscope-"));

test("creates the directory with its parents, for its owner alone", () => {
  using parent = freshDirectory();
  const directory = join(parent.path, "a", "b");
  using _claim = claimDataDirectory(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("rejects a second claim of a database, also through a link", () => {
  using directory = freshDirectory();
  const [file, link] = [join(directory.path, "some.db"), join(directory.path, "link.db")];
  writeFileSync(file, "");
  symlinkSync(file, link);
  const claim = claimDatabase(file);
  for (const name of [file, link]) {
    expect(() => claimDatabase(name)).toThrow(/uses the database .*--database-url/);
    expect(() => claimDatabase(name)).toThrow(name);
  }
  using _other = claimDatabase(join(directory.path, "other.db"));
  claim[Symbol.dispose]();
  using _again = claimDatabase(link);
});

test.for(["", "not json", "[]", "null", '{"pid":"1"}'])("respects a holder whose details are %j", (details) => {
  using directory = freshDirectory();
  using _claim = claimDataDirectory(directory.path);
  writeFileSync(join(directory.path, "server.json"), details);
  expect(findServer(directory.path)).toEqual({ info: null });
  expect(() => claimDataDirectory(directory.path)).toThrow(`Another Periscope server uses the data directory ${directory.path}.`);
});
