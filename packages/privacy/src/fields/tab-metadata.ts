import { isAtMost, type PrivacyLevel } from "../levels.js";
import { redactText, type RedactTextOptions } from "../redact-text.js";
import { redactUrl } from "../redact-url.js";
import { placeholder } from "../spans.js";
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
): TabMetadataInput {
  const url = (value: string, at: PrivacyLevel = level): string =>
    at === level && value === done?.url.given ? done.url.filtered : redactUrl(value, at, options).url;
  const text = (value: string, place: "title" | "content"): string =>
    place === "title" && value === done?.title.given ? done.title.filtered : redactText(value, level, { ...options, place }).text;
  const { id, isActive, isLoading, windowId, lastUpdated, incognito, pinned, audible, referrer, favIconUrl, openerTabId, lang } = tab;
  const kept = {
    id,
    isActive,
    isLoading,
    windowId,
    lastUpdated,
    ...(incognito === undefined ? {} : { incognito }),
    ...(pinned === undefined ? {} : { pinned }),
    ...(audible === undefined ? {} : { audible }),
  };
  if (level === "restricted") return { ...kept, url: url(tab.url), title: placeholder("title") };
  const isReduced = isAtMost("filtered", level);
  return {
    ...kept,
    url: url(tab.url),
    title: text(tab.title, "title"),
    ...(referrer === undefined ? {} : { referrer: url(referrer, isReduced ? "restricted" : level) }),
    ...(favIconUrl === undefined ? {} : { favIconUrl: isReduced ? url(favIconUrl).replace(/[?#].*$/s, "") : url(favIconUrl) }),
    ...(openerTabId === undefined ? {} : { openerTabId: text(openerTabId, "content") }),
    ...(lang === undefined ? {} : { lang: text(lang, "content") }),
  };
}
