import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./run-command.ts";
import { publishedPackages, type WorkspacePackage } from "./workspace.ts";

/** A published package as the registry would get it. */
export interface PackedPackage extends WorkspacePackage {
  /** Path of the archive. */
  archive: string;
}

/** The archives of all published packages, in a temporary directory that disposing removes. */
export interface PackedPackages extends AsyncDisposable {
  packages: readonly PackedPackage[];
}

/** Packs every published package. They must be built before. Rejects with the packer's output when one cannot be packed. */
export async function packAll(root: string): Promise<PackedPackages> {
  const directory = await mkdtemp(join(tmpdir(), "periscope-packed-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const packages: PackedPackage[] = [];
    for (const found of await publishedPackages(root)) {
      const archive = join(directory, `${found.manifest.name.replace("@", "").replace("/", "-")}.tgz`);
      const { status, output } = await runCommand(["pnpm", "pack", "--out", archive], { cwd: found.directory });
      if (status !== 0) throw new Error(`${found.manifest.name} cannot be packed:\n${output}`);
      packages.push({ ...found, archive });
    }
    return { packages, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** What publint says against the archives: entries that are missing, or of another module kind than declared. */
export async function findBrokenManifests(root: string): Promise<string | undefined> {
  await using packed = await packAll(root);
  return await firstFailures(root, packed.packages, ({ archive }) => ["publint", "run", archive, "--strict"]);
}

/** What "are the types wrong" says against the archives that can be imported. */
export async function findBrokenTypes(root: string): Promise<string | undefined> {
  await using packed = await packAll(root);
  const importable = packed.packages.filter(({ manifest }) => manifest.exports !== undefined);
  return await firstFailures(root, importable, ({ archive }) => ["attw", archive, "--profile", "esm-only", "--no-emoji", "--no-color"]);
}

async function firstFailures(
  root: string,
  packages: readonly PackedPackage[],
  command: (packed: PackedPackage) => readonly string[],
): Promise<string | undefined> {
  const failures: string[] = [];
  for (const packed of packages) {
    const { status, output } = await runCommand(command(packed), { cwd: root });
    if (status !== 0) failures.push(`${packed.manifest.name}:\n${output}`);
  }
  return failures.length === 0 ? undefined : failures.join("\n");
}
