import { sample } from "./example-values.js";

/** A payload of each variant. */
export const payloadExamples = {
  create: {
    type: "context",
    operation: "create",
    context: {
      id: sample.contextId,
      type: "page",
      tabId: sample.tabId,
      capturedAt: sample.capturedAt,
      content: sample.content,
      contentFormat: "text",
      privacyLevel: "private",
      tabMetadata: { id: sample.tabId, url: sample.url, title: sample.title, isActive: true, windowId: 1 },
      metadata: { readingSeconds: 74 },
    },
  },
  update: {
    type: "context",
    operation: "update",
    context: { id: sample.contextId, title: "Write-Ahead Logging (SQLite)", metadata: { readingSeconds: 131 } },
  },
  delete: { type: "context", operation: "delete", context: { id: sample.contextId } },
  heartbeat: { type: "heartbeat", contextId: sample.contextId, tabId: sample.tabId },
  config: { type: "config", config: { captureTypes: ["page", "selection"], paused: false } },
  error: {
    type: "error",
    code: "capture_failed",
    message: "The page did not finish loading within 30 seconds.",
    details: { attempt: 2 },
  },
} as const satisfies Record<string, Record<string, unknown>>;

// Without `userId`, so that whoever pastes an example sends it as themselves.
const from = { extensionId: sample.extensionId };

/** A message of each type, as the body of `POST /context/sync`. */
export const messageExamples = {
  create: {
    summary: "Store a page",
    value: { id: sample.messageId, type: "create", timestamp: sample.sentAt, ...from, payload: payloadExamples.create },
  },
  update: {
    summary: "Change the title and metadata of a stored context",
    value: {
      id: "msg_01KG9W5A1B2C3D4E5F6G7H8J9K",
      type: "update",
      timestamp: "2026-01-31T12:36:02.000Z",
      ...from,
      payload: payloadExamples.update,
    },
  },
  delete: {
    summary: "Delete a context",
    value: {
      id: "msg_01KG9W6A1B2C3D4E5F6G7H8J9K",
      type: "delete",
      timestamp: "2026-01-31T12:40:00.000Z",
      ...from,
      payload: payloadExamples.delete,
    },
  },
  heartbeat: {
    summary: "The page is still viewed",
    value: {
      id: "msg_01KG9W7A1B2C3D4E5F6G7H8J9K",
      type: "heartbeat",
      timestamp: "2026-01-31T12:35:30.000Z",
      ...from,
      payload: payloadExamples.heartbeat,
    },
  },
  config: {
    summary: "Keep the extension's settings",
    value: {
      id: "msg_01KG9W8A1B2C3D4E5F6G7H8J9K",
      type: "config",
      timestamp: "2026-01-31T12:30:00.000Z",
      ...from,
      payload: payloadExamples.config,
    },
  },
  error: {
    summary: "Report an error of the extension",
    value: {
      id: "msg_01KG9W9A1B2C3D4E5F6G7H8J9K",
      type: "error",
      timestamp: "2026-01-31T12:31:00.000Z",
      ...from,
      payload: payloadExamples.error,
    },
  },
} as const satisfies Record<string, { summary: string; value: Record<string, unknown> }>;

/** The messages of the batch examples; the second changes a context that is gone, as `results[1]` of the answer says. */
const batchMessages = [
  { id: sample.messageId, type: "create", timestamp: sample.sentAt, payload: payloadExamples.create },
  {
    id: sample.otherMessageId,
    type: "update",
    timestamp: "2026-01-31T12:35:30.000Z",
    payload: { type: "context", operation: "update", context: { id: sample.olderContextId, privacyLevel: "filtered" } },
  },
] as const;

/** A batch, as the body of `POST /context/batch-sync` and, being a message of type `batch`, of `POST /context/sync`. */
export const batchExample = {
  summary: "Two messages at once",
  value: { id: sample.batchId, type: "batch", timestamp: "2026-01-31T12:35:31.000Z", ...from, messages: batchMessages },
} as const;
