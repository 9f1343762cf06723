import { newMessageId } from "@periscope/delivery";
import type { FilterVerdict } from "../core/message.js";
import type { Enqueued } from "../core/outcomes.js";
import { type Capture, protocolVersion } from "../protocol.js";
import { ask } from "./extension-link.js";
import { type CaptureOptions, settingsOf } from "./options.js";
import type { Captured, CaptureRequest, CustomData, CustomOptions, PageOptions, Preview, PreviewContext } from "./outcomes.js";
import { readCapture } from "./read-capture.js";
import { recordPage, type RecordOptions, type Recording } from "./record.js";

/** Captures what is seen in a page, and hands it to the background. Nothing here rejects but for arguments that are none. */
export interface PageCapture {
  /** The page: its address, title, language, and what it is about as markdown: its article, or all that is shown where there is none. */
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
  /**
   * Something of the application's own, with `kind` and `data` as metadata.
   * @throws TypeError for a kind that is empty, or data that is not flat
   */
  custom(kind: string, data?: CustomData, options?: CustomOptions): Promise<Captured>;
  /**
   * Records the page as long as it is open, as one context a visit: at once its address and title, its text when it has settled, and again when much
   * of it has changed or it has moved to another address.
   */
  record(options?: RecordOptions): Recording;
  /** A preview: what would be kept of a capture, of the page by default, and what was removed by kind. Nothing is kept or sent. */
  explain(request?: CaptureRequest): Promise<Preview>;
}

/**
 * Capturing for a content script. Each capture is read while the page is idle, a form at once, by the rules of the page, cut to the limit, and goes to the background
 * under an id of its own, once more under the same id when the answer is lost. The background filters it before anything is stored.
 * @example
 * const capture = createCapture({ selectorDeny: [".diary"] });
 * capture.record();
 * @throws TypeError when the options cannot work
 */
export function createCapture(options: CaptureOptions = {}): PageCapture {
  const settings = settingsOf(options);
  const { apis, epoch } = settings;

  return {
    page: async (options = {}) => await hand({ ...options, type: "page" }),
    selection: async () => await hand({ type: "selection" }),
    element: async (element) => await hand({ type: "element", element }),
    form: async (form) => await hand({ type: "form", form }),
    media: async (element) => await hand({ type: "media", element }),
    async custom(kind, data = {}, options = {}) {
      // What an application gets wrong at every call should not look like a page that cannot be read.
      const isFlat = Object.values(data).every((value) => ["string", "boolean"].includes(typeof value) || Number.isFinite(value));
      if (kind === "" || !isFlat) throw new TypeError("A custom capture has a kind, and data of strings, finite numbers and booleans.");
      return await hand({ ...options, type: "custom", kind, data });
    },
    record: (options) =>
      recordPage(
        {
          settings,
          read: (request, marks) => readCapture(request, settings, marks),
          handIn,
          heartbeat: (contextId) => ask({ ...stamp(), kind: "heartbeat", contextId }, apis(), settings),
        },
        options,
      ),
    explain,
  };

  function stamp() {
    const now = epoch();
    return { periscope: protocolVersion, id: newMessageId(now), timestamp: new Date(now).toISOString() } as const;
  }

  async function hand(request: CaptureRequest): Promise<Captured> {
    const { id: contextId, timestamp } = stamp();
    const read = await readCapture(request, settings, { contextId, capturedAt: timestamp });
    if (read.status === "blocked" || read.status === "dropped") return { ...read, contextId };
    return read.status === "read" ? await handIn(read.capture) : read;
  }

  async function handIn(capture: Capture): Promise<Captured> {
    const answer = await ask<Enqueued & { contextId?: string }>({ ...stamp(), kind: "enqueue", capture }, apis(), settings);
    return answer.status === "unavailable" ? answer : { contextId: capture.contextId, ...answer };
  }

  async function explain(request: CaptureRequest = { type: "page" }): Promise<Preview> {
    const { id: contextId, timestamp } = stamp();
    const read = await readCapture(request, settings, { contextId, capturedAt: timestamp });
    if (read.status === "dropped") return { status: "blocked", rule: read.reason };
    if (read.status !== "read") return read;
    const answer = await ask<FilterVerdict>({ periscope: protocolVersion, kind: "explain", capture: read.capture }, apis(), settings);
    if ("status" in answer) return answer;
    if (!answer.keep) return { status: "blocked", rule: answer.rule };
    const { context } = answer.message.payload as { context: PreviewContext };
    const removed = { ...read.removed };
    for (const [kind, count] of Object.entries(answer.redactions ?? {})) removed[kind] = (removed[kind] ?? 0) + count;
    const level = answer.level ?? context.privacyLevel ?? "private";
    const reasons = [...new Set([...read.reasons, ...(answer.reasons ?? [])])];
    return { status: "ready", context, level, reasons, removed, ms: read.ms };
  }
}
