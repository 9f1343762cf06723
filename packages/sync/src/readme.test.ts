import "fake-indexeddb/auto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { fakeService } from "./testing/index.js";

test("every snippet of the README runs, and prints what it says", async () => {
  const readme = await readFile(join(import.meta.dirname, "../README.md"), "utf8");
  const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  const folder = join(import.meta.dirname, "../.cache/snippets");
  await mkdir(folder, { recursive: true });
  vi.stubGlobal("fetch", fakeService().fetch);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    for (const [index, code] of snippets.entries()) {
      const file = join(folder, `${index}.ts`);
      await writeFile(file, code);
      await import(file);
    }
    const printed = log.mock.calls.filter(([first]) => typeof first !== "object").map((words) => words.join(" "));
    expect(printed).toEqual(["queued", "1 empty ", "blocked 1", "1"]);
  } finally {
    log.mockRestore();
    await rm(folder, { recursive: true });
  }
});
