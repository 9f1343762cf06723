import type { Page } from "puppeteer-core";

/** Rows that wait, as they stand in the browser's database: what the queue says of itself may wait for its lock. */
export async function headsOf(panel: Page): Promise<{ wait?: object; rank: number }[]> {
  return await panel.evaluate(async () => {
    const opening = indexedDB.open("periscope-sync");
    await new Promise((resolve) => opening.addEventListener("success", resolve));
    const reading = opening.result.transaction("heads").objectStore("heads").getAll();
    await new Promise((resolve) => reading.addEventListener("success", resolve));
    opening.result.close();
    return reading.result;
  });
}

/** Forgets how many contexts each site has stored in the last minute, so that the next row need not wait for its site's turn. */
export async function clearTurns(panel: Page): Promise<void> {
  await panel.evaluate(async () => {
    const opening = indexedDB.open("periscope-sync");
    await new Promise((resolve) => opening.addEventListener("success", resolve));
    const transaction = opening.result.transaction("state", "readwrite");
    transaction.objectStore("state").delete("turns");
    await new Promise((resolve) => transaction.addEventListener("complete", resolve));
    opening.result.close();
  });
}
