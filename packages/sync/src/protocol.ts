import type { ContentFormat, ContextType, PrivacyLevel } from "@periscope/schemas";

/** The version of what content scripts and the background say to each other. An orphan of an older version of the extension may speak another. */
export const protocolVersion = 1;

/** The extension APIs of the browser: `browser` or `chrome`. Undefined where there are none. */
export function globalApis(): { runtime?: object } | undefined {
  const { browser, chrome } = globalThis as { [name in "browser" | "chrome"]?: { runtime?: object } };
  return browser?.runtime === undefined ? chrome : browser;
}

/** Bounds of a capture, those of the contract. */
export const captureBounds = {
  idCharsMax: 128,
  urlBytesMax: 8_192,
  titleBytesMax: 2_048,
  contentBytesMax: 1_048_576,
  metadataBytesMax: 16_384,
} as const;

/**
 * How a document was opened, as `PerformanceNavigationTiming.type` says; `asked` when a person asks for it to be stored, whatever is known of it; `viewed` when
 * only the time viewed is new.
 */
export type VisitKind = "navigate" | "reload" | "back_forward" | "prerender" | "asked" | "viewed";

interface Headed {
  periscope: typeof protocolVersion;
}

/**
 * What a content script saw. Everything that changes with time is set here and not in the background, so that a repeated request becomes the same message.
 */
export interface Capture {
  /** Identifier of the context, made in the page: heartbeats name it. */
  contextId: string;
  type: ContextType;
  /** Given for what is recorded of a visit: the background may know it already, under another id, and answers with that. */
  visit?: VisitKind;
  /** Address of the document, of the same origin as its sender. */
  url: string;
  title: string;
  content: string;
  contentFormat: ContentFormat;
  /** ISO 8601. */
  capturedAt: string;
  /** The level that is asked for; the result is never lower. Default `private`. */
  privacyLevel?: PrivacyLevel;
  metadata?: Record<string, string | number | boolean>;
  /** Milliseconds that the visit was viewed since its last capture, whatever came of that. */
  viewedMs?: number;
  /** Whether the page was seen: `document.visibilityState`. Default true. */
  isActive?: boolean;
  /** Whether the page was still loading: `document.readyState`. Default false. */
  isLoading?: boolean;
  referrer?: string;
  lang?: string;
}

type Sized = { [field in "url" | "title" | "content" | "metadata"]?: Capture[field] | undefined };

/** Everything that is said to the background. `id` and `timestamp` are made in the page, and the same ones when the request is repeated. */
export type Request = Headed &
  (
    | {
        /** Hands in a capture. Answered with `Enqueued`, of a visit with its `contextId` too, only when it is on the disk or will not be. */
        kind: "enqueue";
        id: string;
        timestamp: string;
        capture: Capture;
      }
    /** Says that a context is still looked at. Answered with `Enqueued`. */
    | { kind: "heartbeat"; id: string; timestamp: string; contextId: string }
    /** Asks what would be kept of a capture. Answered with `FilterVerdict`; nothing is stored or sent. */
    | { kind: "explain"; capture: Capture }
    /** A call from a page of the extension, such as its popup; refused to content scripts. Answered with what the method resolves to. */
    | { kind: "call"; method: string; args: readonly unknown[] }
  );

export type EnqueueRequest = Extract<Request, { kind: "enqueue" }>;
export type HeartbeatRequest = Extract<Request, { kind: "heartbeat" }>;

/** What the background answers. No answer at all means that it died, or that nobody is there: repeat once, with the same id. */
export type Answer<T> = (Headed & { ok: true; value: T }) | (Headed & { ok: false; error: string });

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isId = (value: unknown) => isText(value) && value !== "" && value.length <= captureBounds.idCharsMax;
const isTime = (value: unknown) => isText(value) && value.length <= 40 && !Number.isNaN(Date.parse(value));

/** Whether a message is one of these, and not of another part of the extension. */
export const isRequest = (message: unknown): message is Fields => isFields(message) && "periscope" in message;

/**
 * Checks a request, which any content script may have sent. Of a capture only the fields that the background reads are checked; filter and service check the
 * rest.
 * @throws TypeError for one that is not valid
 */
export function readRequest(message: Fields): Request {
  const { periscope, kind, id, timestamp, contextId, method, args } = message;
  const capture = isFields(message["capture"]) ? message["capture"] : {};
  if (periscope !== protocolVersion) throw new TypeError("The request was refused: another version of the extension; reload the page.");
  const stamp = { id: isId(id), timestamp: isTime(timestamp) };
  const captured = {
    "capture.contextId": isId(capture["contextId"]),
    "capture.url": isText(capture["url"]) && URL.canParse(capture["url"]),
    "capture.title": isText(capture["title"]),
    "capture.content": isText(capture["content"]),
    "capture.capturedAt": isTime(capture["capturedAt"]),
    "capture.viewedMs": capture["viewedMs"] === undefined || Number.isInteger(capture["viewedMs"]),
  };
  const checks: Record<string, Record<string, boolean>> = {
    enqueue: { ...stamp, ...captured },
    explain: captured,
    heartbeat: { ...stamp, contextId: isId(contextId) },
    call: { method: isText(method), args: Array.isArray(args) },
  };
  const wanted = checks[String(kind)] ?? { kind: false };
  const wrong = Object.keys(wanted).find((name) => wanted[name] !== true);
  if (wrong !== undefined) throw new TypeError(`The request was refused: ${wrong} is missing or not valid.`);
  return message as unknown as Request;
}

/** Whether a capture or context is larger than the contract allows, which no filter can mend. */
export const isTooLarge = ({ url = "", title = "", content = "", metadata = {} }: Sized): boolean =>
  !fitsBytes(url, captureBounds.urlBytesMax) ||
  !fitsBytes(title, captureBounds.titleBytesMax) ||
  !fitsBytes(content, captureBounds.contentBytesMax) ||
  !fitsBytes(JSON.stringify(metadata), captureBounds.metadataBytesMax);

/** Whether a text takes at most so many bytes of UTF-8. Bytes are counted only of a text whose characters do not settle it. */
export const fitsBytes = (text: string, bytesMax: number): boolean =>
  text.length <= bytesMax && (text.length * 3 <= bytesMax || new TextEncoder().encode(text).length <= bytesMax);
