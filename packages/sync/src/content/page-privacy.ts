import { type FilterVerdict, type MessageFilter, passFilter } from "../core/message-filter.js";
import type { NewMessage } from "../core/message.js";
import type { Privacy, UserRules } from "../core/privacy.js";
import type { Capture } from "../protocol/index.js";
import { betweenSigns, cutToJson, cutToWhole } from "./fit-text.js";
import type { CaptureSettings } from "./options.js";

/** A capture as the filter left it, or the rule that keeps it. */
export type Filtered = { keep: true; capture: Capture } | { keep: false; rule: string };

/** The same, with what the filter removed. */
export type Explained =
  | { keep: true; capture: Capture; redactions: Readonly<Record<string, number>>; reasons: readonly string[] }
  | { keep: false; rule: string };

interface Head {
  id: string;
  timestamp: string;
}

/** The background knows the user's rules, and sees every capture as well. */
const noRules: UserRules = { blockedSites: [], siteRules: [], denyList: [] };

/** Passes a capture through the filter of the page, if there is one, and trims it to the limit. Never rejects: a filter that throws blocks. */
export async function filterInPage(capture: Capture, head: Head, { privacy, contentBytesMax }: CaptureSettings): Promise<Filtered> {
  if (privacy === "background") return { keep: true, capture: trimmed(capture, contentBytesMax) };
  const filter: MessageFilter = typeof privacy === "function" ? privacy : (message) => privacy.filter(message, noRules);
  const verdict = await passFilter(messageOf(capture, head), filter);
  return verdict.keep ? { keep: true, capture: trimmed(captureOf(verdict.message, capture), contentBytesMax) } : verdict;
}

/** As `filterInPage`, and tells what was removed as far as the filter says so. */
export async function explainInPage(capture: Capture, head: Head, settings: CaptureSettings): Promise<Explained> {
  const { privacy } = settings;
  const told: { redactions: Readonly<Record<string, number>>; reasons: readonly string[] } = { redactions: {}, reasons: [] };
  if (privacy === "background" || typeof privacy === "function") {
    const kept = await filterInPage(capture, head, settings);
    return kept.keep ? { ...kept, ...told } : kept;
  }
  const explaining: Privacy["filter"] = async (message, rules): Promise<FilterVerdict> => {
    const explanation = await privacy.explain(message, rules);
    if (!explanation.captured) return { keep: false, rule: explanation.rule };
    Object.assign(told, { redactions: explanation.redactions, reasons: explanation.reasons });
    return { keep: true, message: explanation.message };
  };
  const kept = await filterInPage(capture, head, { ...settings, privacy: { ...privacy, filter: explaining } });
  return kept.keep ? { ...kept, ...told } : kept;
}

/** Stands in for the tab, which only the background knows. */
const someTab = "0";

function messageOf(capture: Capture, head: Head): NewMessage {
  const { contextId, type, url, title, content, contentFormat, capturedAt, privacyLevel, metadata, referrer, lang } = capture;
  const tabMetadata = {
    id: someTab,
    url,
    title,
    lastUpdated: capturedAt,
    ...(referrer !== undefined && { referrer }),
    ...(lang !== undefined && { lang }),
  };
  const context = {
    id: contextId,
    type,
    tabId: someTab,
    capturedAt,
    url,
    title,
    content,
    contentFormat,
    tabMetadata,
    ...(privacyLevel !== undefined && { privacyLevel }),
    ...(metadata !== undefined && { metadata }),
  };
  return { ...head, type: "create", payload: { context } };
}

/** A capture with the fields of a filtered message. */
export function captureOf(message: NewMessage, before: Capture): Capture {
  if (message.type !== "create") return before;
  const { contextId, type, visit, capturedAt, isActive, isLoading } = before;
  const { url, title, content, contentFormat, privacyLevel, metadata, tabMetadata } = message.payload.context;
  const { referrer, lang } = tabMetadata;
  return {
    contextId,
    type,
    capturedAt,
    ...(visit !== undefined && { visit }),
    ...(isActive !== undefined && { isActive }),
    ...(isLoading !== undefined && { isLoading }),
    url: url ?? tabMetadata.url,
    title: title ?? tabMetadata.title,
    content: content ?? "",
    contentFormat: contentFormat ?? before.contentFormat,
    metadata: metadata ?? {},
    ...(privacyLevel !== undefined && { privacyLevel }),
    ...(referrer !== undefined && { referrer }),
    ...(lang !== undefined && { lang }),
  };
}

/** Trims what is longer after the filter than before, or was read beyond the limit for its sake. */
function trimmed(capture: Capture, contentBytesMax: number): Capture {
  const { length } = cutToJson(capture.content, contentBytesMax);
  if (length === capture.content.length) return capture;
  const content = capture.content.slice(0, betweenSigns(capture.content, length));
  // The fields of a form are JSON, which has no shorter form. The filter of the background is still to come.
  return { ...capture, content: capture.type === "form" ? "[]" : cutToWhole(content), metadata: { ...capture.metadata, truncated: true } };
}
