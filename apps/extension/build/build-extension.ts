import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";
import { manifestOf, type ManifestOptions } from "./manifest.ts";

const staticFiles = fileURLToPath(new URL("../static", import.meta.url));
const styles = [import.meta.resolve("@periscope/design/tokens.css"), import.meta.resolve("@periscope/design/controls.css")];
const pdfjs = import.meta.resolve("pdfjs-dist/package.json");
/** What pdf.js loads when it needs it: its worker, and what characters there are in the fonts of East Asia. */
const pdfFiles = ["legacy/build/pdf.worker.min.mjs", "cmaps"];

/** Builds the extension for a browser into a folder that the browser can load, in place of what was there. */
export async function buildExtension(folder: string, options: ManifestOptions): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(staticFiles, folder, { recursive: true });
  for (const url of styles) await cp(fileURLToPath(url), join(folder, basename(url)));
  await mkdir(join(folder, "pdf"));
  for (const path of pdfFiles) await cp(fileURLToPath(new URL(path, pdfjs)), join(folder, "pdf", basename(path)), { recursive: true });
  await bundle(options.browser, folder);
  await writeFile(join(folder, "manifest.json"), `${JSON.stringify(manifestOf(options), null, 2)}\n`);
}
