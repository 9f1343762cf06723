import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackedPackage } from "./packed-packages.ts";
import { runCommand } from "./run-command.ts";

const name = "@periscope/sync";

const compilerOptions = {
  target: "ES2024",
  lib: ["ES2024", "DOM", "DOM.Iterable"],
  strict: true,
  exactOptionalPropertyTypes: true,
  // The declarations of the packages as well: an extension has neither Node's types nor those of the browser's APIs.
  skipLibCheck: false,
  types: [],
  noEmit: true,
};

/** How extensions are compiled: for a bundler, and as Node resolves. */
const resolutions = { bundler: { module: "ESNext", moduleResolution: "Bundler" }, node: { module: "NodeNext" } };

/**
 * What TypeScript says against the entries of the sync library, and against the README's first program, in a project that has the packages installed. Nothing
 * when all of it compiles.
 */
export async function findSyncTypesProblem(root: string, project: string, packages: readonly PackedPackage[]): Promise<string | undefined> {
  const entries = Object.keys(packages.find(({ manifest }) => manifest.name === name)?.manifest.exports ?? {});
  if (entries.length === 0) return `${name} is not among the packed packages, or has no entries.`;
  const readme = await readFile(join(root, "packages", "sync", "README.md"), "utf8");
  const program = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1];
  if (program === undefined) return "The README of the sync library has no program.";
  const imports = entries.map((entry, index) => `import * as entry${index} from ${JSON.stringify(entry.replace(".", name))};\n`);
  await writeFile(
    join(project, "sync-entries.ts"),
    `${imports.join("")}export const all = [${entries.map((_, index) => `entry${index}`).join(", ")}];\n`,
  );
  await writeFile(join(project, "sync-background.ts"), program);
  for (const [kind, resolution] of Object.entries(resolutions)) {
    const file = `tsconfig.sync-${kind}.json`;
    const config = { compilerOptions: { ...compilerOptions, ...resolution }, files: ["sync-entries.ts", "sync-background.ts"] };
    await writeFile(join(project, file), JSON.stringify(config));
    const command = ["node", join(root, "node_modules", "typescript", "bin", "tsc"), "-p", file];
    const { status, output } = await runCommand(command, { cwd: project });
    if (status !== 0) return `${command.join(" ")}, with the entries of ${name}:\n${output}`;
  }
  return undefined;
}
