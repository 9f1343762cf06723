import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("../../..", import.meta.url));

const node22 = join(dirname(require.resolve("node-22/package.json")), "bin", "node");
const deno = platformBinary("deno", denoPackage(), "deno");
const bun = platformBinary("bun", `@oven/bun-${process.platform}-${bunArch()}`, "bin/bun");

/** The runtimes that the client is promised for, each as the command that runs a TypeScript file. All come from the npm registry. */
export const runtimes: Readonly<Record<string, readonly string[]>> = {
  "Node 22": [node22],
  "Node 24": [join(root, "node_modules", "node-runtime", "bin", "node")],
  Deno: [deno, "run", "--quiet", "--allow-net", "--allow-env=PERISCOPE_LOG", "--node-modules-dir=manual"],
  Bun: [bun, "run"],
};

/** How a runtime runs a test suite: the command that runs vitest, and where vitest's tests are then in that same runtime, and end. */
export interface SuiteRunner {
  command: readonly string[];
  pool: "forks" | "threads";
}

/** The runtimes in which the client's test suite runs beside Node 24, where it is at home. */
export const suiteRunners: Readonly<Record<string, SuiteRunner>> = {
  "Node 22": { command: [node22], pool: "forks" },
  // Its threads cannot be given what vitest gives them.
  Deno: { command: [deno, "run", "--quiet", "--allow-all", "--node-modules-dir=manual"], pool: "forks" },
  // What vitest asks of a child process is not all there; "--bun" keeps scripts from being handed to Node.
  Bun: { command: [bun, "--bun"], pool: "threads" },
};

/** A binary of the package that the registry has for this platform: beside the package that chooses it, which would copy it on install. */
function platformBinary(chooser: string, name: string, path: string): string {
  const beside = createRequire(require.resolve(`${chooser}/package.json`));
  return join(dirname(beside.resolve(`${name}/package.json`)), path);
}

function denoPackage(): string {
  return `@deno/${process.platform}-${process.arch}${process.platform === "linux" ? "-glibc" : ""}`;
}

function bunArch(): string {
  return process.arch === "arm64" ? "aarch64" : process.arch;
}
