import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "puppeteer-core";

// Looks at, and changes, what a browser keeps, behind the back of the library.

/** A change that a queue knows nothing of. */
export type Change = { table: string; put: unknown; key?: number | string } | { table: string; delete: number | string };

/** Rows of a table, as they stand in the database of a page's origin. */
export async function rowsOf<T>(page: Page, database: string, table: string): Promise<T[]> {
  const rows = await page.evaluate(
    async (name, table) => {
      const opening = indexedDB.open(name);
      await new Promise((resolve) => opening.addEventListener("success", resolve));
      const reading = opening.result.transaction(table).objectStore(table).getAll();
      await new Promise((resolve) => reading.addEventListener("success", resolve));
      opening.result.close();
      return reading.result as unknown[];
    },
    database,
    table,
  );
  return rows as T[];
}

/** Rows that wait. What the queue says of itself may wait for its lock. */
export async function headsOf(panel: Page): Promise<{ wait?: object; rank: number }[]> {
  return await rowsOf(panel, "periscope-sync", "heads");
}

/** Changes a database of a page's origin. */
export async function changeDatabase(page: Page, database: string, changes: readonly Change[]): Promise<void> {
  await page.evaluate(
    async (name, changes) => {
      const opening = indexedDB.open(name);
      await new Promise((resolve) => opening.addEventListener("success", resolve));
      const tables = [...new Set(changes.map(({ table }) => table))];
      const tx = opening.result.transaction(tables, "readwrite");
      for (const change of changes) {
        const table = tx.objectStore(change.table);
        if ("delete" in change) table.delete(change.delete);
        else table.put(change.put, change.key);
      }
      await new Promise((resolve, reject) => {
        tx.addEventListener("complete", resolve);
        tx.addEventListener("abort", () => reject(tx.error ?? new Error("It was aborted.")));
      });
      opening.result.close();
    },
    database,
    changes as Change[],
  );
}

/** Opens a database and does not give way to a newer version. The returned function lets go. */
export async function holdDatabase(page: Page, name: string): Promise<() => Promise<void>> {
  const held = await page.evaluateHandle(async (name) => {
    const opening = indexedDB.open(name);
    await new Promise((resolve) => opening.addEventListener("success", resolve));
    return opening.result;
  }, name);
  return async () => {
    await held.evaluate((database) => database.close());
    await held.dispose();
  };
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
