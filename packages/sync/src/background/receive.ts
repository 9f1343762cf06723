import type { Enqueued, SyncEvent } from "../core/outcomes.js";
import { type Answer, isTooLarge, protocolVersion, readRequest, type Request } from "../protocol.js";
import { type FromPage, messageOfCapture, messageOfHeartbeat } from "./capture-message.js";
import { callMethod } from "./connect.js";
import type { ContextSync } from "./context-sync.js";
import type { ExtensionApis, MessageSender } from "./extension-apis.js";
import type { Visits } from "./visits.js";

/** Who acts on what is received. */
export interface Receiver {
  sync: ContextSync;
  apis: ExtensionApis;
  emit: (event: SyncEvent) => void;
  visits: Visits;
}

/** Answers what content scripts and pages of the extension ask. The event stays open until the answer is there. */
export function receive({ sync, apis, emit, visits }: Receiver): void {
  apis.runtime.onMessage.addListener((message, sender, sendResponse) => {
    const read = readRequest(message);
    if (read === undefined) return undefined;
    const refused = sender.id !== apis.runtime.id ? "it is not of this extension" : "refused" in read ? read.refused : undefined;
    const answered =
      "request" in read && refused === undefined
        ? answer(read.request, sender)
        : Promise.reject(new TypeError(`The request was refused: ${refused}.`));
    const done = answered.then((value): Answer<unknown> => ({ periscope: protocolVersion, ok: true, value }));
    void done.catch((error: unknown) => ({ periscope: protocolVersion, ok: false, error: wordsOf(error) })).then(sendResponse);
    return true;
  });

  async function answer(request: Request, sender: MessageSender): Promise<unknown> {
    switch (request.kind) {
      case "enqueue": {
        const { id, timestamp, capture } = request;
        if (isTooLarge(capture)) {
          emit({ type: "dropped", reason: "too-large", count: 1 });
          return { status: "dropped", reason: "too-large" };
        }
        if (capture.visit === undefined) return await take(messageOfCapture(capture, sender, { id, timestamp }));
        const recorded = await visits.record(request, sender);
        return recorded.is === "taken" ? recorded.enqueued : await take(recorded);
      }
      case "heartbeat":
        if (request.contextId !== undefined) await visits.back(request.contextId, sender);
        return await take(messageOfHeartbeat(request, sender));
      case "explain": {
        const from = messageOfCapture(request.capture, sender);
        if (from.is === "refused") throw new TypeError(from.error);
        if (from.is === "blocked") return { keep: false, rule: from.rule };
        return isTooLarge(request.capture) ? { keep: false, rule: "too-large" } : await sync.explain(from.message);
      }
      case "call":
        // A content script has the address of its page.
        if (sender.url?.startsWith(apis.runtime.getURL("")) !== true)
          throw new TypeError("The request was refused: it is not of a page of the extension.");
        return await callMethod(sync, request.method, request.args);
    }
  }

  async function take(from: FromPage): Promise<Enqueued> {
    if (from.is === "refused") throw new TypeError(from.error);
    if (from.is === "message") return await sync.enqueue(from.message, { isFromPage: true });
    emit({ type: "filtered", rule: from.rule });
    return { status: "blocked", rule: from.rule };
  }
}

/** Errors of our own say what to do; those of others may quote what was asked. */
function wordsOf(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError) return error.message;
  return `The request failed${error instanceof Error ? ` (${error.name})` : ""}.`;
}
