import { numberMark, timeMark } from "../load/message-stream.ts";
import type { BenchDocument } from "./documents.ts";

/** The `create` message of a document, with marks where its number and time go. */
export function documentMessage({ url, title, content }: BenchDocument) {
  return {
    id: `msg-${numberMark}`,
    type: "create",
    timestamp: timeMark,
    payload: {
      type: "context",
      operation: "create",
      context: {
        id: `ctx-${numberMark}`,
        type: "page",
        tabId: "tab-1",
        capturedAt: timeMark,
        content,
        contentFormat: "markdown",
        tabMetadata: { id: "tab-1", url, title, isActive: true, isLoading: false, windowId: 1 },
        metadata: { source: "bench" },
      },
    },
  };
}
