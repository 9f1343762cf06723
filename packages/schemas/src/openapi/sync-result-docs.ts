import { BatchResult, ItemError, ItemResult, SyncAnswer, SyncResult } from "../sync-result.js";
import { sample } from "./example-values.js";
import { describe, type SchemaDoc } from "./schema-doc.js";

const stored = {
  messageId: sample.messageId,
  status: "success",
  contextId: sample.contextId,
  timestamp: sample.storedAt,
  privacyLevel: "private",
  reasons: [],
  redactions: {},
} as const;

const failed = {
  messageId: sample.otherMessageId,
  status: "error",
  timestamp: sample.storedAt,
  error: {
    code: "not_found",
    message: `payload.context.id: there is no context ${sample.olderContextId}; create it first.`,
    retryable: false,
  },
} as const;

const examples = {
  stored: { summary: "A context was stored", value: stored },
  redacted: {
    summary: "A context was stored; the privacy filter raised its level and removed two e-mail addresses",
    value: { ...stored, privacyLevel: "filtered", reasons: ["category:webmail"], redactions: { email: 2 } },
  },
  duplicate: { summary: "The message was processed before", value: { ...stored, duplicate: true } },
  heartbeat: {
    summary: "A message without a context took effect",
    value: { messageId: sample.otherMessageId, status: "success", timestamp: sample.storedAt },
  },
} as const;

const partial = {
  summary: "One message succeeded, one failed",
  value: { messageId: sample.batchId, status: "partial", results: [stored, failed], synced: 1, failed: 1 },
} as const;

const filtered = {
  privacyLevel: "Of a stored context: the effective level, which is the requested or a stricter one.",
  reasons: {
    description: "Of a stored context: why it has this level, such as `category:banking`.",
    examples: [["category:banking"]],
  },
  redactions: "Of a stored context: what the privacy filter removed.",
};

const duplicate = "True if the message was processed before. Nothing changed, and the rest repeats the first answer.";

export const syncResultDocs: readonly SchemaDoc[] = [
  describe(SyncResult, {
    id: "SyncResult",
    description: "Answer to a single message that succeeded.",
    examples,
    fields: {
      messageId: { description: "The message's `id`.", examples: [sample.messageId] },
      status: "Always `success`. A single message that fails is answered with an HTTP error.",
      contextId: "The context of the message, if any.",
      timestamp: "When the message was processed.",
      duplicate,
      ...filtered,
    },
  }),
  describe(ItemError, {
    id: "ItemError",
    description: "Why a message of a batch failed.",
    examples: [failed.error],
    fields: {
      code: "Kind of failure.",
      message: { description: "What is wrong, with the path of the field if there is one.", examples: [failed.error.message] },
      retryable: "Whether the same message can succeed when sent again unchanged.",
    },
  }),
  describe(ItemResult, {
    id: "ItemResult",
    description: "Outcome of the message at the same index of the batch.",
    examples: { stored: { summary: "It succeeded", value: stored }, failed: { summary: "It failed", value: failed } },
    fields: {
      messageId: { description: "The message's `id`. Absent if it had no readable one.", examples: [sample.messageId] },
      status: "`success` or `error`.",
      contextId: "The context of the message, if any.",
      timestamp: "When the message was processed.",
      duplicate,
      error: "Of a failed message: why it failed.",
      ...filtered,
    },
  }),
  describe(BatchResult, {
    id: "BatchResult",
    description: "Answer to a batch, whether its messages succeeded or failed. Check each entry of `results`.",
    examples: { partial },
    fields: {
      messageId: { description: "The batch's `id`.", examples: [sample.batchId] },
      status: "Always `partial`, even if every message succeeded.",
      results: "One entry for each message, at the same index.",
      synced: { description: "Number of messages that succeeded.", examples: [1], keywords: { minimum: 0 } },
      failed: { description: "Number of messages that failed.", examples: [1], keywords: { minimum: 0 } },
    },
  }),
  describe(SyncAnswer, {
    id: "SyncAnswer",
    description: "Answer of `POST /context/sync`: to a single message or to a batch.",
    examples: { stored: examples.stored, partial },
  }),
];
