import { requireLevel, requireText } from "./arguments.js";
import { classify } from "./classify.js";
import { compilePolicy, defaultPolicy, type Place } from "./compiled-policy.js";
import { findSpans } from "./engine.js";
import { filterContext } from "./filter-context.js";
import { htmlToText } from "./html/to-text.js";
import type { PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { readInput } from "./read-input.js";
import type { FilterInput } from "./types.js";

/** One finding of a dry run: where and why, never what. */
export interface Finding {
  /** E.g. `email`. */
  kind: string;
  /** E.g. `vendor:github`. */
  rule: string;
  /** First unit, in UTF-16 units of the text given. */
  start: number;
  /** First unit past it. */
  end: number;
  /** 1-based line. */
  line: number;
  /** 1-based column, in UTF-16 units. */
  column: number;
}

/** Dry run on a text: what would be removed at a level, with kind, rule and place; never a matched value. Throws as `redactText` does. */
export function explain(text: string, level: PrivacyLevel, options: { policy?: FilterPolicy; place?: Place } = {}): Finding[] {
  requireText(text, "explain");
  requireLevel(level, "explain");
  const policy = compilePolicy(options.policy ?? defaultPolicy);
  let line = 1;
  let lineStart = 0;
  return findSpans(text, { level, place: options.place ?? "content", policy }).map(({ start, end, kind, rule }) => {
    for (let next = text.indexOf("\n", lineStart); next >= 0 && next < start; next = text.indexOf("\n", lineStart)) {
      line++;
      lineStart = next + 1;
    }
    return { kind, rule, start, end, line, column: start - lineStart + 1 };
  });
}

/** What a dry run on a whole context says. */
export interface ContextExplanation {
  captured: boolean;
  /** The effective level; `undefined` when the context is not captured. */
  level: PrivacyLevel | undefined;
  reasons: string[];
  categories: string[];
  redactions: Record<string, number>;
  /** Findings in title and content. HTML at `filtered` is reduced to text first: places are in that text. */
  findings: Array<Finding & { field: "title" | "content" }>;
}

/**
 * Dry run on a context: effective level with its reasons, counts, and every finding in title and content by place. Throws as
 * `filterContext` does.
 */
export function explainContext(given: FilterInput, policy: FilterPolicy = {}): ContextExplanation {
  const read = readInput(given);
  const outcome = filterContext(given, policy);
  const categories = read.isReadable ? classify(read.input.url, { policy }).categories : [];
  if (!outcome.captured || !read.isReadable)
    return { captured: false, level: undefined, reasons: outcome.reasons, categories, redactions: {}, findings: [] };
  const { input } = read;
  const { level, reasons, redactions, failedClosed } = outcome;
  const report = { captured: true, level, reasons, categories, redactions };
  if (level === "restricted" || failedClosed) return { ...report, findings: [] };
  const content = input.contentFormat === "html" && level === "filtered" ? htmlToText(input.content).text : input.content;
  return {
    ...report,
    findings: [
      ...explain(input.title, level, { policy, place: "title" }).map((finding) => ({ ...finding, field: "title" as const })),
      ...explain(content, level, { policy }).map((finding) => ({ ...finding, field: "content" as const })),
    ],
  };
}
