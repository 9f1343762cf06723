import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packAll, type PackedPackage } from "./packed-packages.ts";
import { findQuickstartProblem } from "./quickstart.ts";
import { runCommand } from "./run-command.ts";
import { findSyncTypesProblem } from "./sync-types.ts";

/**
 * Installs the archives into an empty project with npm, as a user would from the registry, imports every entry, runs every command, compiles the
 * entries of the sync library as an extension does, and has the first lines of the client's README answered by the installed server.
 * Resolves to what went wrong; nothing when all of it works.
 */
export async function findInstallProblems(root: string): Promise<string | undefined> {
  await using packed = await packAll(root);
  const project = await mkdtemp(join(tmpdir(), "periscope-install-"));
  try {
    await writeFile(join(project, "package.json"), JSON.stringify(projectManifest(packed.packages)));
    for (const command of [["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], ...packed.packages.flatMap(uses)]) {
      const { status, output } = await runCommand(command, { cwd: project });
      if (status !== 0) return `${command.join(" ")} in an empty project with the packed packages:\n${output}`;
    }
    return (await findSyncTypesProblem(root, project, packed.packages)) ?? (await findQuickstartProblem(root, project));
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

/** Packages that need each other find the archives, not the registry's older versions. */
function projectManifest(packages: readonly PackedPackage[]): object {
  const archives = Object.fromEntries(packages.map(({ manifest, archive }) => [manifest.name, `file:${archive}`]));
  return { name: "periscope-install", private: true, type: "module", dependencies: archives, overrides: archives };
}

/** What a command must also do as installed, where it needs more than its code: the migrations that ship beside it. */
const work: Readonly<Record<string, readonly string[]>> = {
  periscope: ["keys", "create", "--user", "installed", "--scopes", "read", "--data-dir", "data", "--json"],
};

/** Commands that use a package: one import an entry, one or two call a command. */
function uses({ manifest }: PackedPackage): string[][] {
  const entries = Object.keys(manifest.exports ?? {}).map((entry) => entry.replace(".", manifest.name));
  return [
    ...entries.map((entry) => ["node", "--input-type=module", "--eval", `await import(${JSON.stringify(entry)})`]),
    ...Object.keys(manifest.bin ?? {}).flatMap((name) => [
      ["npx", "--no-install", name, "--version"],
      ["npx", "--no-install", name, ...(work[name] ?? ["--help"])],
    ]),
  ];
}
