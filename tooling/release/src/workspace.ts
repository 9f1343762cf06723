import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The parts of a package's manifest that the checks read. */
export interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  exports?: Record<string, unknown>;
  bin?: Record<string, string>;
}

/** A package of this repository. */
export interface WorkspacePackage {
  directory: string;
  manifest: Manifest;
}

/** Packages that go to the registry: every one under `apps` and `packages` that is not private. Sorted by name. */
export async function publishedPackages(root: string): Promise<WorkspacePackage[]> {
  const found: WorkspacePackage[] = [];
  for (const group of ["apps", "packages"]) {
    for (const name of await readdir(join(root, group))) {
      const directory = join(root, group, name);
      const manifest = await readManifest(directory);
      if (manifest !== undefined && manifest.private !== true) found.push({ directory, manifest });
    }
  }
  return found.sort((one, other) => one.manifest.name.localeCompare(other.manifest.name));
}

async function readManifest(directory: string): Promise<Manifest | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, "package.json"), "utf8")) as Manifest;
  } catch (error) {
    // A folder that only holds build output of another branch is no package.
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || (error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}
