import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { readReadme } from "../test/readme-snippets.js";
import type { ExtensionApis } from "./background/index.js";
import { fakeBrowser, fakeService, manualClock } from "../test/testing/index.js";

/** What each program prints, in order; events are left out. */
const printed = [[], [[0, "no error"]], [["queued"], [1, "empty", null]]];

test("every program of the README runs, and prints what it says", async () => {
  const { ts } = await readReadme();
  expect(ts).toHaveLength(printed.length);
  const folder = join(import.meta.dirname, "../.cache/snippets");
  await mkdir(folder, { recursive: true });
  vi.stubGlobal("fetch", fakeService().fetch);
  stubBrowser();
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    for (const [index, code] of ts.entries()) {
      const file = join(folder, `${index}.ts`);
      await writeFile(file, code);
      // Each is a program of its own.
      globalThis.indexedDB = new IDBFactory();
      log.mockClear();
      await import(file);
      // Its work may go on when it is loaded.
      await expect.poll(() => log.mock.calls.filter(([first]) => (first as { type?: unknown }).type === undefined)).toEqual(printed[index]);
    }
  } finally {
    log.mockRestore();
    // Other files may run in this process.
    Reflect.deleteProperty(globalThis, "chrome");
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
