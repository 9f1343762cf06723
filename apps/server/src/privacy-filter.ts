import { filterContext, type FilterPolicy, redactRecord, redactText } from "@periscope/privacy";
import type { PrivacyFilter } from "./deps.js";

/** The privacy filter under the operator's policy. What `config` and `error` messages carry is held at `private` at least. */
export function createPrivacyFilter(policy: FilterPolicy): PrivacyFilter {
  const minimumLevel = policy.minimumLevel ?? "public";
  const level = minimumLevel === "public" ? "private" : minimumLevel;
  return {
    minimumLevel,
    context: (input) => filterContext(input, policy),
    record: (record) => redactRecord(record, level, { policy }).record,
    text: (text) => redactText(text, level, { policy }).text,
  };
}
