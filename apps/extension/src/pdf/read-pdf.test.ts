import { createPdf } from "@periscope/harness/pdf";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { buildExtension } from "../../build/build-extension.ts";
import { startSite } from "../../test/local-site.ts";

/** What Chrome has from 124, 128 and 145 on, and Firefox from 144 on. */
const tooNew = [
  [ReadableStream.prototype, Symbol.asyncIterator],
  [Promise, "try"],
  [Map.prototype, "getOrInsertComputed"],
] as const;

function makeOld(): void {
  for (const [owner, name] of tooNew) Reflect.deleteProperty(owner, name);
}

test("reads a PDF in the oldest browsers that the extension is for", async () => {
  await using site = await startSite({ "/lamps.pdf": createPdf("Lamps", "The keeper lights the lamp."), "/lamps": "<p>No PDF." });
  const folder = await mkdtemp(join(tmpdir(), "periscope-pdf-"));
  const fileOf = (path: string) => pathToFileURL(join(folder, path)).href;
  try {
    await buildExtension(folder, { browser: "chrome", version: "1.0.0" });
    makeOld();
    // In a browser the worker is by itself, so it has to bring what is missing.
    await import(fileOf("pdf/pdf.worker.min.mjs"));
    expect([Reflect.has(Promise, "try"), Reflect.has(Map.prototype, "getOrInsertComputed")]).toEqual([true, true]);
    makeOld();
    const { readPdf } = await import("./read-pdf.js");
    expect(await readPdf(`${site.url}/lamps.pdf`, fileOf)).toEqual({
      content: "The keeper lights the lamp.",
      contentFormat: "text",
      title: "Lamps",
      metadata: { pages: 1, byline: "Ada" },
    });
    expect(await readPdf(`${site.url}/lamps`, fileOf)).toBeUndefined();
  } finally {
    await rm(folder, { recursive: true });
  }
});
