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
    summary: "A context was stored after the privacy filter had raised its level and removed an address",
    value: { ...stored, privacyLevel: "filtered", reasons: ["category:webmail"], redactions: { email: 2 } },
  },
  duplicate: { summary: "The message had been processed before", value: { ...stored, duplicate: true } },
  heartbeat: {
    summary: "A message without a context took effect",
    value: { messageId: sample.otherMessageId, status: "success", timestamp: sample.storedAt },
  },
} as const;

const partial = {
  summary: "One message took effect, one failed",
  value: { messageId: sample.batchId, status: "partial", results: [stored, failed], synced: 1, failed: 1 },
} as const;

const filtered = {
  privacyLevel: "Of a stored context: the level in force, the one asked for or a stricter one.",
  reasons: {
    description: "Of a stored context: why the level is what it is, such as `category:banking`.",
    examples: [["category:banking"]],
  },
  redactions: "Of a stored context: what the privacy filter removed.",
};

const duplicate = "True when the message had been processed before: nothing was changed, and the rest is what was answered then.";

export const syncResultDocs: readonly SchemaDoc[] = [
  describe(SyncResult, {
    id: "SyncResult",
    description: "Answer to a single message that took effect.",
    examples,
    fields: {
      messageId: { description: "Echo of the message's `id`.", examples: [sample.messageId] },
      status: "Always `success`: a single message that fails is answered with an HTTP error.",
      contextId: "The context it was about; left out where there is none.",
      timestamp: "When the message took effect.",
      duplicate,
      ...filtered,
    },
  }),
  describe(ItemError, {
    id: "ItemError",
    description: "Why a message of a batch failed.",
    examples: [failed.error],
    fields: {
      code: "What kind of failure it is.",
      message: { description: "What is wrong, with the path into the message where there is one.", examples: [failed.error.message] },
      retryable: "Whether the same message can succeed when it is sent again, unchanged.",
    },
  }),
  describe(ItemResult, {
    id: "ItemResult",
    description: "What became of the message at the same index of a batch.",
    examples: { stored: { summary: "It took effect", value: stored }, failed: { summary: "It failed", value: failed } },
    fields: {
      messageId: { description: "Echo of the message's `id`; left out when it had none that could be read.", examples: [sample.messageId] },
      status: "`success` or `error`.",
      contextId: "The context it was about; left out where there is none.",
      timestamp: "When the message took effect, or failed.",
      duplicate,
      error: "Of a failed message: why.",
      ...filtered,
    },
  }),
  describe(BatchResult, {
    id: "BatchResult",
    description: "Answer to a batch, whatever became of its messages: read each entry of `results`.",
    examples: { partial },
    fields: {
      messageId: { description: "Echo of the batch's `id`.", examples: [sample.batchId] },
      status: "Always `partial`, also when every message took effect.",
      results: "One entry per message, at the same index.",
      synced: { description: "Messages that took effect.", examples: [1], keywords: { minimum: 0 } },
      failed: { description: "Messages that failed.", examples: [1], keywords: { minimum: 0 } },
    },
  }),
  describe(SyncAnswer, {
    id: "SyncAnswer",
    description: "Any answer of `POST /context/sync`: to a single message, or to a batch.",
    examples: { stored: examples.stored, partial },
  }),
];
