import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../server/temporary-directory.ts";
import { readPackagePages } from "./package-pages.ts";

const prose = "A cache keeps the result of a task so that the same work is not done again. ".repeat(5);

async function storeOf(files: Record<string, string>) {
  const directory = await temporaryDirectory("periscope-pages-");
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return directory;
}

const manifest = (name: string, more: object = {}) => JSON.stringify({ name, version: "1.2.3", ...more });

test("a README becomes a page with the title of its heading and an address in the repository", async () => {
  await using store = await storeOf({
    "fast@1.2.3/node_modules/fast/package.json": manifest("fast", {
      repository: { url: "git+https://github.com/o/fast.git", directory: "packages/fast" },
    }),
    "fast@1.2.3/node_modules/fast/README.md": `# [Fast](https://x) ![badge](y)\n\n${prose}`,
  });
  expect(readPackagePages(store.path)).toEqual([
    {
      url: "https://github.com/o/fast/blob/v1.2.3/packages/fast/README.md",
      title: "Fast",
      format: "markdown",
      content: `# [Fast](https://x) ![badge](y)\n\n${prose}`,
      truncated: false,
      origin: { package: "fast", version: "1.2.3", file: "README.md" },
    },
  ]);
});

test("licences, short files, repeated texts, tests and links to other packages give no page", async () => {
  await using store = await storeOf({
    "a@1/node_modules/a/package.json": manifest("a"),
    "a@1/node_modules/a/README.md": prose,
    "a@1/node_modules/a/LICENSE.md": `${prose} Licence`,
    "a@1/node_modules/a/docs/short.md": "Too short.",
    "a@1/node_modules/a/test/case.md": `${prose} Test`,
    "b@1/node_modules/b/package.json": manifest("b"),
    "b@1/node_modules/b/README.md": `${prose}\n`,
  });
  symlinkSync(join(store.path, "a@1/node_modules/a"), join(store.path, "b@1/node_modules/a"));
  expect(readPackagePages(store.path).map(({ origin }) => origin["package"])).toEqual(["a"]);
});

test("a long guide becomes a page a section; two versions of one package have different addresses", async () => {
  const guide = ["One", "Two", "Three"].map((name) => `## ${name}\n\n${name} ${prose.repeat(8)}`).join("\n\n");
  const files = (version: string) => ({
    [`kit@${version}/node_modules/@s/kit/package.json`]: manifest("@s/kit", { version, homepage: "https://g.dev/docs" }),
    [`kit@${version}/node_modules/@s/kit/docs/guide.md`]: `# Guide\n\n${version} ${guide.replaceAll("A cache", `Cache ${version}`)}`,
  });
  await using store = await storeOf({ ...files("1.0.0"), ...files("2.0.0") });
  const pages = readPackagePages(store.path);
  expect(pages.map(({ url }) => url)).toEqual([
    "https://g.dev/docs/docs/guide.md",
    "https://g.dev/docs/docs/guide.md#two",
    "https://g.dev/docs/docs/guide.md#three",
    "https://g.dev/docs/docs/guide.md?version=2.0.0",
    "https://g.dev/docs/docs/guide.md?version=2.0.0#two",
    "https://g.dev/docs/docs/guide.md?version=2.0.0#three",
  ]);
  expect(pages[1]?.title).toBe("Two · Guide · @s/kit");
});

test("more pages than wanted are thinned evenly, the same way each time", async () => {
  const files: Record<string, string> = {};
  for (let index = 10; index < 30; index += 1) {
    files[`p${index}@1/node_modules/p${index}/package.json`] = manifest(`p${index}`);
    files[`p${index}@1/node_modules/p${index}/README.md`] = `# P${index}\n\n${index} ${prose}`;
  }
  await using store = await storeOf(files);
  const titles = readPackagePages(store.path, 5).map(({ title }) => title);
  expect(titles).toEqual(["P10", "P14", "P18", "P22", "P26"]);
});

test("a missing store says what to do", () => {
  expect(() => readPackagePages("/nowhere/.pnpm")).toThrow(/pnpm install/);
});
