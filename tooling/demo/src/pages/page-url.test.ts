import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../server/temporary-directory.ts";
import { readManifest } from "./manifest.ts";
import { pageUrl } from "./page-url.ts";

test.each([
  [{ homepage: "https://x.dev/lib#readme" }, "https://x.dev/lib/docs/a%20b.md"],
  [{ homepage: "https://github.com/o/r#readme", repository: "github:o/r" }, "https://github.com/o/r/blob/v1.0.0/docs/a%20b.md"],
  [{ repository: "o/r" }, "https://github.com/o/r/blob/v1.0.0/docs/a%20b.md"],
  [{ repository: { url: "git@gitlab.com:o/r.git", directory: "p" } }, "https://gitlab.com/o/r/blob/v1.0.0/p/docs/a%20b.md"],
  [{ repository: "git://github.com/o/r.git" }, "https://github.com/o/r/blob/v1.0.0/docs/a%20b.md"],
  [{ homepage: "javascript:alert(1)" }, "https://www.npmjs.com/package/@s/n/v/1.0.0/docs/a%20b.md"],
])("%j is read at %s", async (fields, expected) => {
  await using folder = await temporaryDirectory("periscope-manifest-");
  const path = join(folder.path, "package.json");
  writeFileSync(path, JSON.stringify({ name: "@s/n", version: "1.0.0", ...fields }));
  const manifest = readManifest(path);
  expect(manifest && pageUrl(manifest, "docs/a b.md")).toBe(expected);
});
