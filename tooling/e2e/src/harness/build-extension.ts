import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = fileURLToPath(new URL("../../extension/queue/", import.meta.url));

/** Bundles a program of the browser from the sources of this repository. */
async function bundle(entry: string, outfile: string): Promise<void> {
  await build({ entryPoints: [join(source, entry)], outfile, bundle: true, format: "iife", platform: "browser", conditions: ["@periscope/source"], logLevel: "error" });
}

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
  await Promise.all([
    bundle("worker.ts", join(directory, "worker.js")),
    bundle("driver.ts", join(directory, "driver.js")),
    writeFile(join(directory, "driver.html"), '<!doctype html><meta charset="utf-8"><title>Driver</title><script src="driver.js"></script>'),
    writeFile(join(directory, "manifest.json"), JSON.stringify(manifestOf("1.0.0"))),
  ]);
}
