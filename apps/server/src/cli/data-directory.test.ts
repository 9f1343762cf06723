import { mkdtempDisposableSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimDatabase, claimDataDirectory, DatabaseTaken, DataDirectoryTaken, serverOf } from "./data-directory.js";

const freshDirectory = () => mkdtempDisposableSync(join(tmpdir(), "periscope-"));

test("the directory is made with its parents, for its owner alone", () => {
  using parent = freshDirectory();
  const directory = join(parent.path, "a", "b");
  using _claim = claimDataDirectory(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("a second claim is refused and names the directory and the holder", () => {
  using directory = freshDirectory();
  using claim = claimDataDirectory(directory.path);
  const second = () => claimDataDirectory(directory.path);
  expect(second).toThrow(DataDirectoryTaken);
  expect(second).toThrow(`process ${process.pid}`);
  claim.announce({ address: "http://127.0.0.1:4000", policy: "p" });
  expect(serverOf(directory.path)?.presence).toEqual({ pid: process.pid, address: "http://127.0.0.1:4000", policy: "p" });
  expect(second).toThrow(`process ${process.pid}, http://127.0.0.1:4000`);
  expect(second).toThrow(directory.path);
});

test("a claim that was given up can be taken again, and leaves no trace of its holder", () => {
  using directory = freshDirectory();
  claimDataDirectory(directory.path)[Symbol.dispose]();
  expect(readdirSync(directory.path)).toEqual(["server.lock"]);
  using _again = claimDataDirectory(directory.path);
});

test("two directories do not meet", () => {
  using one = freshDirectory();
  using other = freshDirectory();
  using _first = claimDataDirectory(one.path);
  expect(serverOf(other.path)).toBeNull();
  using _second = claimDataDirectory(other.path);
});

test("a second claim of a database is refused and names it, also by another link; given up, it can be taken again", () => {
  using directory = freshDirectory();
  const [file, link] = [join(directory.path, "some.db"), join(directory.path, "link.db")];
  writeFileSync(file, "");
  symlinkSync(file, link);
  const claim = claimDatabase(file);
  for (const name of [file, link]) {
    expect(() => claimDatabase(name)).toThrow(DatabaseTaken);
    expect(() => claimDatabase(name)).toThrow(name);
  }
  using _other = claimDatabase(join(directory.path, "other.db"));
  claim[Symbol.dispose]();
  using _again = claimDatabase(link);
});

test("what a killed server left behind is not believed", () => {
  using directory = freshDirectory();
  writeFileSync(join(directory.path, "server.lock"), "");
  writeFileSync(join(directory.path, "server.json"), '{"pid":1,"address":"http://127.0.0.1:1"}');
  expect(serverOf(directory.path)).toBeNull();
  using _claim = claimDataDirectory(directory.path);
  expect(serverOf(directory.path)).toEqual({ presence: { pid: process.pid, address: undefined } });
});

test.each(["", "not json", "[]", "null", '{"pid":"1"}'])("a holder whose details read %j is still a holder", (details) => {
  using directory = freshDirectory();
  using _claim = claimDataDirectory(directory.path);
  writeFileSync(join(directory.path, "server.json"), details);
  expect(serverOf(directory.path)).toEqual({ presence: null });
  expect(() => claimDataDirectory(directory.path)).toThrow(`A Periscope server is using the data directory ${directory.path} already.`);
});

test("looking at a directory without a server makes nothing", () => {
  using directory = freshDirectory();
  expect(serverOf(directory.path)).toBeNull();
  expect(readdirSync(directory.path)).toEqual([]);
});
