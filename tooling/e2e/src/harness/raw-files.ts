import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Files below directories whose bytes hold a text, in one byte or two for each character, or as JSON has it. */
export async function filesWith(directories: readonly string[], text: string): Promise<string[]> {
  const needles = [Buffer.from(text), Buffer.from(text, "utf16le")];
  const found: string[] = [];
  for (const directory of directories) {
    for await (const entry of glob("**/*", { cwd: directory, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const bytes = await readIfThere(path);
      if (needles.some((needle) => bytes.includes(needle))) found.push(path);
    }
  }
  return found;
}

/** A browser removes files of its own at any moment. */
async function readIfThere(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}
