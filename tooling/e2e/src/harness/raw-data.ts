import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JSHandle, Page } from "puppeteer-core";

// Looks at, and changes, what a browser keeps, behind the back of the library.

/** Opens a database of a page's origin. */
async function openDatabase(page: Page, name: string): Promise<JSHandle<IDBDatabase>> {
  return await page.evaluateHandle(async (name) => {
    const opening = indexedDB.open(name);
    await new Promise((resolve) => opening.addEventListener("success", resolve));
    return opening.result;
  }, name);
}

async function closeDatabase(opened: JSHandle<IDBDatabase>): Promise<void> {
  await opened.evaluate((database) => database.close());
  await opened.dispose();
}

/** Messages that wait, as they stand in the queue's database. What the queue says of itself may wait for its lock. */
export async function headsOf(page: Page, name = "periscope-sync"): Promise<{ id: string; wait?: object; rank: number }[]> {
  const opened = await openDatabase(page, name);
  const rows = await opened.evaluate(async (database) => {
    const reading = database.transaction("heads").objectStore("heads").getAll();
    await new Promise((resolve) => reading.addEventListener("success", resolve));
    return reading.result as { id: string; wait?: object; rank: number }[];
  });
  await closeDatabase(opened);
  return rows;
}

/** Has the queue forget how many contexts each site had in the last minute. */
export async function forgetTurns(panel: Page): Promise<void> {
  const opened = await openDatabase(panel, "periscope-sync");
  await opened.evaluate(async (database) => {
    const tx = database.transaction("state", "readwrite");
    tx.objectStore("state").delete("turns");
    await new Promise((resolve) => tx.addEventListener("complete", resolve));
  });
  await closeDatabase(opened);
}

/** Files below directories whose bytes hold a text, in one byte or two for each character. */
export async function filesWith(directories: readonly string[], text: string): Promise<string[]> {
  const needles = [Buffer.from(text), Buffer.from(text, "utf16le")];
  const found: string[] = [];
  for (const directory of directories) {
    for await (const entry of glob("**/*", { cwd: directory, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
        // A browser removes files of its own at any moment.
        if (error.code === "ENOENT") return Buffer.alloc(0);
        throw error;
      });
      if (needles.some((needle) => bytes.includes(needle))) found.push(path);
    }
  }
  return found;
}
