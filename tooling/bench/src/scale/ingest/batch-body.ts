import type { BenchDocument } from "../../service/documents.ts";
import { capturedAtOf, contextIdOf, extensionId, messageIdOf } from "./message-names.ts";

/** Body of a batch-sync that creates contexts of these documents under numbers from `first` on. */
export function batchBody(documents: readonly BenchDocument[], first: number, epoch: number): Buffer {
  const messages = documents.map(({ url, title, content }, index) => {
    const number = first + index;
    const at = new Date(capturedAtOf(number, epoch)).toISOString();
    const tabId = `tab-${number % 20}`;
    const tabMetadata = { id: tabId, url, title, isActive: true, isLoading: false, windowId: 1 };
    const context = { id: contextIdOf(number), type: "page", tabId, capturedAt: at, content, contentFormat: "markdown", tabMetadata };
    return {
      id: messageIdOf(number),
      type: "create",
      timestamp: at,
      payload: { type: "context", operation: "create", context: { ...context, metadata: { source: "bench" } } },
    };
  });
  return Buffer.from(JSON.stringify({ id: `batch-${first}`, type: "batch", extensionId, messages }));
}
