import type { Span } from "../spans.js";
import { endsUrl } from "./url-end.js";

/** How far back the start of a URL is looked for. */
const reach = 2048;
const opaqueScheme = /(?:mailto|tel|sms|callto|skype|facetime):[^:]{0,2048}$/i;

/**
 * Whether a span is part of a URL, where brackets would have to be escaped. Spans of the URL rules are by
 * definition; any other is when a scheme comes before it without white space or a quote in between.
 */
export function isInsideUrl(text: string, span: Span): boolean {
  if (span.rule.startsWith("url:")) return true;
  let from = span.start;
  const limit = Math.max(0, span.start - reach);
  while (from > limit && !endsUrl(text.charCodeAt(from - 1))) from--;
  // The shortest is `tel:`.
  if (span.start - from < 4) return false;
  const before = text.slice(from, span.start);
  return before.includes("://") || (before.includes(":") && opaqueScheme.test(before));
}
