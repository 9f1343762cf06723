import { readdirSync } from "node:fs";
import { join } from "node:path";

const depthMax = 24;

/** Folders that hold no documentation of their own. */
const skippedFolders = new Set([".git", ".bin", "test", "tests", "__tests__", "fixtures"]);

/**
 * Files under `folder` whose name `wanted` accepts, as absolute paths in an order that depends on the names alone.
 * Links are not followed, so the walk ends; folders that cannot be read are left out.
 */
export function* walkFiles(folder: string, wanted: (name: string) => boolean, depth = 0): Generator<string> {
  if (depth > depthMax) return;
  const entries = entriesOf(folder);
  for (const entry of entries) if (entry.isFile() && wanted(entry.name)) yield join(folder, entry.name);
  for (const entry of entries) {
    if (!entry.isDirectory() || skippedFolders.has(entry.name)) continue;
    yield* walkFiles(join(folder, entry.name), wanted, depth + 1);
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
