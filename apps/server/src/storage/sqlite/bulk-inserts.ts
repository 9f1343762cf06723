import type { Context, ProcessedMessage } from "../generated/sqlite/client.js";
import type { BulkInserts } from "../sync-transaction.js";
import { insertionInto, insertRows } from "./insert-rows.js";

const contexts = insertionInto<Omit<Context, "seq">>("contexts", [
  "userId",
  "contextId",
  "type",
  "tabId",
  "extensionId",
  "capturedAt",
  "privacyLevel",
  "writtenAt",
  "lastSeenAt",
  "contentFormat",
  "url",
  "title",
  "tabMetadata",
  "metadata",
  "plainText",
  "content",
]);

const processedMessages = insertionInto<ProcessedMessage>("processed_messages", [
  "userId",
  "extensionId",
  "messageId",
  "fingerprint",
  "privacyLevel",
  "result",
  "processedAt",
]);

/** The inserts of a sync, on SQLite. */
export const bulkInserts: BulkInserts = {
  contexts: (tx, rows) => insertRows(tx, contexts, rows),
  processedMessages: (tx, rows) => insertRows(tx, processedMessages, rows),
};
