import { requireLevel, requireText } from "./arguments.js";
import { classify } from "./classify.js";
import { compilePolicy, defaultPolicy, type Place } from "./compiled-policy.js";
import { findSpans } from "./engine.js";
import { partsOf } from "./explain-parts.js";
import { filterContext } from "./filter-context.js";
import type { PrivacyLevel } from "./levels.js";
import { type FieldFinding, type Finding, placed } from "./findings.js";
import type { FilterPolicy } from "./policy.js";
import { readInput } from "./read-input.js";
import type { FilterInput } from "./types.js";

/** Dry run on a text: what would be removed at a level, with kind, rule and place; never a matched value. Throws as `redactText` does. */
export function explain(text: string, level: PrivacyLevel, options: { policy?: FilterPolicy; place?: Place } = {}): Finding[] {
  requireText(text, "explain");
  requireLevel(level, "explain");
  const policy = compilePolicy(options.policy ?? defaultPolicy);
  return placed(text, findSpans(text, { level, place: options.place ?? "content", policy }));
}

/** What a dry run on a whole context says. */
export interface ContextExplanation {
  captured: boolean;
  /** The effective level; `undefined` when the context is not captured. */
  level: PrivacyLevel | undefined;
  reasons: string[];
  categories: string[];
  redactions: Record<string, number>;
  /** One for each that is counted, in `url`, `title`, `content`, `content[0]` (a field of a form) and `metadata.key`. */
  findings: FieldFinding[];
}

/**
 * Dry run on a context: effective level with its reasons, counts, and each finding that is counted, by field and place. The state of
 * the tab is filtered too, and neither counted nor listed: it repeats address and title. Throws as `filterContext` does.
 */
export function explainContext(given: FilterInput, policy: FilterPolicy = {}): ContextExplanation {
  const read = readInput(given);
  const outcome = filterContext(given, policy);
  // Of both addresses, as the level is by both.
  const addresses = read.isReadable ? [read.input.url, read.input.tabMetadata.url] : [];
  const categories = [...new Set(addresses.flatMap((address) => classify(address, { policy }).categories))];
  if (!outcome.captured || !read.isReadable)
    return { captured: false, level: undefined, reasons: outcome.reasons, categories, redactions: {}, findings: [] };
  const { level, reasons, redactions, failedClosed } = outcome;
  const findings = level === "restricted" || failedClosed ? [] : partsOf(read.input, level, policy);
  return { captured: true, level, reasons, categories, redactions, findings };
}
