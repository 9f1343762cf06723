import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { limits } from "@periscope/schemas";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../server/temporary-directory.ts";
import { readFolderPages } from "./folder-pages.ts";

const prose = "<p>How packages are configured.</p>".repeat(10);

test("HTML pages carry their title, their canonical address or that of the file, and their own encoding", async () => {
  await using folder = await temporaryDirectory("periscope-pages-");
  writeFileSync(
    join(folder.path, "a.html"),
    `<html><head><title>Set&shy;up &amp; &#8220;use&#x201D;</title><link href="https://d.org/a" rel=canonical></head>${prose}`,
  );
  writeFileSync(
    join(folder.path, "b.htm"),
    Buffer.from(`<meta charset="iso-8859-1"><h1 class=x>Caf\u00e9 <b>au lait</b></h1>${prose} b`, "latin1"),
  );
  const pages = readFolderPages(folder.path);
  expect(pages.map(({ url, title, format, origin }) => ({ url, title, format, origin }))).toEqual([
    { url: "https://d.org/a", title: "Set&shy;up & “use”", format: "html", origin: { file: "a.html" } },
    { url: pathToFileURL(join(folder.path, "b.htm")).href, title: "Café au lait", format: "html", origin: { file: "b.htm" } },
  ]);
});

test("a page past 1 MiB is cut between characters, and says so", async () => {
  await using folder = await temporaryDirectory("periscope-pages-");
  writeFileSync(join(folder.path, "long.md"), `a${"é".repeat(600_000)}`);
  const [page] = readFolderPages(folder.path);
  expect(page?.truncated).toBe(true);
  expect(Buffer.byteLength(page?.content ?? "")).toBe(limits.contentBytesMax - 1);
  expect(page?.content.endsWith("é")).toBe(true);
});

test("what is no folder, or holds no page, is refused with its name", async () => {
  await using folder = await temporaryDirectory("periscope-pages-");
  expect(() => readFolderPages(folder.path)).toThrow(`${folder.path} holds no HTML or Markdown page`);
  expect(() => readFolderPages(join(folder.path, "missing"))).toThrow(/missing is not a folder/);
});
