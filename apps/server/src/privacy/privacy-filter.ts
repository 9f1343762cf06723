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
}

/**
 * The privacy filter of this version under a policy. What `config` and `error` messages carry is held at `private` at
 * least. Fails closed: what cannot be filtered is emptied. Throws `RangeError` for a policy that is not valid.
 */
export function createPrivacyFilter(policy: FilterPolicy, version: string): PrivacyFilter {
  const level = !policy.minimumLevel || policy.minimumLevel === "public" ? "private" : policy.minimumLevel;
  // Compiles the policy, so that a wrong one is refused now.
  redactText("", level, { policy });
  return {
    policy: createHash("sha256")
      .update(canonicalJson([version, policy]))
      .digest("base64url")
      .slice(0, 16),
    context: (input) => filterContext(input, policy),
    record: (record) => closed({}, () => redactRecord(record, level, { policy }).record),
    text: (text) => closed("", () => redactText(text, level, { policy }).text),
  };
}

function closed<T>(empty: T, filter: () => T): T {
  try {
    return filter();
  } catch {
    return empty;
  }
}
