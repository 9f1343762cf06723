import { classify } from "./classify.js";
import { maxLevel, type PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { redactHtml } from "./redact-html.js";
import { redactRecord } from "./redact-record.js";
import { redactText } from "./redact-text.js";
import { redactUrl } from "./redact-url.js";
import { addCounts, placeholder, type RedactionCounts } from "./spans.js";
import type { FilteredContext, FilterInput, FilterOutcome, TabMetadataInput } from "./types.js";

/**
 * Filters a context before it is sent or stored: decides the effective level (the maximum of what was asked for,
 * the operator's minimum, the user's rules, the site's categories and signals of the page), then filters every field.
 *
 * Fails closed: when filtering throws, the outcome is `restricted` with `failedClosed: true`. Throws only
 * `RangeError`, for a policy that is not valid.
 */
export function filterContext(input: FilterInput, policy: FilterPolicy = {}): FilterOutcome {
  if (input.tabMetadata.incognito === true) return { captured: false, reasons: ["private-window"] };
  const { captured, level: siteLevel, reasons } = classify(input.url, { policy });
  if (!captured) return { captured: false, reasons };
  const level = maxLevel(maxLevel(input.privacyLevel, policy.minimumLevel ?? "public"), siteLevel ?? "public");
  try {
    return atLevel(input, level, policy, reasons);
  } catch {
    return { ...atLevel(input, "restricted", policy, [...reasons, "filter:failed"]), failedClosed: true };
  }
}

function atLevel(input: FilterInput, level: PrivacyLevel, policy: FilterPolicy, reasons: string[]): Extract<FilterOutcome, { captured: true }> {
  const redactions: RedactionCounts = {};
  const take = <T extends { redactions: RedactionCounts }>(result: T): T => {
    addCounts(redactions, result.redactions);
    return result;
  };
  const isHtml = input.contentFormat === "html";
  const content = isHtml ? take(redactHtml(input.content, level, { policy })).html : take(redactText(input.content, level, { policy })).text;
  const context: FilteredContext = {
    url: take(redactUrl(input.url, level, { policy })).url,
    title: take(redactText(input.title, level, { policy, place: "title" })).text,
    content,
    contentFormat: isHtml && level !== "public" && level !== "private" ? "text" : input.contentFormat,
    tabMetadata: filterTab(input.tabMetadata, level, policy),
    metadata: take(redactRecord(input.metadata, level, { policy })).record as FilteredContext["metadata"],
  };
  return { captured: true, context, level, reasons, redactions, failedClosed: false };
}

function filterTab(tab: TabMetadataInput, level: PrivacyLevel, policy: FilterPolicy): TabMetadataInput {
  const { id, isActive, isLoading, windowId, lastUpdated } = tab;
  const url = redactUrl(tab.url, level, { policy }).url;
  if (level === "restricted") return { id, url, title: placeholder("title"), isActive, isLoading, windowId, lastUpdated };
  return { ...tab, url, title: redactText(tab.title, level, { policy, place: "title" }).text };
}
