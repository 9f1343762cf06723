import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The runtimes that the client is promised for, each as the command that runs a TypeScript file. All come from the npm registry. */
export const runtimes: Readonly<Record<string, readonly string[]>> = {
  "Node 22": [join(dirname(require.resolve("node-22/package.json")), "bin", "node")],
  "Node 24": [join(root, "node_modules", "node-runtime", "bin", "node")],
  Deno: [
    platformBinary("deno", denoPackage(), "deno"),
    "run",
    "--quiet",
    "--allow-net",
    "--allow-env=PERISCOPE_LOG",
    "--node-modules-dir=manual",
  ],
  Bun: [platformBinary("bun", `@oven/bun-${process.platform}-${bunArch()}`, "bin/bun"), "run"],
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
