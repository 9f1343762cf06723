import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A complaint of the linter. */
export interface Complaint {
  /** Path in the tree, such as `apps/server/src/app.ts`. */
  file: string;
  /** Plugin and rule, such as `eslint(no-console)`; the message where the linter names no rule. */
  rule: string;
  message: string;
}

/** Lints a tree of files, given by path and text, under the repository's own configuration, as if it stood in the repository. */
export async function lintTree(files: Record<string, string>): Promise<Complaint[]> {
  const directory = await mkdtemp(join(tmpdir(), "periscope-lint-"));
  try {
    for (const path of [".oxlintrc.json", "tooling/lint/oxlintrc.json"]) await cp(join(root, path), join(directory, path));
    await symlink(join(root, "node_modules"), join(directory, "node_modules"));
    const compilerOptions = { module: "NodeNext", target: "ES2024", strict: true, noEmit: true, types: [] };
    await writeFile(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["apps", "packages", "tooling"] }));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
    const command = join(root, "node_modules/oxlint/bin/oxlint");
    const run = spawnSync(process.execPath, [command, "--format=json", ...Object.keys(files)], { cwd: directory, encoding: "utf8" });
    return read(run.stdout, run.stderr);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function read(output: string, problem: string): Complaint[] {
  try {
    const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string; code?: string; message: string }[] };
    return diagnostics.map(({ filename, code, message }) => ({ file: filename, rule: code ?? message, message }));
  } catch {
    throw new Error(`The linter did not answer:\n${output}\n${problem}`);
  }
}
