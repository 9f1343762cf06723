import type { ContextPatch } from "@periscope/schemas";
import type { PrivacyLevel } from "@periscope/privacy";
import { canonicalJson } from "../formats.js";
import {
  type CaptureOutcome,
  createPrivacyFilter,
  derived,
  type FailedClosed,
  type Filtered,
  type FilterRecipe,
  type PrivacyFilter,
} from "../privacy/privacy-filter.js";
import { searchDocument, type SearchDocument } from "../search/search-document.js";
import { type Capture, searchedText, storableText, toStored } from "./capture.js";
import type { StoredContext } from "./context.store.js";
import { filterPatch, type FilteredPatch } from "./fingerprint.js";

// What worker threads do for a sync: filtering and analysing what messages carry.

/** Something to filter, and what comes out. */
interface Work {
  /** A captured context; `stored` is the one that it updates without new content. */
  capture: { given: { capture: Capture; stored?: StoredContext }; filtered: FilteredCapture };
  /** The given fields of an update, for its fingerprint. Undefined when they are of a page that is not captured. */
  patch: { given: { patch: ContextPatch; level: PrivacyLevel }; filtered: FilteredPatch | undefined };
  /** Settings of an extension. */
  config: { given: { config: Record<string, unknown> }; filtered: Filtered<Record<string, unknown>> };
  /** An extension's error. */
  report: { given: { report: GivenReport }; filtered: ErrorReport };
}

export type WorkKind = keyof Work;
export type FilterItem<Kind extends WorkKind = WorkKind> = { [K in Kind]: { kind: K } & Work[K]["given"] }[Kind];
export type FilteredItem<Kind extends WorkKind = WorkKind> = Work[Kind]["filtered"];

/** The task `filter` of a worker thread. */
export interface FilterTask {
  input: { filter: FilterRecipe & { name: string }; items: readonly FilterItem[] };
  output: { filtered: FilteredItem[]; failures: FailedClosed[] };
}

/** A capture after the slow part of a sync. */
export interface FilteredCapture {
  outcome: CaptureOutcome;
  /** What searching adds; undefined when the page is not captured. */
  searched?: SearchedParts;
}

export interface SearchedParts {
  plainText: Filtered<string> | null;
  /** null when it is the one that is stored. */
  search: Filtered<SearchDocument> | null;
}

interface GivenReport {
  code: string;
  message: string;
  details?: unknown;
}

/** An extension's error as it may be kept. */
export interface ErrorReport {
  code: Filtered<string>;
  message: Filtered<string>;
  /** JSON, or null. */
  details: Filtered<string> | null;
}

/** Filters that a thread keeps, of those that were used last. */
const filtersMax = 4;
const filters = new Map<string, PrivacyFilter>();

/** Runs on a worker thread. */
export function runFilterTask({ filter: { name, policy, version }, items }: FilterTask["input"]): FilterTask["output"] {
  const known = filters.get(name) ?? createPrivacyFilter(policy, version);
  filters.delete(name);
  filters.set(name, known);
  const [oldest] = filters.keys();
  if (filters.size > filtersMax && oldest !== undefined) filters.delete(oldest);
  const failures: FailedClosed[] = [];
  // An error may not survive the way to the other thread; its name does.
  const filter = known.telling(({ part, kind }) => failures.push({ part, kind }));
  return { filtered: items.map((item) => filterItem(item, filter)), failures };
}

/** Filters one thing. */
export function filterItem(item: FilterItem, filter: PrivacyFilter): FilteredItem {
  switch (item.kind) {
    case "capture":
      return filterCapture(item, filter);
    case "patch":
      return filterPatch(item.patch, item.level, filter);
    case "config":
      return filter.record(item.config);
    case "report":
      return filterReport(item.report, filter);
  }
}

function filterCapture({ capture, stored }: FilterItem<"capture">, filter: PrivacyFilter): FilteredCapture {
  if (stored) {
    // The stored content is filtered already, at this level. Only what is new needs the filter.
    const outcome = filter.context({ ...capture.input, type: "page", content: "", contentFormat: "text" });
    if (!outcome.captured) return { outcome };
    if (outcome.level === stored.privacyLevel && !outcome.failedClosed) {
      const { content, contentFormat, plainText } = stored;
      const kept = { ...outcome, context: { ...outcome.context, content, contentFormat } };
      const row = toStored(capture, kept, stored);
      return { outcome: kept, searched: { plainText, search: isSearchedAlike(row, stored) ? null : searchDocument(row) } };
    }
  }
  const outcome = filter.context(capture.input);
  return outcome.captured ? { outcome, searched: searchedParts(capture, outcome, filter) } : { outcome };
}

/** The text of a filtered capture and its place in the search index. */
export function searchedParts(
  { input: { type }, capturedAt }: Capture,
  captured: Extract<CaptureOutcome, { captured: true }>,
  filter: PrivacyFilter,
): SearchedParts {
  const { context, level } = captured;
  const plainText = searchedText(type, captured, filter);
  return { plainText, search: searchDocument({ ...context, type, privacyLevel: level, capturedAt, plainText }) };
}

/** Whether the search index says the same of two states of a context whose content is the same. */
function isSearchedAlike(a: StoredContext, b: StoredContext): boolean {
  const plain = ["type", "privacyLevel", "capturedAt", "url", "title"] as const;
  return plain.every((field) => a[field] === b[field]) && canonicalJson(searchedRecords(a)) === canonicalJson(searchedRecords(b));
}

/** Flags and the time of the last change are not searched. */
function searchedRecords({ metadata, tabMetadata }: StoredContext): unknown {
  return [metadata, Object.entries(tabMetadata).filter(([key, value]) => key !== "lastUpdated" && typeof value !== "boolean")];
}

/** An error as an extension reports it, filtered to be kept. */
export function filterReport({ code, message, details }: GivenReport, filter: PrivacyFilter): ErrorReport {
  return {
    code: filter.text(storableText(code)),
    message: filter.text(storableText(message)),
    details: details === undefined ? null : derived(filter.record({ details }), (kept) => jsonOrNull(kept["details"])),
  };
}

/** JSON of a value; null for one that the filter has dropped. */
function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
