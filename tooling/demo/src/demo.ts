import { fileURLToPath } from "node:url";
import { ApiClient } from "./api-client.ts";
import { readFolderPages } from "./pages/folder-pages.ts";
import { readPackagePages } from "./pages/package-pages.ts";
import type { Page } from "./pages/page.ts";
import { packageQueries, queriesFor } from "./queries.ts";
import { startServer } from "./server/start-server.ts";
import { temporaryDirectory } from "./server/temporary-directory.ts";
import { progressBar, type ProgressOutput } from "./show/progress.ts";
import { currentReport, historyReport, searchReport, syncReport } from "./show/report.ts";
import { wrap } from "./show/text-width.ts";
import { syncPages } from "./sync/sync-pages.ts";

const packageStore = fileURLToPath(new URL("../../../node_modules/.pnpm", import.meta.url));

export interface DemoOptions {
  /** Folder of HTML or Markdown pages; without it, the documentation of the installed packages. */
  folder?: string | undefined;
  output: ProgressOutput;
  signal: AbortSignal;
}

/**
 * Starts a server over an empty database, syncs pages into it, shows what it answers, and stops it.
 * Nothing is left behind, whether it ends well, fails or is aborted.
 * @returns how many pages the server refused
 */
export async function runDemo({ folder, output, signal }: DemoOptions): Promise<number> {
  const print = (lines: readonly string[]) => output.write(`${lines.join("\n")}\n\n`);
  const started = performance.now();
  const pages = folder === undefined ? readPackagePages(packageStore) : readFolderPages(folder);
  await using directory = await temporaryDirectory("periscope-demo-");
  await using server = await startServer({ dataDir: directory.path, signal });
  print([...wrap(readReport(pages, folder), 100, 3), `Server at ${server.baseUrl} over a temporary database.`]);

  const api = new ApiClient(server.baseUrl, server.key, signal);
  const tally = await syncPages(api, pages, progressBar(output, "Syncing", pages.length));
  print(syncReport(tally));
  print(await currentReport(api));
  print(await historyReport(api));
  const queries = folder === undefined ? packageQueries : queriesFor(pages);
  if (queries.length === 0) print(["search: no title has a word to search for"]);
  for (const query of queries) print(await searchReport(api, query));
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  print([`${Math.round(tally.synced / tally.seconds).toLocaleString("en-US")} pages/s synced; ${seconds} s in all.`]);
  return tally.failed;
}

function readReport(pages: readonly Page[], folder: string | undefined): string {
  const characters = pages.reduce((sum, { content }) => sum + content.length, 0);
  const files = new Set(pages.map(({ url }) => url.replace(/#.*/, ""))).size;
  const source = folder ?? `${new Set(pages.map(({ origin }) => origin["package"])).size} installed packages`;
  const count = (value: number) => value.toLocaleString("en-US");
  return `Read ${count(pages.length)} pages in ${count(files)} documents of ${source}: ${(characters / 1e6).toFixed(1)} million characters.`;
}
