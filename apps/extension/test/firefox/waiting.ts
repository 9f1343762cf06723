import type { ExtensionTab } from "./extension-tab.ts";

/** How many messages wait, as the extension's background says. */
export async function waiting(tab: ExtensionTab): Promise<number> {
  return await tab.run(async () => {
    const answer = await chrome.runtime.sendMessage({ periscope: 1, kind: "call", method: "status", args: [] });
    return answer.value.waiting as number;
  });
}

/** All that is in the extension's databases and its storage, as JSON. */
export async function allOnDisk(tab: ExtensionTab): Promise<string> {
  return await tab.run(async () => {
    const done = (request: IDBRequest) => new Promise((resolve) => request.addEventListener("success", () => resolve(request.result)));
    const found: unknown[] = [await chrome.storage.local.get()];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = (await done(indexedDB.open(name))) as IDBDatabase;
      for (const store of database.objectStoreNames) found.push(await done(database.transaction(store).objectStore(store).getAll()));
      database.close();
    }
    return JSON.stringify(found);
  });
}
