import { compilePolicy, type Place } from "./compiled-policy.js";
import { findSpans } from "./engine.js";
import { filterContent } from "./fields/content.js";
import { filterForm, parseForm } from "./fields/form.js";
import { type FieldFinding, fieldRule, placed } from "./findings.js";
import { rewriteHtml } from "./html/rewrite.js";
import { htmlToText } from "./html/to-text.js";
import type { PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { redactRecord } from "./redact-record.js";
import { redactText } from "./redact-text.js";
import { filterUrl, redactUrl } from "./redact-url.js";
import type { RedactionCounts, Span } from "./spans.js";
import { TimeLimit } from "./time-limit.js";
import { seam } from "./text/invisible.js";
import type { FilterInput } from "./types.js";

/** A part of a context that is filtered by itself. */
interface Part {
  readonly field: string;
  readonly text: string;
  /** What the filter removes of it. */
  readonly redactions: RedactionCounts;
  /** What of that has a place. */
  readonly located: readonly FieldFinding[];
}

/**
 * Every finding of a context, part by part. How many there are of a kind is what the filter itself counts; looking gives them their places,
 * and what has none is named with its field.
 */
export function partsOf(input: FilterInput, level: PrivacyLevel, policy: FilterPolicy): FieldFinding[] {
  const request = (place: Place) => ({ level, place, policy: compilePolicy(policy) });
  const located = (field: string, text: string, place: Place = "content"): FieldFinding[] =>
    inField(field, text, findSpans(text, request(place)));
  const { url, title, metadata } = input;
  const parts: Part[] = [
    { field: "url", text: url, redactions: redactUrl(url, level, { policy }).redactions, located: located("url", url, "url") },
    {
      field: "title",
      text: title,
      redactions: redactText(title, level, { policy, place: "title" }).redactions,
      located: located("title", title, "title"),
    },
    ...contentParts(input, { level, policy, located }),
    ...Object.entries(metadata).map(([key, value]) => {
      const { record, redactions } = redactRecord({ [key]: value }, level, { policy });
      // As it is stored: a key may be a secret itself. One that is dropped is a name on a list.
      const field = `metadata.${Object.keys(record)[0] ?? key}`;
      return { field, text: String(value), redactions, located: located(field, String(value)) };
    }),
  ];
  return parts.flatMap(countedOnly);
}

interface Look {
  readonly level: PrivacyLevel;
  readonly policy: FilterPolicy;
  readonly located: (field: string, text: string) => FieldFinding[];
}

function contentParts(input: FilterInput, { level, policy, located }: Look): Part[] {
  const { content, contentFormat } = input;
  const field = "content";
  const fields = input.type === "form" ? parseForm(content) : undefined;
  if (fields !== undefined)
    return fields.map((one, index) => {
      const name = `${field}[${index}]`;
      const text = one.value ?? "";
      return { field: name, text, redactions: filterForm([one], level, { policy }).redactions, located: located(name, text) };
    });
  const { redactions } = filterContent(input, level, { policy });
  if (contentFormat !== "html") return [{ field, text: content, redactions, located: located(field, content) }];
  return [{ field, text: content, redactions, located: locatedInHtml(content, { level, policy }) }];
}

/** In order: at `filtered` in the text that the page is reduced to, else in the source. */
function locatedInHtml(html: string, { level, policy }: Pick<Look, "level" | "policy">): FieldFinding[] {
  const compiled = compilePolicy(policy);
  const find = (text: string): Span[] => findSpans(text, { level, place: "content", policy: compiled });
  if (level === "filtered") {
    const { text } = htmlToText(html);
    const shift = (at: number): number => at - (text.slice(0, at).split(seam).length - 1);
    const spans = find(text).map((span) => ({ ...span, start: shift(span.start), end: shift(span.end) }));
    return inField("content", text.replaceAll(seam, ""), spans);
  }
  const task = { level, policy: compiled, redactions: {}, depth: 0, limit: new TimeLimit({}) };
  const { spans } = rewriteHtml(html, { level, find, url: (url) => filterUrl(url, task), removed: () => undefined });
  const inOrder = spans.toSorted((one, other) => one.start - other.start);
  return inField("content", html, inOrder);
}

function inField(field: string, text: string, spans: readonly Span[]): FieldFinding[] {
  return placed(text, spans).map((finding) => ({ ...finding, field }));
}

/** As many of each kind as are counted: first those with a place. */
function countedOnly({ field, text, redactions, located }: Part): FieldFinding[] {
  const left = { ...redactions };
  const kept = located.filter(({ kind }) => {
    const count = left[kind] ?? 0;
    left[kind] = count - 1;
    return count > 0;
  });
  const whole = { field, rule: fieldRule, start: 0, end: text.length, line: 1, column: 1 };
  const rest = Object.entries(left).flatMap(([kind, count]) => Array.from({ length: Math.max(0, count) }, () => ({ ...whole, kind })));
  return [...kept, ...rest];
}
