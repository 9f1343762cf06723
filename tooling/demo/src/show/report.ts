import { Context, HistoryPage, SearchPage } from "@periscope/schemas";
import type { ApiClient } from "../api-client.ts";
import type { SyncTally } from "../sync/sync-pages.ts";
import { renderTable, type Column } from "./table.ts";
import { fit, oneLine, wrap } from "./text-width.ts";

const width = 100;
const historyLimit = 10;
const resultLimit = 5;
const contentColumns = 84;
const snippetColumns = 86;

const facts: readonly Column[] = [{ title: "field" }, { title: "value", minimum: 20 }];
const visits: readonly Column[] = [{ title: "captured" }, { title: "title", minimum: 20 }, { title: "address", minimum: 20 }];
const hits: readonly Column[] = [
  { title: "#", align: "right" },
  { title: "relevance", align: "right" },
  { title: "page", minimum: 40 },
];

/** What the sync did: counts, why pages failed, what the privacy filter removed. */
export function syncReport({ synced, failed, requests, failures, levels, redactions }: SyncTally): string[] {
  return [
    `Synced ${number(synced)} pages in ${number(requests)} requests, ${number(failed)} failed.`,
    ...[...failures].map(([reason, times]) => fit(`  ${number(times)} × ${oneLine(reason)}`, width)),
    ...wrap(`Stored as ${listed(levels)}. Removed by the privacy filter: ${listed(redactions)}.`, width, 3),
  ];
}

/** The context that the user looks at now. */
export async function currentReport(api: ApiClient): Promise<string[]> {
  const current = await api.get("/context/current", {}, Context);
  const rows = [
    ["title", oneLine(current.title)],
    ["address", current.url],
    ["captured", current.timestamp],
    ["privacy", current.privacyLevel],
    ["metadata", oneLine(JSON.stringify(current.metadata))],
    [current.contentFormat, wrap(current.content.slice(0, 1_000), contentColumns, 3).join("\n")],
  ];
  return ["current: what is viewed now", ...renderTable(facts, rows, width)];
}

/** The first page of history. */
export async function historyReport(api: ApiClient): Promise<string[]> {
  const { contexts, total } = await api.get("/context/history", { limit: historyLimit }, HistoryPage);
  const rows = contexts.map(({ timestamp, title, url }) => [timestamp.slice(0, 19).replace("T", " "), oneLine(title), url]);
  return [`history: the newest ${contexts.length} of ${number(total)}`, ...renderTable(visits, rows, width)];
}

/**
 * Ranked results of one query, with their snippets.
 * @throws Error when nothing was found
 */
export async function searchReport(api: ApiClient, query: string): Promise<string[]> {
  const started = performance.now();
  const { results, total, totalIsExact } = await api.get("/context/search", { query, limit: resultLimit }, SearchPage);
  const milliseconds = Math.ceil(performance.now() - started);
  if (results.length === 0) throw new Error(`The search for ${query} found nothing.`);
  const rows = results.map(({ relevance, title, url, snippet }, index) => [
    String(index + 1),
    relevance.toFixed(2),
    [oneLine(title), url, ...wrap(snippet, snippetColumns, 3)].join("\n"),
  ]);
  const found = `${totalIsExact ? "" : "more than "}${number(total)} found in ${milliseconds} ms`;
  return [`search: ${query} — ${found}`, ...renderTable(hits, rows, width)];
}

function listed(counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return "nothing";
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, times]) => `${number(times)} ${name}`)
    .join(", ");
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
