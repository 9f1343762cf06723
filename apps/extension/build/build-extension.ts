import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";
import { manifestOf, type ManifestOptions } from "./manifest.ts";

const staticFiles = fileURLToPath(new URL("../static", import.meta.url));

/** Builds the extension for a browser into a folder that the browser can load, in place of what was there. */
export async function buildExtension(folder: string, options: ManifestOptions): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(staticFiles, folder, { recursive: true });
  await bundle(options.browser, folder);
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifestOf(options), null, 2)}\n`);
}
