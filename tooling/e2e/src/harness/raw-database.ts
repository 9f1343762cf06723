import type { Page } from "puppeteer-core";

/** A change that a queue knows nothing of. */
export type Change = { table: string; put: unknown; key?: number } | { table: string; delete: number };

/** Changes the browser's database behind the queue's back, from a page of the same origin. */
export async function changeDatabase(page: Page, name: string, changes: readonly Change[]): Promise<void> {
  await page.evaluate(
    async (name: string, changes: readonly Change[]) => {
      const opening = indexedDB.open(name);
      await new Promise((resolve) => opening.addEventListener("success", resolve));
      const database = opening.result;
      const tx = database.transaction(["heads", "bodies"], "readwrite");
      for (const change of changes) {
        const table = tx.objectStore(change.table);
        if ("delete" in change) table.delete(change.delete);
        else table.put(change.put, change.key);
      }
      await new Promise((resolve, reject) => {
        tx.addEventListener("complete", resolve);
        tx.addEventListener("abort", () => reject(tx.error ?? new Error("It was aborted.")));
      });
      database.close();
    },
    name,
    changes as Change[],
  );
}

/** Opens a database and does not give way to a newer version; the returned function lets go. */
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
