import type { PrivacyLevel } from "./levels.js";
import { redactText, type RedactTextOptions } from "./redact-text.js";
import type { RedactionCounts } from "./spans.js";

/** Filters HTML by its structure. */
export function redactHtml(html: string, level: PrivacyLevel, options: RedactTextOptions = {}): { html: string; redactions: RedactionCounts } {
  const { text, redactions } = redactText(html, level, options);
  return { html: text, redactions };
}
