import { compilePolicy, defaultPolicy, type Place } from "./compiled-policy.js";
import { applySpans, findSpans } from "./engine.js";
import type { PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { countSpans, placeholder, type RedactionCounts } from "./spans.js";

/** How a text is to be read. */
export interface RedactTextOptions {
  /** Rules of operator and user. Default: none. */
  policy?: FilterPolicy;
  /** Where the text comes from: titles lose contact details from `private` on, content from `filtered` on. Default `content`. */
  place?: Place;
}

/**
 * Removes from a text what its level does not allow and puts `[REDACTED:kind]` (inside URLs: `REDACTED`) in its
 * place. At `restricted` the whole text goes: `""`, or `[REDACTED:title]` for a title.
 *
 * Linear in the text, idempotent, and everything else stays as it is, invisible characters included.
 * Throws `RangeError` for a policy that is not valid and {@link FilterBoundsError} when filtering does not end;
 * then store nothing of the text.
 */
export function redactText(text: string, level: PrivacyLevel, options: RedactTextOptions = {}): { text: string; redactions: RedactionCounts } {
  const place = options.place ?? "content";
  const policy = compilePolicy(options.policy ?? defaultPolicy);
  if (level === "restricted") return { text: place === "title" ? placeholder("title") : "", redactions: {} };
  const spans = findSpans(text, { level, place, policy });
  return { text: applySpans(text, spans), redactions: countSpans(spans) };
}
