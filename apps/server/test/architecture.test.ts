import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../../", import.meta.url);
const server = new URL("apps/server/", root);

/** Files and folders that a page names in code: those of the server by their path in it, others by their path in the repository. */
function namedPaths(page: string): string[] {
  const named = page.matchAll(/`((?:src|test|prisma|apps|packages|tooling|docs)\/[\w./-]*)`/g);
  return [...new Set([...named].map(([, path = ""]) => path))];
}

const isThere = (path: string): boolean => existsSync(new URL(path, /^(?:src|test|prisma)\//.test(path) ? server : root));

it("docs/architecture.md names only files and folders that exist", () => {
  const paths = namedPaths(readFileSync(new URL("docs/architecture.md", root), "utf8"));
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});
