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

test("reads the pages of packages once, a page for each section of a long guide", async () => {
  const guide = ["One", "Two"].map((name) => `## ${name}\n\n${name} ${prose.repeat(10)}`).join("\n\n");
  const files = (version: string) => ({
    [`kit@${version}/node_modules/@s/kit/package.json`]: JSON.stringify({ name: "@s/kit", version, homepage: "https://kit.dev/docs" }),
    [`kit@${version}/node_modules/@s/kit/guide.md`]: `# Guide\n\n${version} ${guide.replaceAll("A cache", `Cache ${version}`)}`,
    [`kit@${version}/node_modules/@s/kit/LICENSE.md`]: `${version} ${prose}`,
    [`kit@${version}/node_modules/@s/kit/short.md`]: "Too short.",
    [`kit@${version}/node_modules/@s/kit/same.md`]: `# Same\n\n${prose}`,
  });
  await using store = await filesOf({ ...files("1.0.0"), ...files("2.0.0") });
  expect(readPackagePages(100, store.path).map(({ url, title }) => [url, title])).toEqual([
    ["https://kit.dev/docs/guide.md", "Guide · @s/kit"],
    ["https://kit.dev/docs/guide.md#two", "Two · Guide · @s/kit"],
    ["https://kit.dev/docs/same.md", "Same · @s/kit"],
    ["https://kit.dev/docs/guide.md?version=2.0.0.1", "Guide · @s/kit"],
    ["https://kit.dev/docs/guide.md?version=2.0.0.1#two", "Two · Guide · @s/kit"],
  ]);
  expect(readPackagePages(2, store.path)).toHaveLength(2);
  expect(() => readPackagePages(1, join(store.path, "none"))).toThrow(/pnpm install/);
});

test("reads the HTML and Markdown pages of a folder", async () => {
  await using folder = await filesOf({
    "a.html": `<title>Tom &amp; Ann</title><link rel="canonical" href="https://x.dev/a"><p>${prose}`,
    "b/c.md": `---\ntitle: "Front"\n---\n# Other\n\n${prose}`,
    "d.txt": prose,
  });
  expect(readFolderPages(folder.path).map(({ title, format }) => [title, format])).toEqual([
    ["Tom & Ann", "html"],
    ["Front", "markdown"],
  ]);
  expect(readFolderPages(folder.path)[0]?.url).toBe("https://x.dev/a");
  expect(() => readFolderPages("/nowhere")).toThrow("/nowhere is not a folder");
});
