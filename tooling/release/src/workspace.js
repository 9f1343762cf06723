import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
/** Packages that go to the registry: every one under `apps` and `packages` that is not private. Sorted by name. */
export async function publishedPackages(root) {
  const found = [];
  for (const group of ["apps", "packages"]) {
    for (const name of await readdir(join(root, group))) {
      const directory = join(root, group, name);
      const manifest = await readManifest(directory);
      if (manifest !== undefined && manifest.private !== true) found.push({ directory, manifest });
    }
  }
  return found.sort((one, other) => one.manifest.name.localeCompare(other.manifest.name));
}
async function readManifest(directory) {
  try {
    return JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  } catch (error) {
    // A folder that only holds build output of another branch is no package.
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  }
}
