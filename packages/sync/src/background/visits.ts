import { newMessageId } from "@periscope/delivery";
import type { NavigationDetails, TabState } from "./extension-apis.js";

/** An address that a tab came to, and may stay at. */
export interface Arrival {
  url: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Identifiers of message and context, made now: whoever ends the worker before it is known to be stored does not make two of it. */
  id: string;
  contextId: string;
  transition: string | undefined;
  /** Whether the document was there before. */
  isSameDocument: boolean;
}

/** What is remembered of a tab. */
export interface Visit {
  documentId: string;
  windowId: number;
  /** The address that was last told of, of this document. */
  settled?: string;
  pending?: Arrival;
}

/** How the browser told of a navigation. */
export type How = "committed" | "history" | "fragment";

/** Whether a navigation is one of a page that somebody sees. */
export function isVisit({ tabId, frameId, url, documentLifecycle, frameType }: NavigationDetails): boolean {
  const isPage = tabId >= 0 && frameId === 0 && (frameType ?? "outermost_frame") === "outermost_frame";
  return isPage && (documentLifecycle ?? "active") === "active" && /^(?:https?|file):/.test(url);
}

/** A place in a page is not another page; `#/route` and `#!route` are. */
export const addressOf = (url: string): string => url.replace(/#(?![/!]).*$/, "");

/**
 * What is known of a tab after a navigation. The same address again is nothing new; another one takes the place of one that was not yet
 * settled; and one that comes back to the settled one was not left.
 */
export function visitAfter(before: Visit | undefined, details: NavigationDetails, how: How, { windowId }: TabState): Visit {
  const documentId = details.documentId ?? (how === "committed" ? `at ${details.timeStamp}` : (before?.documentId ?? "unknown"));
  const same = before?.documentId === documentId ? before : undefined;
  const address = addressOf(details.url);
  const { settled, pending } = same ?? {};
  if (pending !== undefined && addressOf(pending.url) === address) return { documentId, windowId, ...same };
  const visit = { documentId, windowId, ...(settled !== undefined && { settled }) };
  if (settled === address) return visit;
  const at = details.timeStamp;
  const isSameDocument = how !== "committed";
  const [id, contextId] = [newMessageId(at), newMessageId(at)];
  return { ...visit, pending: { url: details.url, at, id, contextId, transition: details.transitionType, isSameDocument } };
}
