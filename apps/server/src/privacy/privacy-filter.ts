import { createHash } from "node:crypto";
import {
  filterContext,
  type FilteredContext,
  type FilterInput,
  type FilterOutcome,
  type FilterPolicy,
  type PrivacyLevel,
  recordLevels,
  redactRecord,
  redactText,
} from "@periscope/privacy";
import { canonicalJson } from "../formats.js";

declare const filtered: unique symbol;

/** What has passed the privacy filter. Stores accept nothing else. Only the filter makes it, and storage of what it reads. */
export type Filtered<T> = T & { readonly [filtered]: true };

/** A context whose every text has passed the filter. */
export type FilteredParts = Omit<FilteredContext, FilteredPartName> & { [Name in FilteredPartName]: Filtered<FilteredContext[Name]> };
type FilteredPartName = "url" | "title" | "content" | "tabMetadata" | "metadata";

/** A filtered context that may be stored. */
export type Captured = Omit<Extract<FilterOutcome, { captured: true }>, "context"> & { context: FilteredParts };

/** A filtered context, or why it may not be stored. */
export type CaptureOutcome = Captured | Extract<FilterOutcome, { captured: false }>;

/** The privacy filter under one policy. Nothing reaches a store except through it. */
export interface PrivacyFilter {
  context(input: FilterInput): CaptureOutcome;
  /** What may be kept of a context that took too long to filter: `restricted`, with the reason `too_complex`. Takes little time. */
  withhold(input: FilterInput): CaptureOutcome;
  /** Any JSON, as `config` messages carry it. */
  record(record: Record<string, unknown>): Filtered<Record<string, unknown>>;
  /** Any JSON, as `error` messages carry it. */
  reportRecord(record: Record<string, unknown>): Filtered<Record<string, unknown>>;
  /** A text of an `error` message. */
  reportText(text: string): Filtered<string>;
  /** A text made of filtered ones, such as a page without its tags: words that stand together now can be a secret. */
  textAt(text: string, level: PrivacyLevel): Filtered<string>;
  /** Names policy and filter: while it stays the same, the same input gives the same output. */
  policyId: string;
  /** The same filter, which reports its failures to another listener. */
  withFailureListener(onFailedClosed: OnFailedClosed): PrivacyFilter;
  /** What creates the same filter again, as another thread does. */
  recipe: FilterRecipe;
  /** Reports a failure that the same filter had on another thread. */
  reportFailure: OnFailedClosed;
}

/** What {@link createPrivacyFilter} takes, and the id of the filter that it makes. */
export interface FilterRecipe {
  policyId: string;
  policy: FilterPolicy;
  version: string;
}

/** What the filter was working on when it failed. */
export type FilteredPart = "context" | "record" | "text";

/** Called when the filter failed: a context became `restricted`, or anything else was emptied. */
export type OnFailedClosed = (failed: FailedClosed) => void;

export interface FailedClosed {
  part: FilteredPart;
  /** Name of the error. */
  kind: string;
  /** Absent for failures on another thread. Its message may quote content. */
  error?: unknown;
}

/** Reason of a context that took too long to filter. */
export const tooComplex = "too_complex";

/**
 * Creates the filter for a policy. It fails closed: what cannot be filtered is emptied.
 * Throws `RangeError` for a policy that is not valid.
 */
export function createPrivacyFilter(policy: FilterPolicy, version: string): PrivacyFilter {
  const { settings, report } = recordLevels(policy);
  // Compiles the policy, which refuses a wrong one.
  redactText("", settings, { policy });
  const policyId = createHash("sha256")
    .update(canonicalJson([version, policy]))
    .digest("base64url")
    .slice(0, 16);
  const withFailureListener = (onFailedClosed: OnFailedClosed): PrivacyFilter => ({
    policyId,
    context(input) {
      const outcome = filterContext(input, policy);
      if (outcome.captured && outcome.failedClosed) onFailedClosed({ part: "context", kind: outcome.failure ?? "Error" });
      return outcome as CaptureOutcome;
    },
    withhold(input) {
      // Without its text the rest is small: at most the address and the state of the tab.
      const outcome = filterContext({ ...input, privacyLevel: "restricted", title: "", content: "", metadata: {} }, policy);
      if (!outcome.captured) return outcome;
      onFailedClosed({ part: "context", kind: "TaskTimeout" });
      return { ...outcome, reasons: [...outcome.reasons, tooComplex], failedClosed: true, failure: "TaskTimeout" } as CaptureOutcome;
    },
    record: (record) => closed("record", {}, () => redactRecord(record, settings, { policy }).record, onFailedClosed),
    reportRecord: (record) => closed("record", {}, () => redactRecord(record, report, { policy }).record, onFailedClosed),
    reportText: (text) => closed("text", "", () => redactText(text, report, { policy }).text, onFailedClosed),
    textAt: (made, at) => closed("text", "", () => redactText(made, at, { policy }).text, onFailedClosed),
    withFailureListener,
    recipe: { policyId, policy, version },
    reportFailure: onFailedClosed,
  });
  return withFailureListener(() => {});
}

function closed<T>(part: FilteredPart, empty: T, filter: () => T, onFailedClosed: OnFailedClosed): Filtered<T> {
  try {
    return filter() as Filtered<T>;
  } catch (error) {
    onFailedClosed({ part, kind: error instanceof Error ? error.name : typeof error, error });
    return empty as Filtered<T>;
  }
}

/**
 * The JSON of a filtered value counts as filtered; null stays null. Use it for nothing else: text that joins or drops words has to be
 * filtered again ({@link PrivacyFilter.textAt}).
 */
export function derived<T, R extends string | null>(from: Filtered<T>, make: (from: T) => R): R extends string ? Filtered<R> : null {
  return make(from) as R extends string ? Filtered<R> : null;
}
