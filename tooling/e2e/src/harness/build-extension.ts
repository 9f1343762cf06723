import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Config } from "../../extension/sync/config.ts";

const source = fileURLToPath(new URL("../../extension/", import.meta.url));

/** Bundles programs of the browser from the sources of this repository. */
async function bundle(outdir: string, entries: Record<string, string>, config?: Config): Promise<void> {
  await build({
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(source, path)])),
    outdir,
    bundle: true,
    format: "iife",
    platform: "browser",
    conditions: ["@periscope/source"],
    logLevel: "error",
    ...(config !== undefined && { define: { config: JSON.stringify(config) } }),
  });
}

const pageWith = (script: string) => `<!doctype html><meta charset="utf-8"><title>Test</title><script src="${script}"></script>`;

/** The manifest of the extension that holds the queue's core. */
export const manifestOf = (version: string): object => ({
  manifest_version: 3,
  name: "Queue under test",
  version,
  background: { service_worker: "worker.js" },
  host_permissions: ["<all_urls>"],
});

/** Builds the extension that holds the queue's core, unpacked, into a directory. */
export async function buildQueueExtension(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await bundle(directory, { worker: "queue/worker.ts", driver: "queue/driver.ts" });
  await writeFile(join(directory, "driver.html"), pageWith("driver.js"));
  await writeFile(join(directory, "manifest.json"), JSON.stringify(manifestOf("1.0.0")));
}

/** Builds the extension that is made of the library's background and content entries, unpacked, into a directory. */
export async function buildSyncExtension(directory: string, config: Config): Promise<void> {
  await mkdir(directory, { recursive: true });
  await bundle(directory, { background: "sync/background.ts", content: "sync/content.ts", panel: "sync/panel.ts" }, config);
  await writeFile(join(directory, "panel.html"), pageWith("panel.js"));
  const hosts = ["http://127.0.0.1/*", "http://localhost/*"];
  const manifest = {
    manifest_version: 3,
    name: "Sync under test",
    version: "1.0.0",
    background: { service_worker: "background.js" },
    content_scripts: [{ matches: hosts, js: ["content.js"], run_at: "document_start" }],
    permissions: ["alarms", "scripting", "storage", "webNavigation"],
    host_permissions: hosts,
  };
  await writeFile(join(directory, "manifest.json"), JSON.stringify(manifest));
}
