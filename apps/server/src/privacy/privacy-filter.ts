import { createHash } from "node:crypto";
import { filterContext, type FilterInput, type FilterOutcome, type FilterPolicy, redactRecord, redactText } from "@periscope/privacy";
import { canonicalJson } from "../contexts/canonical-json.js";

/** The privacy filter under one policy: the one way for anything to reach a store. */
export interface PrivacyFilter {
  context(input: FilterInput): FilterOutcome;
  /** Any JSON, as `config` and `error` messages carry it. */
  record(record: Record<string, unknown>): Record<string, unknown>;
  text(text: string): string;
  /** Names policy and filter: while it stays the same, the same input is filtered to the same output. */
  policy: string;
  /** The same filter, which tells its failures to another. */
  telling(onFailedClosed: OnFailedClosed): PrivacyFilter;
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
 * least. Fails closed: what cannot be filtered is emptied. Throws `RangeError` for a policy that is not valid.
 */
export function createPrivacyFilter(policy: FilterPolicy, version: string): PrivacyFilter {
  const level = !policy.minimumLevel || policy.minimumLevel === "public" ? "private" : policy.minimumLevel;
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
      return outcome;
    },
    record: (record) => closed({}, () => redactRecord(record, level, { policy }).record, told("record", onFailedClosed)),
    text: (text) => closed("", () => redactText(text, level, { policy }).text, told("text", onFailedClosed)),
    telling,
  });
  return telling(() => {});
}

function told(part: FilteredPart, onFailedClosed: OnFailedClosed): (error: unknown) => void {
  return (error) => onFailedClosed({ part, kind: error instanceof Error ? error.name : typeof error, error });
}

function closed<T>(empty: T, filter: () => T, onFailure: (error: unknown) => void): T {
  try {
    return filter();
  } catch (error) {
    onFailure(error);
    return empty;
  }
}
