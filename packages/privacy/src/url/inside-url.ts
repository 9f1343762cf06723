import type { Span } from "../spans.js";

/** How far back the start of a URL is looked for. */
const reach = 2048;
const scheme = /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|mailto:|tel:|sms:)/i;
const boundary = /[\s"'<>`{}|\\^]/;

/**
 * Whether a span is part of a URL, where brackets would have to be escaped. Spans of the URL rules are by
 * definition; any other is when a scheme comes before it without white space or a quote in between.
 */
export function isInsideUrl(text: string, span: Span): boolean {
  if (span.rule.startsWith("url:")) return true;
  let from = span.start;
  const limit = Math.max(0, span.start - reach);
  while (from > limit && !boundary.test(text.charAt(from - 1))) from--;
  return from < span.start && scheme.test(text.slice(from, span.start));
}
