import * as z from "zod/mini";
import { ExtensionId, MessageId, UserId } from "./ids.js";
import { limits } from "./limits.js";
import { ItemMessage, operation } from "./sync-message.js";
import { Timestamp } from "./timestamp.js";

const batchOf = <T extends z.ZodMiniType>(item: T) =>
  z
    .array(item)
    .check(
      z.minLength(1, "must hold at least 1 message"),
      z.maxLength(limits.batchMessagesMax, `must hold at most ${limits.batchMessagesMax} messages`),
    );

const envelope = {
  id: MessageId,
  type: z.literal("batch"),
  timestamp: z.optional(Timestamp),
  userId: z.optional(UserId),
  extensionId: z.optional(ExtensionId),
};

/** Body of `POST /context/batch-sync`: 1 to 100 messages. The envelope's `id` is echoed and never recorded. */
export const BatchEnvelope = z.object({ ...envelope, messages: batchOf(ItemMessage) });
export type BatchEnvelope = z.infer<typeof BatchEnvelope>;

/** A batch whose messages are still to be checked one by one, so that a bad one fails alone. */
export const UncheckedBatch = z.object({ ...envelope, messages: batchOf(z.unknown()) });
export type UncheckedBatch = z.infer<typeof UncheckedBatch>;

/** A `batch` message of `POST /context/sync`: its messages stand beside `payload` or inside it. */
export const BatchMessage = z.object({
  ...envelope,
  timestamp: Timestamp,
  messages: z.optional(batchOf(ItemMessage)),
  payload: z.optional(z.object({ ...operation("batch"), messages: z.optional(batchOf(ItemMessage)) })),
});
export type BatchMessage = z.infer<typeof BatchMessage>;

/** A `batch` message whose messages, put beside `payload`, are still to be checked one by one. */
export const UncheckedBatchMessage = z.object({
  ...UncheckedBatch.shape,
  timestamp: Timestamp,
  payload: z.optional(z.object(operation("batch"))),
});

/** Body of `POST /context/sync`: one message of any type. */
export const SyncMessage = z.discriminatedUnion("type", [ItemMessage, BatchMessage]);
export type SyncMessage = z.infer<typeof SyncMessage>;
