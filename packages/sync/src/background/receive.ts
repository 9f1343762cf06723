import type { SyncEvent } from "../core/outcomes.js";
import { type Answer, isRequest, isTooLarge, protocolVersion, readRequest } from "../protocol.js";
import { messageOfCapture, ruleAgainst } from "./capture-message.js";
import { callMethod } from "./connect.js";
import type { ContextSync } from "./context-sync.js";
import type { ExtensionApis, MessageSender, TabState } from "./extension-apis.js";
import type { Visits } from "./visits.js";

interface Receiver {
  sync: ContextSync;
  apis: ExtensionApis;
  emit: (event: SyncEvent) => void;
  visits: Visits;
}

/** Answers what content scripts and pages of the extension ask. The event stays open until the answer is there. */
export function receive({ sync, apis, emit, visits }: Receiver): void {
  apis.runtime.onMessage.addListener((message, sender, sendResponse) => {
    if (!isRequest(message)) return undefined;
    void answer(message, sender)
      .then(
        (value): Answer<unknown> => ({ periscope: protocolVersion, ok: true, value }),
        (error: unknown): Answer<unknown> => ({ periscope: protocolVersion, ok: false, error: requestError(error) }),
      )
      .then(sendResponse);
    return true;
  });

  async function answer(message: Parameters<typeof readRequest>[0], sender: MessageSender): Promise<unknown> {
    if (sender.id !== apis.runtime.id) throw new TypeError("The request was refused: it is not of this extension.");
    const request = readRequest(message);
    if (request.kind === "call") {
      // A content script has the address of its page.
      if (sender.url?.startsWith(apis.runtime.getURL("")) !== true)
        throw new TypeError("The request was refused: it is not of a page of the extension.");
      return await callMethod(sync, request.method, request.args);
    }
    const capture = "capture" in request ? request.capture : undefined;
    const rule = ruleAgainst(sender, capture?.url);
    // Before the filter: no page may keep it busy with text of any size.
    const isLarge = capture !== undefined && isTooLarge(capture);
    if (request.kind === "explain") {
      if (rule !== undefined || isLarge) return { keep: false, rule: rule ?? "too-large" };
      return await sync.explain(messageOfCapture(request.capture, sender.tab as TabState));
    }
    if (rule !== undefined) {
      emit({ type: "filtered", rule });
      return { status: "blocked", rule };
    }
    const { id, timestamp } = request;
    const tab = sender.tab as TabState;
    if (request.kind === "heartbeat") return await visits.heartbeat(request, { ...tab, url: sender.url ?? tab.url });
    // The queue drops and counts what is too large.
    if (request.capture.visit !== undefined && !isLarge) return await visits.record(request, tab);
    return await sync.enqueue(messageOfCapture(request.capture, tab, { id, timestamp }), { isFromPage: true });
  }
}

/** Errors of our own say what to do; those of others may quote what was asked. */
function requestError(error: unknown): string {
  if (error instanceof TypeError || error instanceof RangeError) return error.message;
  return `The request failed${error instanceof Error ? ` (${error.name})` : ""}.`;
}
