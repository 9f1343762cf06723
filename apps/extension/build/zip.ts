import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { type Zippable, zipSync } from "fflate";

/** The time of every file in an archive: the first one that the format knows. It is written in local time, so that this is the same everywhere. */
const fixedTime = new Date(1980, 0, 1);

/** The archive of a folder. The same files make the same bytes, wherever and whenever: sorted names, fixed times, no modes. */
export async function zipFolder(folder: string): Promise<Uint8Array> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files: Zippable = {};
  for (const path of paths.toSorted()) {
    files[relative(folder, path).split(sep).join("/")] = new Uint8Array(await readFile(path));
  }
  return zipSync(files, { level: 9, mtime: fixedTime, os: 3, attrs: 0 });
}
