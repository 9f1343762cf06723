import * as z from "zod/mini";
import { ItemErrorCode } from "./error-codes.js";
import { ContextId } from "./ids.js";
import { PrivacyLevel, Redactions } from "./privacy-level.js";
import { Timestamp } from "./timestamp.js";

/** What the privacy filter did to a stored context: its effective level, why, and what was removed as counts per kind. */
const filtered = {
  privacyLevel: z.optional(PrivacyLevel),
  reasons: z.optional(z.array(z.string())),
  redactions: z.optional(Redactions),
};

/** Answer to a single message that took effect, 201. `duplicate` is true when the message had been processed before. */
export const SyncResult = z.object({
  messageId: z.string(),
  status: z.literal("success"),
  contextId: z.optional(ContextId),
  timestamp: Timestamp,
  duplicate: z.optional(z.literal(true)),
  ...filtered,
});
export type SyncResult = z.infer<typeof SyncResult>;

/** Why an item of a batch failed; `retryable` tells whether the same message can succeed when sent again. */
export const ItemError = z.object({ code: ItemErrorCode, message: z.string(), retryable: z.boolean() });
export type ItemError = z.infer<typeof ItemError>;

/** Outcome of the message at the same index of a batch. */
export const ItemResult = z.object({
  messageId: z.optional(z.string()),
  status: z.enum(["success", "error"]),
  contextId: z.optional(ContextId),
  timestamp: Timestamp,
  duplicate: z.optional(z.literal(true)),
  error: z.optional(ItemError),
  ...filtered,
});
export type ItemResult = z.infer<typeof ItemResult>;

/** Answer to a batch, always 207: `results[i]` belongs to message `i`. */
export const BatchResult = z.object({
  messageId: z.string(),
  status: z.literal("partial"),
  results: z.array(ItemResult),
  synced: z.int(),
  failed: z.int(),
});
export type BatchResult = z.infer<typeof BatchResult>;

/** Answer of `POST /context/sync`. */
export const SyncAnswer = z.union([SyncResult, BatchResult]);
export type SyncAnswer = z.infer<typeof SyncAnswer>;
