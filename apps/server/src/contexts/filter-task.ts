import type { ContextPatch, ErrorPayload } from "@periscope/schemas";
import type { PrivacyLevel } from "@periscope/privacy";
import {
  type CaptureOutcome,
  createPrivacyFilter,
  derived,
  type FailedClosed,
  type Filtered,
  type FilterRecipe,
  type PrivacyFilter,
} from "../privacy/privacy-filter.js";
import { storableText } from "../formats.js";
import { type SearchableContext, searchDocument, type SearchDocument } from "../search/search-document.js";
import type { ExtensionErrorRecord } from "./context.store.js";
import { type Capture, plainTextOf, withLevel } from "./capture.js";
import { filterPatch, type FilteredPatch, withholdPatch } from "./fingerprint.js";

// What worker threads do for a sync: filtering and analysing what messages carry.

/** How one kind of what messages carry is filtered. */
interface Kind<Given, Result> {
  filter: (given: Given, filter: PrivacyFilter) => Result;
  /** What may be kept when filtering takes too long. */
  withhold: (given: Given, filter: PrivacyFilter) => Result;
  /** How much text there is, in UTF-16 units. */
  units: (given: Given) => number;
}

const capture: Kind<{ capture: Capture }, FilteredCapture> = {
  filter(given, filter) {
    const outcome = filter.context(given.capture.input);
    return outcome.captured ? { outcome, searched: searchedParts(given.capture, outcome, filter) } : { outcome };
  },
  withhold(given, filter) {
    const restricted = withLevel(given.capture, "restricted");
    const outcome = filter.withhold(restricted.input);
    return outcome.captured ? { outcome, searched: searchedParts(restricted, outcome, filter) } : { outcome };
  },
  units({ capture: { input } }) {
    const { content, title, url, metadata, tabMetadata } = input;
    return content.length + title.length + url.length + JSON.stringify([metadata, tabMetadata]).length;
  },
};

/** A captured context that is not searched. */
const fields: Kind<{ capture: Capture }, FilteredCapture> = {
  filter: (given, filter) => ({ outcome: filter.context(given.capture.input) }),
  withhold: (given, filter) => ({ outcome: filter.withhold(withLevel(given.capture, "restricted").input) }),
  units: capture.units,
};

/** A context whose text is filtered already, to be searched. */
const searchable: Kind<{ context: SearchableContext }, Filtered<SearchDocument>> = {
  filter: ({ context }) => searchDocument(context),
  withhold: ({ context }) => searchDocument({ ...context, content: "" as Filtered<string>, plainText: null }),
  units: ({ context: { plainText, content } }) => (plainText ?? content).length,
};

/** The given fields of an update, for its fingerprint. Undefined when they are of a page that is not captured. */
const patch: Kind<{ patch: ContextPatch; level: PrivacyLevel }, FilteredPatch | undefined> = {
  filter: (given, filter) => filterPatch(given.patch, given.level, filter),
  withhold: (given, filter) => withholdPatch(given.patch, filter),
  units({ patch: { content = "", ...rest } }) {
    return content.length + JSON.stringify(rest).length;
  },
};

const config: Kind<{ config: Record<string, unknown> }, Filtered<Record<string, unknown>>> = {
  filter: (given, filter) => filter.record(given.config),
  withhold(_, filter) {
    filter.reportFailure({ part: "record", kind: "TaskTimeout" });
    return filter.record({});
  },
  units: (given) => JSON.stringify(given.config).length,
};

const report: Kind<{ report: Omit<ErrorPayload, "type"> }, ErrorReport> = {
  filter: (given, filter) => filterReport(given.report, filter),
  withhold(_, filter) {
    filter.reportFailure({ part: "text", kind: "TaskTimeout" });
    return filterReport({ code: "", message: "" }, filter);
  },
  units: (given) => JSON.stringify(given.report).length,
};

const kinds = { capture, fields, searchable, patch, config, report };

export type WorkKind = keyof typeof kinds;
export type FilterItem<Each extends WorkKind = WorkKind> = { [K in Each]: { kind: K } & Parameters<(typeof kinds)[K]["filter"]>[0] }[Each];
export type FilteredItem<Each extends WorkKind = WorkKind> = ReturnType<(typeof kinds)[Each]["filter"]>;

export function kindOf(item: FilterItem): Kind<FilterItem, FilteredItem> {
  return kinds[item.kind] as Kind<FilterItem, FilteredItem>;
}

export interface FilterTask {
  input: { filter: FilterRecipe; items: readonly FilterItem[] };
  output: { filtered: FilteredItem[]; failures: FailedClosed[] };
}

/** A capture after the slow part of a sync. */
export interface FilteredCapture {
  outcome: CaptureOutcome;
  /** What searching adds; undefined when it is not wanted, or the page is not captured. */
  searched?: SearchedParts;
}

export interface SearchedParts {
  plainText: Filtered<string> | null;
  /** null when the content is the one that is stored. */
  search: Filtered<SearchDocument> | null;
}

/** An extension's error as it may be kept. */
export type ErrorReport = Pick<ExtensionErrorRecord, "code" | "message" | "details">;

/** Filters that a thread keeps, of those that were used last. */
const filtersMax = 4;
const filters = new Map<string, PrivacyFilter>();

export function runFilterTask({ filter: { policyId, policy, version }, items }: FilterTask["input"]): FilterTask["output"] {
  const known = filters.get(policyId) ?? createPrivacyFilter(policy, version);
  filters.delete(policyId);
  filters.set(policyId, known);
  const [oldest] = filters.keys();
  if (filters.size > filtersMax && oldest !== undefined) filters.delete(oldest);
  const failures: FailedClosed[] = [];
  // An error may not survive the way to the other thread; its name does.
  const filter = known.withFailureListener(({ part, kind }) => failures.push({ part, kind }));
  return { filtered: items.map((item) => kindOf(item).filter(item, filter)), failures };
}

function searchedParts(
  { input: { type }, capturedAt }: Capture,
  captured: Extract<CaptureOutcome, { captured: true }>,
  filter: PrivacyFilter,
): SearchedParts {
  const { context, level } = captured;
  const { stored: plainText, indexed } = plainTextOf(type, captured, filter);
  return { plainText, search: searchDocument({ ...context, type, privacyLevel: level, capturedAt, plainText }, indexed) };
}

export function filterReport({ code, message, details }: Omit<ErrorPayload, "type">, filter: PrivacyFilter): ErrorReport {
  return {
    code: filter.reportText(storableText(code)),
    message: filter.reportText(storableText(message)),
    details: details === undefined ? null : derived(filter.reportRecord({ details }), (kept) => jsonOrNull(kept["details"])),
  };
}

/** JSON of a value; null for one that the filter has dropped. */
function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
