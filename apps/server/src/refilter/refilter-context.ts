import type { FilterInput, RedactionCounts } from "@periscope/privacy";
import { canonicalJson } from "../formats.js";
import { mergePatch, plainTextOf, toStored } from "../contexts/capture.js";
import type { StoredContext, WrittenContext } from "../contexts/context.store.js";
import type { RefilterCounts } from "../contexts/refiltered.js";
import { searchDocument } from "../search/search-document.js";
import type { PrivacyFilter } from "../privacy/privacy-filter.js";

/** What becomes of a stored context under a filter. */
export type Verdict =
  | { is: "unchanged" }
  | { is: "rewritten"; context: WrittenContext; redactions: RedactionCounts; failedClosed: boolean }
  | { is: "removed"; reason: string };

/** Reasons of rules for not capturing a page. Other reasons say that the context could not be read. */
const reasonsOfRules = new Set(["blocked-site", "category:password_manager"]);

/** Stands in for an address that cannot be read. It belongs to no category. */
const unknownPage = "https://unknown.invalid/";

/**
 * Filters a stored context again and asks for its own level: the level never falls, and nothing that was removed comes back.
 * Only a rule removes a context. One that cannot be read, for example for its address, becomes `restricted`.
 */
export function refilterContext(stored: StoredContext, filter: PrivacyFilter): Verdict {
  const capture = mergePatch(stored, { id: stored.contextId });
  const asIs = filter.context(capture.input);
  const isUnreadable = !asIs.captured && !asIs.reasons.some((reason) => reasonsOfRules.has(reason));
  const outcome = isUnreadable ? filter.context(withoutAddresses(capture.input)) : asIs;
  if (!outcome.captured) return { is: "removed", reason: outcome.reasons.find((reason) => reasonsOfRules.has(reason)) ?? "policy" };
  const context = toStored(capture, outcome, {
    ...stored,
    // The filter now sees text without what it removed before, and would no longer find why the level was chosen.
    levelReasons: outcome.level === stored.privacyLevel ? stored.levelReasons : outcome.reasons,
    plainText: plainTextOf(stored.type, outcome, filter).stored,
  });
  if (isSameText(stored, context)) return { is: "unchanged" };
  const { redactions, failedClosed } = outcome;
  const rewritten = { ...context, search: searchDocument(context) };
  return { is: "rewritten", context: rewritten, redactions, failedClosed: failedClosed || isUnreadable };
}

function withoutAddresses(input: FilterInput): FilterInput {
  const { incognito: _, ...tab } = input.tabMetadata;
  return { ...input, url: unknownPage, privacyLevel: "restricted", tabMetadata: { ...tab, url: unknownPage } };
}

/** What the filter does not decide on. */
const kept: ReadonlyArray<keyof StoredContext> = [
  "userId",
  "contextId",
  "extensionId",
  "tabId",
  "capturedAt",
  "writtenAt",
  "viewedAt",
  "lastSeenAt",
];

/** Whether two states of a context are the same in everything that the filter decides on. */
export function isSameText(a: StoredContext, b: StoredContext): boolean {
  const decided = (Object.keys(a) as Array<keyof StoredContext>).filter((field) => !kept.includes(field));
  return decided.every((field) => a[field] === b[field] || canonicalJson(a[field]) === canonicalJson(b[field]));
}

/** A rewritten context with the ids and times that it has by now. */
export function withTimesOf(stored: StoredContext, rewritten: WrittenContext): WrittenContext {
  return { ...rewritten, ...(Object.fromEntries(kept.map((field) => [field, stored[field]])) as Partial<WrittenContext>) };
}

export function countContext({ privacyLevel: from }: StoredContext, verdict: Verdict): RefilterCounts {
  const counts = { ...noCounts(), checked: 1 };
  switch (verdict.is) {
    case "unchanged":
      return { ...counts, unchanged: 1 };
    case "removed":
      return { ...counts, removed: { [verdict.reason]: 1 } };
    case "rewritten": {
      const { context, redactions, failedClosed } = verdict;
      const to = context.privacyLevel;
      const raised = from === to ? {} : { [from]: { [to]: 1 } };
      return { ...counts, rewritten: 1, raised, redactions, failedClosed: failedClosed ? 1 : 0 };
    }
  }
}

export function noCounts(): RefilterCounts {
  return {
    checked: 0,
    unchanged: 0,
    rewritten: 0,
    removed: {},
    raised: {},
    redactions: {},
    failedClosed: 0,
    configs: 0,
    errors: 0,
    replayRecords: 0,
  };
}

/** The sum of two counts, as a new object. */
export function sumCounts(a: RefilterCounts, b: RefilterCounts): RefilterCounts {
  return sum(a, b) as unknown as RefilterCounts;
}

interface Numbers {
  [name: string]: number | Numbers;
}

function sum(a: object, b: object): Numbers {
  const total = { ...a } as Numbers;
  for (const [name, added] of Object.entries(b) as Array<[string, number | Numbers]>) {
    const known = total[name] ?? (typeof added === "number" ? 0 : {});
    total[name] = typeof added === "number" || typeof known === "number" ? Number(known) + Number(added) : sum(known, added);
  }
  return total;
}
