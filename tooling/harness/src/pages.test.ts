import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readFolderPages, readPackagePages } from "./pages.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const prose = "A cache keeps the result of a task so that the same work is not done again. ".repeat(5);

async function filesOf(files: Record<string, string>) {
  const directory = await temporaryDirectory("periscope-pages-");
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return directory;
}

test("reads the documentation of packages, and each text once", async () => {
  const files = (version: string) => ({
    [`kit@${version}/node_modules/@s/kit/package.json`]: JSON.stringify({ name: "@s/kit", version }),
    [`kit@${version}/node_modules/@s/kit/docs/guide.md`]: `# **Guide**\n\n${version} ${prose}`,
    [`kit@${version}/node_modules/@s/kit/LICENSE.md`]: `${version} ${prose}`,
    [`kit@${version}/node_modules/@s/kit/test/guide.md`]: `${version} ${prose}`,
    [`kit@${version}/node_modules/@s/kit/short.md`]: "Too short.",
    [`kit@${version}/node_modules/@s/kit/same.md`]: `# The kit\n\n${prose}`,
  });
  await using store = await filesOf({ ...files("1.0.0"), ...files("2.0.0") });
  expect(readPackagePages(100, store.path).map(({ url, title }) => [url, title])).toEqual([
    ["https://www.npmjs.com/package/@s/kit/v/1.0.0/docs/guide.md", "Guide · @s/kit"],
    ["https://www.npmjs.com/package/@s/kit/v/2.0.0/same.md", "The kit"],
    ["https://www.npmjs.com/package/@s/kit/v/2.0.0/docs/guide.md", "Guide · @s/kit"],
  ]);
  expect(readPackagePages(2, store.path)).toHaveLength(2);
  expect(() => readPackagePages(1, join(store.path, "none"))).toThrow(/pnpm install/);
});

test("reads the HTML and Markdown pages of a folder", async () => {
  await using folder = await filesOf({
    "a.html": `<title>Tom &amp; Ann</title><p>${prose}`,
    "b/c.md": `# Front\n\n${prose}`,
    "d.txt": prose,
  });
  expect(readFolderPages(folder.path).map(({ title, format }) => [title, format])).toEqual([
    ["Tom & Ann", "html"],
    ["Front", "markdown"],
  ]);
  expect(readFolderPages(folder.path)[1]?.url).toBe(`file://${folder.path}/b/c.md`);
  expect(() => readFolderPages("/nowhere")).toThrow("/nowhere is not a folder");
});
