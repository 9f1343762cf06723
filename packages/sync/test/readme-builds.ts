import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { WriteExtension } from "./readme-browser.js";
import type { Bundler, Readme } from "./readme-snippets.js";

const root = join(import.meta.dirname, "..");
const entries = ["background", "content", "core"];

const filesOf: Readonly<Record<Bundler, readonly string[]>> = {
  esbuild: ["manifest.json", "background.ts", "content.js"],
  vite: ["manifest.json", "background.ts", "content.js", "vite.config.js"],
  wxt: ["wxt.config.js", "entrypoints/background.js", "entrypoints/content.js"],
};

/** Builds the README's first extension by its own commands, as in a project that has the packages installed. Its key names the program that builds. */
export const builtWith =
  ({ files, commands }: Readme, bundler: Bundler): WriteExtension =>
  async (folder, port) => {
    await installSync(join(folder, "node_modules", "@periscope", "sync"));
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "first-extension", version: "1.0.0", type: "module" }));
    for (const name of filesOf[bundler]) {
      const code = (files.get(name) ?? "").replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`).replaceAll("psk_example", `psk_${bundler}`);
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), code);
    }
    const bins = [join(root, "node_modules/.bin"), join(root, "../../node_modules/.bin")].join(":");
    await promisify(execFile)("sh", ["-ec", commands.get(bundler) ?? "exit 1"], {
      cwd: folder,
      env: { ...process.env, PATH: `${bins}:${process.env["PATH"]}`, NODE_ENV: "production", WXT_TELEMETRY_DISABLED: "1" },
    });
    return join(folder, bundler === "wxt" ? ".output/chrome-mv3" : "dist");
  };

/** The package as npm would install it, made of the sources. */
async function installSync(folder: string): Promise<void> {
  await build({
    entryPoints: entries.map((entry) => join(root, "src", entry, "index.ts")),
    outdir: join(folder, "dist"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    conditions: ["@periscope/source"],
    logLevel: "silent",
  });
  const exports = Object.fromEntries(entries.map((entry) => [`./${entry}`, `./dist/${entry}/index.js`]));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "@periscope/sync", type: "module", sideEffects: false, exports }));
}
