import { captureBounds as bounds } from "./bounds.js";
import { type Capture, protocolVersion, type Request } from "./messages.js";

/** A request as it arrived: one to act on, one that is refused with the reason, or something that is none of ours. */
export type ReadRequest = { is: "request"; request: Request } | { is: "refused"; error: string } | { is: "other" };

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
const isShort = (value: unknown, charsMax: number) => typeof value === "string" && value.length <= charsMax;
const isId = (value: unknown) => isShort(value, bounds.idCharsMax) && value !== "";
const isTime = (value: unknown) => isShort(value, 40) && !Number.isNaN(Date.parse(value as string));
const types = ["page", "selection", "element", "form", "media", "navigation", "custom"];
const formats = ["text", "html", "markdown"];
const visits = [undefined, "navigate", "reload", "back_forward", "prerender"];
const levels = ["public", "private", "filtered", "restricted"];

/** Reads what came in: whatever runs in a page may have sent it. */
export function readRequest(message: unknown): ReadRequest {
  if (!isFields(message) || !("periscope" in message)) return { is: "other" };
  if (message["periscope"] !== protocolVersion) return refused("another version of the extension; load the page anew");
  const { kind, id, timestamp, capture, contextId, method, args } = message;
  const stamp = () => (!isId(id) ? "id" : !isTime(timestamp) ? "timestamp" : undefined);
  switch (kind) {
    case "enqueue":
      return checked(message, stamp() ?? wrongIn(capture));
    case "explain":
      return checked(message, wrongIn(capture));
    case "heartbeat":
      return checked(message, stamp() ?? (contextId === undefined || isId(contextId) ? undefined : "contextId"));
    case "call":
      return checked(message, typeof method === "string" && Array.isArray(args) ? undefined : "method");
    default:
      return refused("kind is none that is known");
  }
}

const refused = (why: string): ReadRequest => ({ is: "refused", error: `The request was refused: ${why}.` });

function checked(message: Fields, wrong: string | undefined): ReadRequest {
  return wrong === undefined ? { is: "request", request: message as unknown as Request } : refused(`${wrong} is missing or not valid`);
}

/** The first field of a capture that is not what it must be. Sizes are not looked at. */
function wrongIn(capture: unknown): string | undefined {
  if (!isFields(capture)) return "capture";
  const { contextId, type, url, title, content, contentFormat, capturedAt, privacyLevel, metadata, visit, ...more } = capture;
  const { isActive, isLoading, referrer, lang } = more;
  const isOptional = (value: unknown, kind: string) => value === undefined || typeof value === kind;
  const wrong = Object.entries({
    contextId: isId(contextId),
    type: types.includes(type as string),
    visit: visits.includes(visit as string | undefined),
    url: typeof url === "string" && URL.canParse(url),
    title: typeof title === "string",
    content: typeof content === "string",
    contentFormat: formats.includes(contentFormat as string),
    capturedAt: isTime(capturedAt),
    privacyLevel: privacyLevel === undefined || levels.includes(privacyLevel as string),
    metadata: metadata === undefined || (isFields(metadata) && Object.values(metadata).every(isLeaf)),
    isActive: isOptional(isActive, "boolean"),
    isLoading: isOptional(isLoading, "boolean"),
    referrer: referrer === undefined || isShort(referrer, bounds.otherCharsMax),
    lang: lang === undefined || isShort(lang, bounds.otherCharsMax),
  }).find(([, isRight]) => !isRight);
  return wrong && `capture.${wrong[0]}`;
}

const isLeaf = (value: unknown) => typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

/** Whether a capture is larger than the contract allows, which no filter can mend. */
export function isTooLarge({ url, title, content, metadata = {} }: Capture): boolean {
  return (
    isLonger(url, bounds.urlBytesMax) ||
    isLonger(title, bounds.titleBytesMax) ||
    isLonger(content, bounds.contentBytesMax) ||
    isLonger(JSON.stringify(metadata), bounds.metadataBytesMax)
  );
}

/** Counts bytes only of a text whose characters do not settle it. */
function isLonger(text: string, bytesMax: number): boolean {
  return text.length > bytesMax || (text.length * 3 > bytesMax && new TextEncoder().encode(text).length > bytesMax);
}
