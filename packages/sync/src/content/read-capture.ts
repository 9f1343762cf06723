import type { DropReason } from "../core/outcomes.js";
import { type Capture, captureBounds, fitsBytes, type VisitKind } from "../protocol.js";
import { hasFilledSecret } from "./dom-rules.js";
import type { CaptureSettings } from "./options.js";
import { type CaptureRequest, type Empty, type Unavailable, unavailable } from "./outcomes.js";
import { pageFacts } from "./page-facts.js";
import { startSlices } from "./slices.js";
import { take } from "./take.js";

/** What was read of a page, before the filter; or why nothing was. */
export type ReadOutcome =
  | { status: "read"; capture: Capture; removed: Record<string, number>; reasons: readonly string[]; ms: number }
  | { status: "blocked"; rule: string }
  | { status: "dropped"; reason: DropReason }
  | Empty
  | Unavailable;

/** What a capture says of the visit that it is of. */
export interface VisitMarks {
  contextId: string;
  capturedAt: string;
  kind?: VisitKind;
}

/** Reads what is asked for, by the rules of the page. Never rejects. */
export async function readCapture(request: CaptureRequest, settings: CaptureSettings, marks: VisitMarks): Promise<ReadOutcome> {
  const { document, apis } = settings;
  try {
    if (apis().extension?.inIncognitoContext === true) return { status: "blocked", rule: "private-window" };
    if (!/^(?:https?|file):$/.test(document.location.protocol)) return { status: "blocked", rule: "browser-page" };
    if (globalThis.top !== globalThis.self) return unavailable("frame", "Frames are not captured by themselves.");
    // A page may move on between slices; what was read then belongs to neither address.
    for (let round = 0; round < 2; round += 1) {
      const read = await readOnce(request, settings, marks);
      if (read !== "moved") return read;
    }
    return unavailable("page-changed", "The page moved on while it was read.");
  } catch (error) {
    // Its words may quote the page.
    return unavailable("failed", `The page could not be read: ${error instanceof Error ? error.name : "unknown error"}.`);
  }
}

async function readOnce(request: CaptureRequest, settings: CaptureSettings, marks: VisitMarks): Promise<ReadOutcome | "moved"> {
  const { document, contentBytesMax, privacyLevel } = settings;
  // A page may be left as soon as its form is submitted.
  const slices = await startSlices(settings, request.type === "form");
  const { href } = document.location;
  const removed: Record<string, number> = {};
  let hasSecret = hasFilledSecret(document);
  const isRestricted = () => hasSecret || privacyLevel === "restricted";
  // Of a page of which nothing may be kept nothing is read. Whether something is selected must be known all the same.
  const isTextWanted = !isRestricted() || request.type === "selection";
  const taken = await take(isTextWanted ? request : { type: "navigation" }, {
    settings,
    slices,
    bytesMax: contentBytesMax,
    count(kind, count = 1) {
      removed[kind] = (removed[kind] ?? 0) + count;
    },
    onSecret() {
      hasSecret = true;
    },
  });
  if (taken.status !== "taken") return taken;
  if (document.location.href !== href) return "moved";
  const facts = pageFacts(document, href);
  if (facts === undefined) return { status: "dropped", reason: "too-large" };
  // While it was read something may have been filled in.
  hasSecret ||= hasFilledSecret(document);
  const { metadata, ...page } = facts;
  const all = { ...metadata, ...taken.metadata, ...(taken.isTruncated && { truncated: true }) };
  if (!fitsBytes(JSON.stringify(all), captureBounds.metadataBytesMax)) return { status: "dropped", reason: "too-large" };
  const level = isRestricted() ? "restricted" : privacyLevel;
  const capture: Capture = {
    contextId: marks.contextId,
    capturedAt: marks.capturedAt,
    ...(marks.kind !== undefined && { visit: marks.kind }),
    ...page,
    type: request.type,
    content: isRestricted() ? "" : taken.content,
    contentFormat: taken.contentFormat,
    metadata: isRestricted() ? {} : all,
    ...(level !== undefined && { privacyLevel: level }),
  };
  return { status: "read", capture, removed, reasons: hasSecret ? ["page:filled-secret"] : [], ms: slices.usedMs() };
}
