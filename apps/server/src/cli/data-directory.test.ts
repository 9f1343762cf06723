import { mkdtempDisposableSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base } from "vitest";
import { claimDatabase, claimDataDirectory, findServer } from "./data-directory.js";

const freshDirectory = () => mkdtempDisposableSync(join(tmpdir(), "periscope-"));

// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
const test = base.extend("directory", ({}, { onCleanup }) => {
  const directory = freshDirectory();
  onCleanup(() => directory.remove());
  return directory;
});

test("creates the directory with its parents, for its owner alone", () => {
  using parent = freshDirectory();
  const directory = join(parent.path, "a", "b");
  using _claim = claimDataDirectory(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("rejects a second claim of a directory, and names directory and holder", ({ directory }) => {
  using claim = claimDataDirectory(directory.path);
  const second = () => claimDataDirectory(directory.path);
  expect(second).toThrow(/^Another Periscope server \(process \d+.*uses the data directory .*--data-dir/);
  expect(second).toThrow(`process ${process.pid}`);
  claim.announce({ address: "http://127.0.0.1:4000", policy: "p" });
  expect(findServer(directory.path)?.info).toEqual({ pid: process.pid, address: "http://127.0.0.1:4000", policy: "p" });
  expect(second).toThrow(`process ${process.pid}, http://127.0.0.1:4000`);
  expect(second).toThrow(directory.path);
});

test("allows another claim once the first is given up, also of another directory", ({ directory }) => {
  using other = freshDirectory();
  claimDataDirectory(directory.path)[Symbol.dispose]();
  expect(readdirSync(directory.path)).toEqual(["server.lock"]);
  using _again = claimDataDirectory(directory.path);
  using _other = claimDataDirectory(other.path);
});

test("rejects a second claim of a database, also through a link", ({ directory }) => {
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

test("ignores the files of a killed server", ({ directory }) => {
  writeFileSync(join(directory.path, "server.lock"), "");
  writeFileSync(join(directory.path, "server.json"), '{"pid":1,"address":"http://127.0.0.1:1"}');
  expect(findServer(directory.path)).toBeNull();
  using _claim = claimDataDirectory(directory.path);
  expect(findServer(directory.path)).toEqual({ info: { pid: process.pid, address: undefined } });
});

test.for(["", "not json", "[]", "null", '{"pid":"1"}'])("respects a holder whose details are %j", (details, { directory }) => {
  using _claim = claimDataDirectory(directory.path);
  writeFileSync(join(directory.path, "server.json"), details);
  expect(findServer(directory.path)).toEqual({ info: null });
  expect(() => claimDataDirectory(directory.path)).toThrow(`Another Periscope server uses the data directory ${directory.path}.`);
});

test("finds no server in an empty directory, and creates nothing there", ({ directory }) => {
  expect(findServer(directory.path)).toBeNull();
  expect(readdirSync(directory.path)).toEqual([]);
});
