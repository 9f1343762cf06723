import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Config } from "../../extension/config.ts";

const source = fileURLToPath(new URL("../../extension/", import.meta.url));

const common = { manifest_version: 3, name: "Under test", version: "1.0.0", background: { service_worker: "background.js" } };
const hosts = ["http://127.0.0.1/*", "http://localhost/*"];

/** Manifests by extension: the one that holds the queue's core, and the one of the library's background and content entries. */
export const manifests = {
  queue: { ...common, host_permissions: ["<all_urls>"] },
  sync: {
    ...common,
    content_scripts: [{ matches: hosts, js: ["content.js"], run_at: "document_start" }],
    permissions: ["alarms", "scripting", "storage", "webNavigation"],
    host_permissions: hosts,
  },
};

/** Builds an extension from the sources of this repository, unpacked, into a directory. */
export async function buildExtension(name: keyof typeof manifests, directory: string, config: Config): Promise<void> {
  const manifest = manifests[name];
  const scripts = ["background", "panel", ...("content_scripts" in manifest ? ["content"] : [])];
  await build({
    entryPoints: scripts.map((script) => join(source, name, `${script}.ts`)),
    outdir: directory,
    bundle: true,
    format: "iife",
    platform: "browser",
    conditions: ["@periscope/source"],
    logLevel: "error",
    define: { config: JSON.stringify(config) },
  });
  await writeFile(
    join(directory, "panel.html"),
    '<!doctype html><meta charset="utf-8"><title>Test</title><script src="panel.js"></script>',
  );
  await writeFile(join(directory, "manifest.json"), JSON.stringify(manifest));
}
