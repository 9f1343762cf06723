import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { zipFolder } from "./zip.ts";

async function folderWith(names: readonly string[], at: Date) {
  const path = await mkdtemp(join(tmpdir(), "periscope-zip-"));
  await mkdir(join(path, "icons"));
  for (const name of names) {
    await writeFile(join(path, name), `content of ${name}`);
    await utimes(join(path, name), at, at);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test("the same files make the same bytes, written in any order and at any time", async () => {
  const names = ["manifest.json", "background.js", "icons/16.png"];
  await using one = await folderWith(names, new Date("2001-02-03T04:05:06Z"));
  await using other = await folderWith(names.toReversed(), new Date("2020-01-01T00:00:00Z"));
  const archive = await zipFolder(one.path);
  expect(Buffer.from(await zipFolder(other.path)).equals(archive)).toBe(true);
  const files = unzipSync(archive);
  expect(Object.keys(files)).toEqual(["background.js", "icons/16.png", "manifest.json"]);
  expect(new TextDecoder().decode(files["manifest.json"])).toBe("content of manifest.json");
});
