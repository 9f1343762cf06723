import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { describeCycle, folderCycles } from "./folder-cycles.ts";

/** Cycles of a tree of files, given by path and text, as they are told. */
async function told(files: Record<string, string>): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), "periscope-folders-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
    return folderCycles(directory).map(describeCycle);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

test("folders that import each other are named, with the imports, also over a third one and by types", async () => {
  expect(
    await told({
      "low/a.ts": 'import type { B } from "../middle/deep/b.js";',
      "middle/deep/b.ts": 'export { c } from "../../high/c.js";',
      "high/c.ts": 'export const later = () => import("../low/a.js");',
      "above/d.ts": 'import { c } from "../high/c.js";',
    }),
  ).toEqual([
    `The folders high -> low -> middle -> high import each other; move what the lower one needs down, or what needs both up:
  high/c.ts -> low/a.ts
  low/a.ts -> middle/deep/b.ts
  middle/deep/b.ts -> high/c.ts`,
  ]);
});

test("arrows that point one way, tests, and files beside the folders are no cycle", async () => {
  expect(
    await told({
      "low/a.ts": 'import { e } from "../e.js";\nimport { b } from "./b.js";',
      "low/a.test.ts": 'import { c } from "../high/c.js";',
      "low/b.ts": 'import { a } from "./a.js";',
      "high/c.ts": 'import { a } from "../low/a.js";\nimport manifest from "../../package.json";',
      "e.ts": 'import type { C } from "./high/c.js";',
    }),
  ).toEqual([]);
});
