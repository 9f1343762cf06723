import type { NewMessage } from "../core/message.js";
import { type Capture, captureBounds, type HeartbeatRequest } from "../protocol/index.js";
import type { MessageSender, TabState } from "./extension-apis.js";
import type { PageText } from "./options.js";

/** A message of what a content script sent; or the rule that keeps it out, or why its sender is not believed. */
export type FromPage = { is: "message"; message: NewMessage } | { is: "blocked"; rule: string } | { is: "refused"; error: string };

/**
 * The message of a capture. What the browser says of its sender is added to what the page said; only what stays the same when the request is repeated,
 * so that it is the same message again.
 */
export function messageOfCapture(capture: Capture, sender: MessageSender, head: { id?: string; timestamp?: string } = {}): FromPage {
  const { tab, frameId = 0 } = sender;
  const kept = standing(sender);
  if (kept !== undefined || tab === undefined) return kept ?? noTab;
  if (!isOfSender(capture.url, sender)) return { is: "refused", error: "The request was refused: the address is not that of its sender." };
  if (frameId !== 0 && (capture.type === "page" || capture.type === "navigation")) return { is: "blocked", rule: "frame" };
  // The level of a frame is that of the page around it as well.
  const address = frameId === 0 ? capture.url : tab.url;
  if (address === undefined) return { is: "blocked", rule: "unknown-page" };
  const { contextId, type, url, title, content, contentFormat, capturedAt, privacyLevel, metadata, referrer, lang } = capture;
  const tabMetadata = {
    id: String(tab.id),
    url: address,
    title: frameId === 0 ? title : (tab.title ?? ""),
    isActive: capture.isActive ?? true,
    isLoading: capture.isLoading ?? false,
    windowId: tab.windowId,
    lastUpdated: capturedAt,
    incognito: false,
    pinned: tab.pinned,
    ...(referrer !== undefined && { referrer }),
    ...(lang !== undefined && { lang }),
    ...(tab.openerTabId !== undefined && { openerTabId: String(tab.openerTabId) }),
  };
  const context = {
    id: contextId,
    type,
    tabId: tabMetadata.id,
    capturedAt,
    tabMetadata,
    url,
    title,
    content,
    contentFormat,
    ...(privacyLevel !== undefined && { privacyLevel }),
    ...(metadata !== undefined && { metadata }),
  };
  return { is: "message", message: { ...head, type: "create", payload: { context } } };
}

/** The message of a heartbeat. */
export function messageOfHeartbeat({ id, timestamp, contextId }: HeartbeatRequest, sender: MessageSender): FromPage {
  const kept = standing(sender);
  if (kept !== undefined || sender.tab === undefined) return kept ?? noTab;
  const payload = { ...(contextId !== undefined && { contextId }), tabId: String(sender.tab.id) };
  return { is: "message", message: { id, timestamp, type: "heartbeat", payload } };
}

/** An address that the browser does not tell, as without the permission `tabs`, is none. */
export const urlOf = (tab: TabState | undefined): string => tab?.url ?? "";

/** A visit of which the browser alone tells. */
export interface SeenVisit {
  /** Of the message. */
  id: string;
  contextId: string;
  url: string;
  /** When it began, in milliseconds since the epoch. */
  at: number;
  transition: string | undefined;
  tabId: string;
  state: TabState | undefined;
  /** What was read of it, which makes it a page. */
  text?: PageText;
}

/** The message of a visit that no content script tells of. */
export function messageOfVisit({ url, at, id, contextId, transition, tabId, state, text }: SeenVisit): NewMessage {
  const capturedAt = new Date(at).toISOString();
  // Without an address it may be the title of another page.
  const told = text?.title ?? (urlOf(state) === "" ? "" : (state?.title ?? ""));
  // A title that is too long is left out: cut before the filter, half a secret would pass it.
  const title = told.length * 3 > captureBounds.titleBytesMax ? "" : told;
  const tabMetadata = {
    id: tabId,
    url,
    title,
    isActive: state?.active ?? false,
    isLoading: false,
    windowId: state?.windowId ?? 0,
    lastUpdated: capturedAt,
    incognito: state?.incognito ?? false,
    pinned: state?.pinned ?? false,
  };
  const { content = "", contentFormat = "text" } = text ?? {};
  const metadata = { ...text?.metadata, ...(transition !== undefined && { transition }) };
  const type = text === undefined ? ("navigation" as const) : ("page" as const);
  const context = { id: contextId, type, tabId, capturedAt, tabMetadata, url, title, content, contentFormat, metadata };
  return { id, type: "create", timestamp: capturedAt, payload: { context } };
}

const noTab: FromPage = { is: "refused", error: "The request was refused: captures come from content scripts of a tab." };

function standing({ tab, documentLifecycle = "active" }: MessageSender): FromPage | undefined {
  if (tab?.incognito === true) return { is: "blocked", rule: "private-window" };
  // Nobody has seen it yet, and perhaps nobody will.
  return documentLifecycle === "prerender" ? { is: "blocked", rule: "prerender" } : undefined;
}

/** The browser knows the sender's address; what a page did to its content script's world must not make another site of it. */
function isOfSender(url: string, { url: known = "", origin, frameId = 0 }: MessageSender): boolean {
  const { origin: claimed, protocol } = new URL(url);
  if (protocol === "file:") return known.startsWith("file:");
  const knownOrigin = URL.canParse(known) ? new URL(known).origin : undefined;
  // A page that its server put into a sandbox has no origin of its own, but an address.
  return claimed === (origin === undefined || (origin === "null" && frameId === 0) ? knownOrigin : origin);
}
