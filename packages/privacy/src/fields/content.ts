import { isAtMost, type PrivacyLevel } from "../levels.js";
import { hasFilledCriticalControl, redactHtml } from "../redact-html.js";
import { redactText, type RedactTextOptions } from "../redact-text.js";
import type { RedactionCounts } from "../spans.js";
import type { ContentFormat, FilterInput } from "../types.js";
import { filterForm, hasFilledCriticalField, parseForm } from "./form.js";

/** Content after filtering, with the format it now has. */
export interface FilteredContent {
  readonly text: string;
  readonly format: ContentFormat;
  readonly redactions: RedactionCounts;
}

/** Filters the content of a context by what it is: a form by its fields, HTML by its structure, anything else as text. */
export function filterContent(input: FilterInput, level: PrivacyLevel, options: RedactTextOptions): FilteredContent {
  const fields = input.type === "form" ? parseForm(input.content) : undefined;
  if (fields !== undefined)
    return { ...filterForm(fields, level, options), format: input.contentFormat === "html" ? "text" : input.contentFormat };
  // JSON that is not the fields of a form could hold values anywhere: there is no rule to filter it by. A stand-in is no JSON.
  if (input.type === "form" && /^\s{0,1000}(?:\{|\[(?!REDACTED:))/.test(input.content))
    return { text: "", format: "text", redactions: { form_value: 1 } };
  if (input.contentFormat === "html") {
    const { html, redactions } = redactHtml(input.content, level, options);
    return { text: html, format: isAtMost("filtered", level) ? "text" : "html", redactions };
  }
  const format = input.contentFormat;
  return { ...redactText(input.content, level, { ...options, format }), format };
}

/** Signals of the page itself that raise its level: a filled password or card field. */
export function pageSignals(input: FilterInput): string[] {
  const fields = input.type === "form" ? parseForm(input.content) : undefined;
  if (fields !== undefined) return hasFilledCriticalField(fields) ? ["page:filled-secret"] : [];
  // A client may call HTML something else; looking costs little and can only raise the level.
  return hasFilledCriticalControl(input.content) ? ["page:filled-secret"] : [];
}
