import { limits } from "../limits.js";
import { BatchEnvelope, BatchMessage, SyncMessage } from "../sync-batch.js";
import { batchExample, messageExamples } from "./message-examples.js";
import { describe, type SchemaDoc } from "./schema-doc.js";

const messages = `1 to ${limits.batchMessagesMax} messages, none of type \`batch\`. They are processed in order, and each succeeds or fails on its own.`;

const envelope = {
  id: "Identifier of the batch. It is returned as `messageId` and not stored.",
  type: "Always `batch`.",
  timestamp: "When the batch was created.",
  userId: "Must be the key's user, else 403 `forbidden`. Default: the key's user.",
  extensionId: "The extension instance that sends the batch, for all messages that name none. Default: `default`.",
};

export const syncBatchDocs: readonly SchemaDoc[] = [
  describe(BatchEnvelope, {
    id: "BatchEnvelope",
    description: `Body of \`POST /context/batch-sync\`. More than ${limits.batchMessagesMax} messages are rejected as a whole (400). An invalid message fails alone.`,
    examples: { batch: batchExample },
    fields: { ...envelope, messages },
  }),
  describe(BatchMessage, {
    id: "BatchMessage",
    description: "A `batch` message of `POST /context/sync`. Its messages are beside `payload` or inside it.",
    examples: { batch: batchExample },
    fields: {
      ...envelope,
      timestamp: "When the batch was created. At most 24 hours ahead of the server's clock.",
      messages: `${messages} Required unless they are inside \`payload\`.`,
      payload: {
        description: "Another place for the messages.",
        fields: { operation: "Optional. If present, it must be `batch`.", messages },
      },
    },
  }),
  describe(SyncMessage, {
    id: "SyncMessage",
    description: "Body of `POST /context/sync`: one message of any type.",
    examples: { ...messageExamples, batch: batchExample },
  }),
];
