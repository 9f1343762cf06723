import { classify } from "../classify.js";
import { defaultPolicy } from "../compiled-policy.js";
import { isAtMost, maxLevel, type PrivacyLevel } from "../levels.js";
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
 * becomes its origin and the icon loses its query; at `restricted` ids, flags, times and the origin are left. The referrer is an address
 * of its own: it is held at the level of its site, too, and dropped where that is `restricted` or nothing of the site is captured.
 */
export function filterTabMetadata(
  tab: TabMetadataInput,
  level: PrivacyLevel,
  { done, ...options }: RedactTextOptions & { done?: Done },
): TabMetadataInput {
  const url = (value: string): string => (value === done?.url.given ? done.url.filtered : redactUrl(value, level, options).url);
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
  const from = referrer === undefined ? undefined : filterReferrer(referrer, level, options);
  return {
    ...kept,
    url: url(tab.url),
    title: text(tab.title, "title"),
    ...(from === undefined ? {} : { referrer: from }),
    ...(favIconUrl === undefined ? {} : { favIconUrl: isReduced ? url(favIconUrl).replace(/[?#].*$/s, "") : url(favIconUrl) }),
    ...(openerTabId === undefined ? {} : { openerTabId: text(openerTabId, "content") }),
    ...(lang === undefined ? {} : { lang: text(lang, "content") }),
  };
}

/** `undefined` when nothing of it may be left. */
function filterReferrer(referrer: string, level: PrivacyLevel, options: RedactTextOptions): string | undefined {
  const site = classify(referrer, { policy: options.policy ?? defaultPolicy });
  const highest = maxLevel(level, site.level ?? "public");
  if (!site.captured || highest === "restricted") return undefined;
  return redactUrl(referrer, highest === "filtered" ? "restricted" : highest, options).url;
}
