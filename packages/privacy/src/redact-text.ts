import { requireLevel, requireText } from "./arguments.js";
import { compilePolicy, defaultPolicy, type Place } from "./compiled-policy.js";
import { filterSpans, standInFor } from "./engine.js";
import type { PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { countSpans, placeholder, type RedactionCounts, type Span } from "./spans.js";
import { applyEdits } from "./html/joined-text.js";
import { UrlPlaces } from "./url/inside-url.js";
import { TimeLimit, type TimeOptions } from "./time-limit.js";
import { fitToJson, isEscaped, isJson, type JsonSpan } from "./text/json-spans.js";

/** How a text is to be read. */
export interface RedactTextOptions extends TimeOptions {
  /** Rules of operator and user. Default: none. */
  policy?: FilterPolicy;
  /** Where the text comes from: titles lose contact details from `private` on, content from `filtered` on. Default `content`. */
  place?: Place;
  /** In markdown a stand-in that would read as a link or a link definition is escaped. Default `text`. */
  format?: "text" | "markdown";
}

/**
 * Removes from a text what its level does not allow and puts `[REDACTED:kind]` (inside URLs: `REDACTED`) in its
 * place. At `restricted` the whole text goes: `""`, or `[REDACTED:title]` for a title.
 *
 * Linear in the text, idempotent, and everything else stays as it is, invisible characters included; a text that is
 * JSON stays JSON. Throws `RangeError` for a policy that is not valid, `TypeError` for anything but a string or an unknown level,
 * and {@link FilterBoundsError} when filtering does not end, or not within `maxMs`; then store nothing of the text.
 */
export function redactText(
  text: string,
  level: PrivacyLevel,
  options: RedactTextOptions = {},
): { text: string; redactions: RedactionCounts } {
  requireText(text, "redactText");
  requireLevel(level, "redactText");
  const place = options.place ?? "content";
  const policy = compilePolicy(options.policy ?? defaultPolicy);
  if (level === "restricted") return { text: place === "title" ? placeholder("title") : "", redactions: {} };
  const { spans, text: filtered } = filterSpans(text, { level, place, policy, format: options.format, limit: new TimeLimit(options) });
  if (spans.length === 0) return { text, redactions: {} };
  const json = isJson(text);
  if (!json && options.format !== "markdown") return { text: filtered, redactions: countSpans(spans) };
  const fitted: readonly JsonSpan[] = json ? fitToJson(text, spans) : spans;
  const isMarkdown = options.format === "markdown";
  const urls = new UrlPlaces(text);
  const edits = fitted.map((span) => {
    const standIn = standInFor(text, span, urls);
    const isLink = isMarkdown && isLinkLike(text, span, standIn);
    return { start: span.start, end: span.end, text: span.isPrimitive === true ? `"${standIn}"` : isLink ? `\\${standIn}` : standIn };
  });
  return { text: applyEdits(text, edits), redactions: countSpans(fitted) };
}

/** `[x](`, `[x][` and `[x]:` mean something in markdown (CommonMark 0.31, 4.7 and 6.3). */
function isLinkLike(text: string, span: Span, standIn: string): boolean {
  return standIn.startsWith("[") && /^[[(:]/.test(text.charAt(span.end)) && !isEscaped(text, span.start);
}
