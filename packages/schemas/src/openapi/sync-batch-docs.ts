import { limits } from "../limits.js";
import { BatchEnvelope, BatchMessage, SyncMessage } from "../sync-batch.js";
import { batchExample, messageExamples } from "./message-examples.js";
import { describe, type SchemaDoc } from "./schema-doc.js";

const messages = `The messages, 1 to ${limits.batchMessagesMax}, none of type \`batch\`; they take effect in order, each on its own.`;

const envelope = {
  id: "Identifier of the batch: echoed as `messageId`, never recorded.",
  type: "Always `batch`.",
  timestamp: "When the batch was put together.",
  userId: "The key's user; any other is refused (403 `forbidden`). Leave it out to use that.",
  extensionId: "The extension instance that sends it; holds for messages that name none. Default: `default`.",
};

export const syncBatchDocs: readonly SchemaDoc[] = [
  describe(BatchEnvelope, {
    id: "BatchEnvelope",
    description: `Body of \`POST /context/batch-sync\`. More than ${limits.batchMessagesMax} messages are refused whole (400); a message that is wrong fails alone.`,
    examples: { batch: batchExample },
    fields: { ...envelope, messages },
  }),
  describe(BatchMessage, {
    id: "BatchMessage",
    description: "A `batch` message of `POST /context/sync`: its messages stand beside `payload` or inside it.",
    examples: { batch: batchExample },
    fields: {
      ...envelope,
      messages: `${messages} Required unless they stand inside \`payload\`.`,
      payload: { description: "Another place for the messages.", fields: { messages } },
    },
  }),
  describe(SyncMessage, {
    id: "SyncMessage",
    description: "Body of `POST /context/sync`: one message of any type.",
    examples: { ...messageExamples, batch: batchExample },
  }),
];
