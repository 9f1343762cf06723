import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { contentBrowser } from "../../test/content-page.js";

const root = join(import.meta.dirname, "../..");

test("the README's snippets for content scripts run in a page", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const snippets = [...readme.matchAll(/^```js\n(.*?)^```$/gms)]
    .map(([, code = ""]) => code)
    .filter((code) => code.includes("createCapture"));
  expect(snippets).toHaveLength(2);
  await using browser = await contentBrowser();
  await using page = await browser.open(
    "<!doctype html><title>Lamp</title><article><h1>Lamp</h1><p>The keeper lights the lamp.</p></article>",
  );
  for (const contents of snippets) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root },
      bundle: true,
      format: "esm",
      platform: "browser",
      conditions: ["@periscope/source"],
      write: false,
    });
    const said = await page.runCode(outputFiles[0]?.text ?? "");
    expect(said.filter(({ kind }) => kind === "enqueue")).toMatchObject([{ capture: { type: "page", title: "Lamp" } }]);
  }
});
