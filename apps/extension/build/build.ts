import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildExtension } from "./build-extension.ts";
import { browsers } from "./manifest.ts";
import { zipFolder } from "./zip.ts";

// Builds dist/chrome, dist/edge and dist/firefox, and beside each the archive that its store takes.

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };

for (const browser of browsers) {
  const folder = join(root, "dist", browser);
  await buildExtension(folder, { browser, version });
  const archive = await zipFolder(folder);
  const name = `periscope-${browser}-${version}.zip`;
  await writeFile(join(root, "dist", name), archive);
  console.log(`dist/${browser}, dist/${name} (${Math.round(archive.length / 1_024)} KB)`);
}
