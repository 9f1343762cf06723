import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { NewMessage } from "@periscope/client";
import { type Page, readFolderPages, readPackagePages } from "@periscope/harness/pages";
import { startServer } from "@periscope/harness/server";
import { runUntilStopped } from "@periscope/harness/stop";
import { renderTable } from "@periscope/harness/table";

// Usage: pnpm demo [DIR]. Syncs pages into a temporary database, and shows what the service answers.

const packageQueries = ["remote cache in continuous integration", '"json schema" validation errors', "parse command line options"];

await runUntilStopped(async (signal) => {
  const [folder] = process.argv.slice(2).filter((argument) => argument !== "--");
  // pnpm runs scripts in another folder than the one where the command was given.
  const pages = folder === undefined ? readPackagePages(1_000) : readFolderPages(resolve(process.env["INIT_CWD"] ?? ".", folder));
  const queries = folder === undefined ? packageQueries : queriesFor(pages);
  if ((await runDemo(pages, queries, signal)) > 0) process.exitCode = 1;
});

/** Returns how many pages the server refused. Leaves nothing behind. */
async function runDemo(pages: readonly Page[], queries: readonly string[], signal: AbortSignal): Promise<number> {
  console.log(`Read ${count(pages.length)} pages with ${count(pages.reduce((sum, { content }) => sum + content.length, 0))} characters.`);
  await using server = await startServer({ signal });
  console.log(`Server at ${server.baseUrl} over a temporary database.\n`);
  const started = performance.now();
  const { synced, failed, items } = await server.client.syncAll(pages.map(messageOf), { signal });
  const seconds = (performance.now() - started) / 1_000;
  console.log(`Synced ${count(synced)} pages, ${failed} failed: ${count(synced / seconds)} pages a second.`);
  for (const item of items) if (item.status === "failed") console.log(`  ${item.code}: ${oneLine(item.message)}`);
  console.log("");

  const current = await server.client.current({ maxChars: 300 });
  console.log(`current: ${oneLine(current?.title ?? "")}, ${current?.url}\n  ${oneLine(current?.content ?? "").slice(0, 96)}…\n`);
  const history = await server.client.history({ limit: 8 });
  console.log(`history: the newest of ${count(history.total)}`);
  const rows = history.items.map(({ timestamp, title, url }) => [timestamp.slice(11, 19), cut(title, 45), cut(url, 42)]);
  console.log(`${renderTable([["at", "title", "address"], ...rows])}\n`);
  for (const query of queries) {
    const asked = performance.now();
    const { items: hits, total } = await server.client.search({ query, limit: 5 }, { signal });
    const ms = Math.ceil(performance.now() - asked);
    if (hits.length === 0) throw new Error(`The search for ${query} found nothing.`);
    console.log(`search: ${query} — ${count(total)} found in ${ms} ms`);
    for (const { relevance, title, url, snippet } of hits)
      console.log(`  ${relevance.toFixed(2)}  ${cut(title, 88)}\n        ${cut(url, 88)}\n        ${cut(snippet, 88)}`);
    console.log("");
  }
  return failed;
}

/** The message that an extension would send: visits a second apart, of which the last is now. */
function messageOf({ url, title, content, format, origin }: Page, index: number, { length }: { length: number }): NewMessage {
  const tabId = `tab-${(index % 12) + 1}`;
  const capturedAt = new Date(Date.now() - (length - 1 - index) * 1_000).toISOString();
  const tabMetadata = { id: tabId, url, title, isActive: true };
  const context = {
    id: `page-${index}`,
    type: "page",
    tabId,
    capturedAt,
    content,
    contentFormat: format,
    tabMetadata,
    metadata: origin,
  } as const;
  return { type: "create", payload: { context } };
}

/** Three queries that a folder can answer: the rarest words of titles from its beginning, middle and end. */
function queriesFor(pages: readonly Page[]): string[] {
  const titles = pages.map(({ title }) => [...new Set(title.toLowerCase().match(/\p{L}{4,20}/gu) ?? [])]);
  const uses = new Map<string, number>();
  for (const word of titles.flat()) uses.set(word, (uses.get(word) ?? 0) + 1);
  const wanted = [0, 0.5, 1].map((part) => Math.round(part * (titles.length - 1)));
  const rarest = wanted.map(
    (at) =>
      titles[at]
        ?.toSorted((a, b) => (uses.get(a) ?? 0) - (uses.get(b) ?? 0))
        .slice(0, 2)
        .join(" ") ?? "",
  );
  return [...new Set(rarest.filter((query) => query !== ""))];
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** A line that cannot control a terminal. */
function oneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function cut(text: string, length: number): string {
  const line = oneLine(text);
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
