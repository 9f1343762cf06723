import { isAtMost, type PrivacyLevel } from "../levels.js";
import { redactText, type RedactTextOptions } from "../redact-text.js";
import { redactUrl } from "../redact-url.js";
import { addCounts, placeholder, type RedactionCounts } from "../spans.js";
import type { TabMetadataInput } from "../types.js";

/** Values that were filtered at the same level before: a tab mostly repeats the url and title of its context. */
interface Done {
  readonly url: { readonly given: string; readonly filtered: string };
  readonly title: { readonly given: string; readonly filtered: string };
}

/**
 * Filters the state of a tab. Known fields only: anything else that a client sends is dropped. At `filtered` the referrer
 * becomes its origin and the icon loses its query; at `restricted` ids, flags, times and the origin are left.
 */
export function filterTabMetadata(
  tab: TabMetadataInput,
  level: PrivacyLevel,
  { done, ...options }: RedactTextOptions & { done?: Done },
): { tab: TabMetadataInput; redactions: RedactionCounts } {
  const redactions: RedactionCounts = {};
  const url = (value: string, at: PrivacyLevel = level): string => {
    if (at === level && value === done?.url.given) return done.url.filtered;
    const result = redactUrl(value, at, options);
    addCounts(redactions, result.redactions);
    return result.url;
  };
  const text = (value: string, place: "title" | "content"): string => {
    if (place === "title" && value === done?.title.given) return done.title.filtered;
    const result = redactText(value, level, { ...options, place });
    addCounts(redactions, result.redactions);
    return result.text;
  };
  const flags = {
    ...(tab.incognito === undefined ? {} : { incognito: tab.incognito }),
    ...(tab.pinned === undefined ? {} : { pinned: tab.pinned }),
    ...(tab.audible === undefined ? {} : { audible: tab.audible }),
  };
  const kept = {
    id: tab.id,
    isActive: tab.isActive,
    isLoading: tab.isLoading,
    windowId: tab.windowId,
    lastUpdated: tab.lastUpdated,
    ...flags,
  };
  if (level === "restricted") return { tab: { ...kept, url: url(tab.url), title: placeholder("title") }, redactions };
  const isReduced = isAtMost("filtered", level);
  return {
    tab: {
      ...kept,
      url: url(tab.url),
      title: text(tab.title, "title"),
      ...(tab.referrer === undefined ? {} : { referrer: url(tab.referrer, isReduced ? "restricted" : level) }),
      ...(tab.favIconUrl === undefined
        ? {}
        : { favIconUrl: isReduced ? url(tab.favIconUrl).replace(/[?#].*$/s, "") : url(tab.favIconUrl) }),
      ...(tab.openerTabId === undefined ? {} : { openerTabId: text(tab.openerTabId, "content") }),
      ...(tab.lang === undefined ? {} : { lang: text(tab.lang, "content") }),
    },
    redactions,
  };
}
