import { gzipSync } from "node:zlib";
import { join } from "node:path";
import { build } from "esbuild";

/** A program for the browser and what it may weigh. */
export interface Budget {
  name: string;
  /** The program; it resolves packages as one in `apps/server` does. */
  code: string;
  /** Upper bound in bytes of the minified bundle after gzip: a ratchet, lowered when the bundle shrinks. */
  gzipBytesMax: number;
}

const budgets: readonly Budget[] = [
  { name: "one schema", code: 'export { SearchPage } from "@periscope/schemas";', gzipBytesMax: 10_300 },
  { name: "the limits", code: 'export { limits } from "@periscope/schemas";', gzipBytesMax: 350 },
  { name: "error codes", code: 'export { statusOfError } from "@periscope/schemas";', gzipBytesMax: 4_000 },
  {
    name: "every schema",
    code: 'import * as all from "@periscope/schemas"; export const names = Object.keys(all).map((name) => all[name]);',
    gzipBytesMax: 13_400,
  },
  {
    name: "a search with the client",
    code: 'import { Periscope } from "@periscope/client"; export const page = await new Periscope().search("lamp");',
    gzipBytesMax: 15_200,
  },
  {
    name: "a queue in IndexedDB",
    code: 'export { createQueue, idbStore } from "@periscope/sync/core";',
    gzipBytesMax: 13_600,
  },
  {
    name: "the background of an extension, with a filter of its own",
    code: 'import { createContextSync } from "@periscope/sync/background"; createContextSync({});',
    gzipBytesMax: 18_500,
  },
  {
    name: "the background of an extension, with the privacy engine",
    code: 'import { createContextSync } from "@periscope/sync/background"; import { privacyFilter } from "@periscope/sync/core"; createContextSync({ filter: privacyFilter() });',
    gzipBytesMax: 93_500,
  },
  {
    name: "a page of an extension",
    code: 'import { connectContextSync } from "@periscope/sync/background"; connectContextSync();',
    gzipBytesMax: 450,
  },
  {
    name: "capturing in a content script",
    code: 'import { createCapture } from "@periscope/sync/content"; createCapture();',
    gzipBytesMax: 29_800,
  },
];

/** Names the browser bundles that weigh more than they may; nothing when all fit. */
export async function findHeavyBundles(root: string): Promise<string | undefined> {
  const heavy: string[] = [];
  for (const { name, code, gzipBytesMax } of budgets) {
    const bytes = await gzipBytesOf(code, join(root, "apps", "server"));
    if (bytes > gzipBytesMax) heavy.push(`${name}: ${bytes} bytes after gzip, at most ${gzipBytesMax}`);
  }
  return heavy.length === 0 ? undefined : heavy.join("\n");
}

/** Bytes of the minified browser bundle of `code` after gzip. Packages are taken as built, so they must be built before. */
export async function gzipBytesOf(code: string, directory: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: directory },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    // Bare imports of chunks without side effects are dropped, as they should be; esbuild warns of each.
    logLevel: "error",
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}
