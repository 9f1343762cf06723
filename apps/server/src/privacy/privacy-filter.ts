import { createHash } from "node:crypto";
import {
  filterContext,
  type FilteredContext,
  type FilterInput,
  type FilterOutcome,
  type FilterPolicy,
  maxLevel,
  type PrivacyLevel,
  redactRecord,
  redactText,
} from "@periscope/privacy";
import { canonicalJson } from "../canonical-json.js";

declare const filtered: unique symbol;

/** What has passed the privacy filter. Stores take nothing else; it is made by the filter, and by storage of what it reads. */
export type Filtered<T> = T & { readonly [filtered]: true };

/** A context of which every part that carries text has passed the filter. */
export type FilteredParts = Omit<FilteredContext, FilteredPartName> & { [Name in FilteredPartName]: Filtered<FilteredContext[Name]> };
type FilteredPartName = "url" | "title" | "content" | "tabMetadata" | "metadata";

/** What the filter makes of a context that may be stored. */
export type Captured = Omit<Extract<FilterOutcome, { captured: true }>, "context"> & { context: FilteredParts };

/** What became of a context. */
export type CaptureOutcome = Captured | Extract<FilterOutcome, { captured: false }>;

/** The privacy filter under one policy: the one way for anything to reach a store. */
export interface PrivacyFilter {
  context(input: FilterInput): CaptureOutcome;
  /** Any JSON, as `config` and `error` messages carry it. */
  record(record: Record<string, unknown>): Filtered<Record<string, unknown>>;
  text(text: string): Filtered<string>;
  /** A text made of filtered ones, such as a page without its tags: what stands together now can be what is looked for. */
  textAt(text: string, level: PrivacyLevel): Filtered<string>;
  /** Names policy and filter: while it stays the same, the same input is filtered to the same output. */
  policy: string;
  /** The same filter, which tells its failures to another. */
  telling(onFailedClosed: OnFailedClosed): PrivacyFilter;
  /** What makes the same filter again, as another thread does. */
  recipe: FilterRecipe;
  /** Tells of a failure that the same filter had on another thread. */
  tell: OnFailedClosed;
}

/** What {@link createPrivacyFilter} takes. */
export interface FilterRecipe {
  policy: FilterPolicy;
  version: string;
}

/** What the filter was given when it failed. */
export type FilteredPart = "context" | "record" | "text";

/** Told when the filter failed, and a context was reduced to `restricted` or anything else emptied for that reason. */
export type OnFailedClosed = (failed: FailedClosed) => void;

export interface FailedClosed {
  part: FilteredPart;
  /** Name of the error. */
  kind: string;
  /** The error itself where it is at hand; its message may quote content. */
  error?: unknown;
}

/**
 * The privacy filter of this version under a policy. What `config` and `error` messages carry is held at `private` at
 * least, at `filtered` where the user has a deny-list. Fails closed: what cannot be filtered is emptied. Throws `RangeError` for a policy that is not valid.
 */
export function createPrivacyFilter(policy: FilterPolicy, version: string): PrivacyFilter {
  // They have no level of their own, and a deny-list works from `filtered` on.
  const level = maxLevel(policy.minimumLevel ?? "private", policy.denyList?.length ? "filtered" : "private");
  // Compiles the policy, so that a wrong one is refused now.
  redactText("", level, { policy });
  const name = createHash("sha256")
    .update(canonicalJson([version, policy]))
    .digest("base64url")
    .slice(0, 16);
  const telling = (onFailedClosed: OnFailedClosed): PrivacyFilter => ({
    policy: name,
    context(input) {
      const outcome = filterContext(input, policy);
      if (outcome.captured && outcome.failedClosed) onFailedClosed({ part: "context", kind: outcome.failure ?? "Error" });
      return outcome as CaptureOutcome;
    },
    record: (record) => closed({}, () => redactRecord(record, level, { policy }).record, told("record", onFailedClosed)),
    text: (text) => closed("", () => redactText(text, level, { policy }).text, told("text", onFailedClosed)),
    textAt: (made, at) => closed("", () => redactText(made, at, { policy }).text, told("text", onFailedClosed)),
    telling,
    recipe: { policy, version },
    tell: onFailedClosed,
  });
  return telling(() => {});
}

function told(part: FilteredPart, onFailedClosed: OnFailedClosed): (error: unknown) => void {
  return (error) => onFailedClosed({ part, kind: error instanceof Error ? error.name : typeof error, error });
}

function closed<T>(empty: T, filter: () => T, onFailure: (error: unknown) => void): Filtered<T> {
  try {
    return filter() as Filtered<T>;
  } catch (error) {
    onFailure(error);
    return empty as Filtered<T>;
  }
}

/**
 * The JSON of what is filtered has passed the filter with it; null stays null. Nothing else does: where words are joined or what is
 * between them is left out, the filter has to look again ({@link PrivacyFilter.textAt}).
 */
export function derived<T, R extends string | null>(from: Filtered<T>, make: (from: T) => R): R extends string ? Filtered<R> : null {
  return make(from) as R extends string ? Filtered<R> : null;
}
