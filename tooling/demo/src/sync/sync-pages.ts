import { BatchResult, type ItemResult } from "@periscope/schemas";
import type { ApiClient } from "../api-client.ts";
import type { Page } from "../pages/page.ts";
import { batchesOf } from "./batches.ts";
import { pageMessage } from "./page-message.ts";

/** Between two visits. Milliseconds. */
const visitMs = 1_000;

/** What became of the pages. */
export interface SyncTally {
  synced: number;
  failed: number;
  requests: number;
  seconds: number;
  /** How often each failure came, by its code and message. */
  failures: Map<string, number>;
  /** Stored contexts by effective privacy level. */
  levels: Map<string, number>;
  /** What the privacy filter removed, by kind. */
  redactions: Map<string, number>;
}

/** Syncs pages in batches, as visits of which the last is now; `onProgress` hears how many are done. */
export async function syncPages(api: ApiClient, pages: readonly Page[], onProgress: (done: number) => void): Promise<SyncTally> {
  const tally: SyncTally = { synced: 0, failed: 0, requests: 0, seconds: 0, failures: new Map(), levels: new Map(), redactions: new Map() };
  const started = performance.now();
  for (const batch of batchesOf(messagesOf(pages, Date.now()))) {
    tally.requests += 1;
    const json = `{"id":"batch-${tally.requests}","type":"batch","extensionId":"demo","messages":[${batch.join(",")}]}`;
    const { results } = await api.post("/context/batch-sync", json, BatchResult);
    for (const result of results) count(tally, result);
    onProgress(tally.synced + tally.failed);
  }
  tally.seconds = (performance.now() - started) / 1_000;
  return tally;
}

function* messagesOf(pages: readonly Page[], now: number): Generator<string> {
  for (const [index, page] of pages.entries()) {
    const capturedAt = now - (pages.length - 1 - index) * visitMs;
    yield JSON.stringify(pageMessage(page, { index, capturedAt, now }));
  }
}

function count(tally: SyncTally, { status, error, privacyLevel, redactions }: ItemResult): void {
  if (status === "error") {
    tally.failed += 1;
    add(tally.failures, `${error?.code ?? "error"}: ${error?.message ?? "no reason given"}`, 1);
    return;
  }
  tally.synced += 1;
  if (privacyLevel !== undefined) add(tally.levels, privacyLevel, 1);
  for (const [kind, times] of Object.entries(redactions ?? {})) add(tally.redactions, kind, times ?? 0);
}

function add(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
