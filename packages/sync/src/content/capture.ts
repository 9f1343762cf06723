import type { Explanation } from "../core/privacy.js";
import type { Enqueued } from "../core/outcomes.js";
import { type EnqueueRequest, type ExplainRequest, type HeartbeatRequest, protocolVersion } from "../protocol/index.js";
import { newMessageId } from "@periscope/delivery";
import { paceOf } from "./budget.js";
import { ask } from "./extension-link.js";
import { type CaptureOptions, settingsOf } from "./options.js";
import type { Captured, Preview, Unavailable } from "./outcomes.js";
import { captureOf, explainInPage, filterInPage } from "./page-privacy.js";
import { readCapture } from "./read-capture.js";
import type { CaptureRequest, CustomData, CustomOptions, PageOptions } from "./requests.js";

/** Captures what is seen in a page, and hands it to the background. Nothing here rejects but for arguments that are none. */
export interface PageCapture {
  /** The page: its address, title, language and text. */
  page(options?: PageOptions): Promise<Captured>;
  /** What is selected; `empty` when nothing is. */
  selection(): Promise<Captured>;
  /** The text of one element. */
  element(element: Element): Promise<Captured>;
  /**
   * The fields of a form, or of any element with fields in it, as JSON: name, type, label, whether each is filled; values where the rules let them
   * through.
   */
  form(form: Element): Promise<Captured>;
  /** A picture, video or sound: what it is called, where it comes from, how far it was played. */
  media(element: Element): Promise<Captured>;
  /** That the page was opened, without its text. */
  navigation(): Promise<Captured>;
  /**
   * Something of the application's own, with `kind` and `data` as metadata.
   * @throws TypeError for a kind that is empty, or data that is not flat
   */
  custom(kind: string, data?: CustomData, options?: CustomOptions): Promise<Captured>;
  /** Says that a context is still looked at. */
  heartbeat(contextId?: string): Promise<Enqueued | Unavailable>;
  /** A preview: what would be kept of a capture, of the page by default, and what was removed by kind. Nothing is kept or sent. */
  explain(request?: CaptureRequest): Promise<Preview>;
}

/**
 * Capturing for a content script. Each capture is read under the budget, passes the rules of the page and the filter, is trimmed to the limit, and goes to
 * the background under an id of its own; when the answer is lost, once more under the same id.
 * @example
 * const capture = createCapture({ privacy: "background", selectorDeny: [".diary"] });
 * const captured = await capture.page();
 * if (captured.status === "queued") setInterval(() => void capture.heartbeat(captured.contextId), 30_000);
 * @throws TypeError when the options cannot work
 */
export function createCapture(options: CaptureOptions): PageCapture {
  const settings = settingsOf(options);
  const { apis, epoch, reader, markdown } = settings;
  const paces = {
    innerText: paceOf(400),
    reader: paceOf(reader?.elementsPerMs ?? 1),
    markdown: paceOf(markdown?.elementsPerMs ?? 1),
  };

  return {
    page: async (options = {}) => await hand({ ...options, type: "page" }),
    selection: async () => await hand({ type: "selection" }),
    element: async (element) => await hand({ type: "element", element }),
    form: async (form) => await hand({ type: "form", form }),
    media: async (element) => await hand({ type: "media", element }),
    navigation: async () => await hand({ type: "navigation" }),
    custom: async (kind, data = {}, options = {}) => await hand({ ...options, type: "custom", kind, data }),
    async heartbeat(contextId) {
      const request: HeartbeatRequest = { ...stamp(), kind: "heartbeat", ...(contextId !== undefined && { contextId }) };
      return await ask<Enqueued>(request, apis(), settings);
    },
    explain,
  };

  function stamp(): { periscope: typeof protocolVersion; id: string; timestamp: string } {
    const now = epoch();
    return { periscope: protocolVersion, id: newMessageId(now), timestamp: new Date(now).toISOString() };
  }

  async function hand(request: CaptureRequest): Promise<Captured> {
    requireParts(request);
    const head = stamp();
    const { id: contextId, timestamp } = head;
    const read = await readCapture(request, { settings, paces }, { contextId, capturedAt: timestamp });
    if (read.status === "blocked" || read.status === "dropped") return { ...read, contextId };
    if (read.status !== "read") return read;
    const kept = await filterInPage(read.capture, head, settings);
    if (!kept.keep) return { status: "blocked", rule: kept.rule, contextId };
    const message: EnqueueRequest = { ...head, kind: "enqueue", capture: kept.capture };
    const answer = await ask<Enqueued>(message, apis(), settings);
    return answer.status === "unavailable" ? answer : { ...answer, contextId };
  }

  async function explain(request: CaptureRequest = { type: "page" }): Promise<Preview> {
    requireParts(request);
    const head = stamp();
    const read = await readCapture(request, { settings, paces }, { contextId: head.id, capturedAt: head.timestamp });
    if (read.status === "dropped") return { status: "blocked", rule: read.reason };
    if (read.status !== "read") return read;
    const kept = await explainInPage(read.capture, head, settings);
    if (!kept.keep) return { status: "blocked", rule: kept.rule };
    const message: ExplainRequest = { periscope: protocolVersion, kind: "explain", capture: kept.capture };
    const answer = await ask<Explanation>(message, apis(), settings);
    if ("status" in answer) return answer;
    if (!answer.captured) return { status: "blocked", rule: answer.rule };
    const capture = captureOf(answer.message, kept.capture);
    const removed = { ...read.removed };
    // What went in the page is not there any more when the background looks.
    for (const [kind, count] of [...Object.entries(kept.redactions), ...Object.entries(answer.redactions)])
      removed[kind] = (removed[kind] ?? 0) + count;
    const { readBy, ms } = read;
    const level = answer.level ?? capture.privacyLevel ?? "private";
    const reasons = [...new Set([...read.reasons, ...kept.reasons, ...answer.reasons])];
    const isTruncated = capture.metadata?.["truncated"] === true;
    return { status: "ready", capture, level, reasons, removed, isTruncated, readBy, ms };
  }

  /** What an application gets wrong at every call should not look like a page that cannot be read. */
  function requireParts(request: CaptureRequest): void {
    if (request.type === "page" && request.article === true && reader === undefined)
      throw new TypeError("page({ article: true }) needs a reader: createCapture({ reader: readability() }).");
    if (request.type === "page" && request.format === "markdown" && markdown === undefined)
      throw new TypeError('page({ format: "markdown" }) needs a writer: createCapture({ markdown: markdown() }).');
    if (request.type !== "custom") return;
    const { kind, data = {} } = request;
    const isFlat = Object.values(data).every((value) => ["string", "boolean"].includes(typeof value) || Number.isFinite(value));
    if (kind === "" || !isFlat) throw new TypeError("A custom capture has a kind, and data of strings, finite numbers and booleans.");
  }
}
