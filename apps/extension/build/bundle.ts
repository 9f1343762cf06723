import { fileURLToPath } from "node:url";
import { build, type BuildOptions } from "esbuild";
import { type Browser, oldest } from "./manifest.ts";

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** Modules of the extension's own pages and of its worker. */
const modules = {
  background: source("background/main.ts"),
  popup: source("popup/main.ts"),
  options: source("options/main.ts"),
  welcome: source("welcome/main.ts"),
  pdf: source("pdf/main.ts"),
};

/** The scripts of the extension, not minified: whoever installs it can read what it does. */
export async function bundle(browser: Browser, outdir: string): Promise<void> {
  const shared: BuildOptions = {
    outdir,
    bundle: true,
    target: [browser === "firefox" ? `firefox${Number.parseInt(oldest.firefox, 10)}` : `chrome${oldest.chromium}`],
    conditions: ["@periscope/source"],
    platform: "browser",
    legalComments: "inline",
    charset: "utf8",
    logLevel: "warning",
  };
  await build({ ...shared, entryPoints: modules, format: "esm", splitting: true, chunkNames: "chunks/[name]-[hash]" });
  // Browsers run content scripts as plain scripts.
  await build({
    ...shared,
    entryPoints: { content: source("content/main.ts") },
    format: "iife",
  });
}
