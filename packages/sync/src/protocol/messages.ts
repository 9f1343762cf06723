import type { ContentFormat, ContextType, PrivacyLevel } from "@periscope/schemas";

/** The version of what content scripts and the background say to each other. An orphan of an older version of the extension may speak another. */
export const protocolVersion = 1;

/** How a document was come to, as the browser says: `PerformanceNavigationTiming.type`. */
export type VisitKind = "navigate" | "reload" | "back_forward" | "prerender";

interface Headed {
  periscope: typeof protocolVersion;
}

/**
 * What a content script saw. Everything that could be another a second later is taken here and not in the background, so that a request that is
 * repeated becomes the same message: the service takes an id for one message only.
 */
export interface Capture {
  /** Identifier of the context, made in the page: heartbeats name it. */
  contextId: string;
  type: ContextType;
  /** Given for what is recorded of a visit: the background may know it already, under another id, and answers with that. */
  visit?: VisitKind;
  /** Address of the document; of the same origin as the frame that sends. */
  url: string;
  title: string;
  /** At most 1 MiB of UTF-8. */
  content: string;
  contentFormat: ContentFormat;
  /** ISO 8601. */
  capturedAt: string;
  /** The level that is asked for; the result is never lower. Default `private`. */
  privacyLevel?: PrivacyLevel;
  /** At most 16 KiB as JSON. */
  metadata?: Record<string, string | number | boolean>;
  /** Whether the page was seen: `document.visibilityState`. Default true. */
  isActive?: boolean;
  /** Whether the page was still loading: `document.readyState`. Default false. */
  isLoading?: boolean;
  referrer?: string;
  lang?: string;
}

/** Hands in a capture. Answered with `Enqueued`, of a visit with its `contextId` too, only when it is on the disk or will not be. */
export interface EnqueueRequest extends Headed {
  kind: "enqueue";
  /** Identifier of the message, made in the page; the same one when the request is repeated because its answer was lost. */
  id: string;
  /** ISO 8601; the same one when the request is repeated. */
  timestamp: string;
  capture: Capture;
}

/** Says that a context is still looked at. Answered with `Enqueued`. */
export interface HeartbeatRequest extends Headed {
  kind: "heartbeat";
  id: string;
  timestamp: string;
  contextId?: string;
}

/** Asks what would be kept of a capture. Answered with `Explanation`; nothing is stored or sent. */
export interface ExplainRequest extends Headed {
  kind: "explain";
  capture: Capture;
}

/** What pages of the extension may ask the background to do. */
export type RemoteMethod =
  | "explain"
  | "flush"
  | "status"
  | "pause"
  | "resume"
  | "purge"
  | "deadLetters.list"
  | "deadLetters.retry"
  | "deadLetters.discard"
  | "rules.get"
  | "rules.set";

/** A call from a page of the extension, such as its popup; refused to content scripts. Answered with what the method resolves to. */
export interface CallRequest extends Headed {
  kind: "call";
  method: RemoteMethod;
  args: readonly unknown[];
}

/** Everything that is said to the background. */
export type Request = EnqueueRequest | HeartbeatRequest | ExplainRequest | CallRequest;

/** What the background answers. No answer at all means that it died, or that nobody is there: repeat once, with the same id. */
export type Answer<T> = (Headed & { ok: true; value: T }) | (Headed & { ok: false; error: string });
