import type { NewMessage } from "../core/message.js";
import { fitText } from "../fit-text.js";
import { type Capture, captureBounds } from "../protocol.js";
import type { PageText } from "./context-sync.js";
import type { MessageSender, TabState } from "./extension-apis.js";

/**
 * The message of a capture. What the browser says of its sender is added to what the page said; only what stays the same when the request is repeated,
 * so that it is the same message again.
 */
export function messageOfCapture(capture: Capture, tab: TabState, head: { id?: string; timestamp?: string } = {}): NewMessage {
  const { contextId: id, visit: _visit, viewedMs: _viewedMs, isActive = true, isLoading = false, referrer, lang, ...context } = capture;
  const { url, title, capturedAt } = context;
  const tabMetadata = {
    id: String(tab.id),
    url,
    title,
    isActive,
    isLoading,
    windowId: tab.windowId,
    lastUpdated: capturedAt,
    incognito: false,
    pinned: tab.pinned,
    ...(referrer !== undefined && { referrer }),
    ...(lang !== undefined && { lang }),
    ...(tab.openerTabId !== undefined && { openerTabId: String(tab.openerTabId) }),
  };
  return { ...head, type: "create", payload: { context: { ...context, id, tabId: tabMetadata.id, tabMetadata } } };
}

/** The address of a tab; empty when the browser does not give it, as without the permission `tabs`. */
export const urlOf = (tab: TabState | undefined): string => tab?.url ?? "";

/** The title of a tab; empty when the browser does not give its address, since the title may be that of another page. */
export const titleOf = (tab: TabState | undefined): string => (urlOf(tab) === "" ? "" : fitTitle(tab?.title ?? ""));

/** Leaves out a title that is too long: cut before the filter, half a secret would pass it. */
const fitTitle = (title: string): string => (title.length * 3 > captureBounds.titleBytesMax ? "" : title);

/** What is known of a visit, whoever saw it: a content script, or only the browser. */
export interface VisitRecord {
  contextId: string;
  url: string;
  /** When it began, in milliseconds since the epoch. */
  at: number;
  /** How the tab came to it, as the browser says. */
  transition?: string;
}

/**
 * The message of a visit that only the browser saw, under the id of its context.
 * @param shown the tab, if it is still there; what was read of the visit, which makes it a page
 */
export function messageOfVisit(
  { url, at, contextId, transition }: VisitRecord,
  { tabId, state, text }: { tabId: string; state?: TabState | undefined; text?: PageText },
): NewMessage {
  const timestamp = new Date(at).toISOString();
  const { contentFormat = "text", title = titleOf(state), metadata } = text ?? {};
  const { content, isTruncated } = fitText(text?.content ?? "", captureBounds.contentBytesMax);
  const capture: Capture = {
    contextId,
    type: text === undefined ? "navigation" : "page",
    url,
    title: fitTitle(title),
    content,
    contentFormat,
    capturedAt: timestamp,
    metadata: { ...metadata, ...(isTruncated && { truncated: true }), ...(transition !== undefined && { transition }) },
    isActive: state?.active ?? false,
  };
  const closed = { id: Number(tabId), windowId: 0, incognito: false, pinned: false, active: false };
  return messageOfCapture(capture, state ?? closed, { id: contextId, timestamp });
}

/**
 * The rule that keeps out what a sender sent, if one does.
 * @param url address of the page, if it is given
 * @throws TypeError when the sender is not believed
 */
export function ruleAgainst(sender: MessageSender, url: string | undefined): string | undefined {
  const { tab, frameId = 0, documentLifecycle = "active" } = sender;
  if (tab?.incognito === true) return "private-window";
  if (frameId !== 0) return "frame";
  // Nobody has seen it yet, and perhaps nobody will.
  if (documentLifecycle === "prerender") return "prerender";
  if (tab === undefined) throw new TypeError("The request was refused: captures come from content scripts of a tab.");
  if (url === undefined || isOfSender(url, sender)) return undefined;
  throw new TypeError("The request was refused: the address is not that of its sender.");
}

/** The browser knows the sender's address; what a page did to its content script's world must not make another site of it. */
function isOfSender(url: string, { url: known = "", origin }: MessageSender): boolean {
  const { origin: claimed, protocol } = new URL(url);
  if (protocol === "file:") return known.startsWith("file:");
  // A page that its server put into a sandbox has no origin of its own, but an address.
  if (origin !== undefined && origin !== "null") return claimed === origin;
  return URL.canParse(known) && claimed === new URL(known).origin;
}
