import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { ExtensionApis } from "./background/index.js";
import { fakeBrowser, fakeService, manualClock } from "./testing/index.js";

test("every snippet of the README runs, and prints what it says", async () => {
  const readme = await readFile(join(import.meta.dirname, "../README.md"), "utf8");
  const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  const folder = join(import.meta.dirname, "../.cache/snippets");
  await mkdir(folder, { recursive: true });
  vi.stubGlobal("fetch", fakeService().fetch);
  stubBrowser();
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    for (const [index, code] of snippets.entries()) {
      const file = join(folder, `${index}.ts`);
      await writeFile(file, code);
      // Each is a program of its own.
      globalThis.indexedDB = new IDBFactory();
      await import(file);
    }
    const printed = log.mock.calls.filter(([first]) => typeof first !== "object").map((words) => words.join(" "));
    expect(printed).toEqual(["0", "0 no error", "queued", "1 empty ", "blocked 1", "1", "periscope-sync", "1 0"]);
    expect(log.mock.calls[0]).toEqual([{ status: "blocked", rule: "blocked-site" }]);
  } finally {
    log.mockRestore();
    await rm(folder, { recursive: true });
  }
});

/** `chrome` of a background that starts when it is asked for. */
function stubBrowser(): void {
  const browser = fakeBrowser(manualClock());
  let apis: ExtensionApis | undefined;
  Object.defineProperty(globalThis, "chrome", {
    configurable: true,
    get() {
      apis ??= browser.start();
      return { ...apis, runtime: { ...apis.runtime, ...browser.pages } };
    },
  });
}
