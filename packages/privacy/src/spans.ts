import { kindPriority } from "./data/kind-priority.js";

/** What was found, as a name that is safe to log: never the value itself. */
export type RedactionKind = string;

/** One stretch of text to be removed. Offsets are UTF-16 units of the original text. */
export interface Span {
  /** First unit that is removed. */
  readonly start: number;
  /** First unit that stays. */
  readonly end: number;
  /** What it is, e.g. `email`: becomes `[REDACTED:email]`. */
  readonly kind: RedactionKind;
  /** Which rule of the detector matched, e.g. `vendor:github`. */
  readonly rule: string;
}

/** How many stretches of each kind were removed. */
export type RedactionCounts = Record<RedactionKind, number>;

const rankOf = new Map(kindPriority.map((kind, index) => [kind, index]));
const rank = (kind: RedactionKind): number => rankOf.get(kind) ?? kindPriority.length;

/**
 * Sorts spans and turns overlapping ones into their union. Spans that only
 * touch stay apart: they are two values.
 */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a.kind) - rank(b.kind));
  const merged: Span[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end) {
      const label = rank(span.kind) < rank(last.kind) ? span : last;
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end), kind: label.kind, rule: label.rule };
    } else if (span.end > span.start) {
      merged.push(span);
    }
  }
  return merged;
}

/** Counts spans per kind. */
export function countSpans(spans: readonly Span[]): RedactionCounts {
  const counts: RedactionCounts = {};
  for (const { kind } of spans) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Adds `more` to `counts`, in place. */
export function addCounts(counts: RedactionCounts, more: Readonly<RedactionCounts>): void {
  for (const [kind, count] of Object.entries(more)) counts[kind] = (counts[kind] ?? 0) + count;
}

/** What stands in place of a removed value in text. */
export function placeholder(kind: RedactionKind): string {
  return `[REDACTED:${kind}]`;
}

/** What stands in place of a removed value inside a URL, where brackets would need escaping. */
export const urlPlaceholder = "REDACTED";

/** What stands in place of a value in running text after an encoded `=` (`%3D`): `[REDACTED]`, encoded as its URL is. */
export const nestedUrlPlaceholder = "%5BREDACTED%5D";
