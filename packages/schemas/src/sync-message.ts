import * as z from "zod/mini";
import { ExtensionId, MessageId, SentContextId, TabId, UserId } from "./ids.js";
import { limits } from "./limits.js";
import { ContextPatch, ContextReference, SyncedContext } from "./synced-context.js";
import { fitsUtf8 } from "./text.js";
import { Timestamp } from "./timestamp.js";

/** Operation of a message. */
export const MessageType = z.enum(["create", "update", "delete", "heartbeat", "batch", "config", "error"]);
export type MessageType = z.infer<typeof MessageType>;

/** What every message carries; `userId` and `extensionId` stand on a single message and on the batch envelope. */
const head = {
  id: MessageId,
  timestamp: Timestamp,
  userId: z.optional(UserId),
  extensionId: z.optional(ExtensionId),
};

/** The field of a payload that repeats the message's type. */
export const operation = <T extends MessageType>(type: T) => ({
  operation: z.optional(z.literal(type, `must repeat the message's type, ${type}`)),
});

const upTo = (bytesMax: number) =>
  z.refine(
    // What is too deep has failed already, and would overflow the stack here; the payload itself is one level more.
    (payload: unknown) => !isNoDeeperThan(payload, limits.payloadDepthMax + 1) || fitsUtf8(JSON.stringify(payload), bytesMax),
    `must be at most ${bytesMax} bytes of JSON`,
  );

const bounded = upTo(limits.payloadBytesMax);

const shallow = z.refine(
  (value: unknown) => isNoDeeperThan(value, limits.payloadDepthMax),
  `must be nested at most ${limits.payloadDepthMax} levels deep`,
);

/** Whether objects and arrays in `value` are nested at most `depthMax` deep; stops at the bound, so deep input costs nothing. */
function isNoDeeperThan(value: unknown, depthMax: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depthMax > 0 && Object.values(value).every((item) => isNoDeeperThan(item, depthMax - 1));
}

const FreeForm = z.record(z.string(), z.unknown()).check(shallow);

/** Payload of `create`: a whole context. */
export const CreatePayload = z.object({ type: z.optional(z.literal("context")), ...operation("create"), context: SyncedContext });
export type CreatePayload = z.infer<typeof CreatePayload>;

/** Payload of `update`: a context's id and the fields to change. */
export const UpdatePayload = z.object({ type: z.optional(z.literal("context")), ...operation("update"), context: ContextPatch });
export type UpdatePayload = z.infer<typeof UpdatePayload>;

/** Payload of `delete`: a context's id. */
export const DeletePayload = z.object({ type: z.optional(z.literal("context")), ...operation("delete"), context: ContextReference });
export type DeletePayload = z.infer<typeof DeletePayload>;

/** Payload of `heartbeat`; with a `contextId`, that context is being viewed. */
export const HeartbeatPayload = z.object({
  type: z.optional(z.literal("heartbeat")),
  ...operation("heartbeat"),
  contextId: z.optional(SentContextId),
  tabId: z.optional(TabId),
});
export type HeartbeatPayload = z.infer<typeof HeartbeatPayload>;

/** Settings as they are stored: what the filter puts in the place of a value can be longer than the value. */
export const StoredConfig = FreeForm.check(upTo(4 * limits.payloadBytesMax));

/** Payload of `config`: the newest settings of an extension instance, at most 16 KiB. */
export const ConfigPayload = z.object({ type: z.optional(z.literal("config")), ...operation("config"), config: FreeForm }).check(bounded);
export type ConfigPayload = z.infer<typeof ConfigPayload>;

/** Payload of `error`: something that went wrong in the extension, at most 16 KiB. */
export const ErrorPayload = z
  .object({
    type: z.optional(z.literal("error")),
    ...operation("error"),
    code: z.string().check(z.minLength(1)),
    message: z.string(),
    details: z.optional(z.unknown().check(shallow)),
  })
  .check(bounded);
export type ErrorPayload = z.infer<typeof ErrorPayload>;

export const CreateMessage = z.object({ ...head, type: z.literal("create"), payload: CreatePayload });
export type CreateMessage = z.infer<typeof CreateMessage>;

export const UpdateMessage = z.object({ ...head, type: z.literal("update"), payload: UpdatePayload });
export type UpdateMessage = z.infer<typeof UpdateMessage>;

export const DeleteMessage = z.object({ ...head, type: z.literal("delete"), payload: DeletePayload });
export type DeleteMessage = z.infer<typeof DeleteMessage>;

export const HeartbeatMessage = z.object({ ...head, type: z.literal("heartbeat"), payload: z.optional(HeartbeatPayload) });
export type HeartbeatMessage = z.infer<typeof HeartbeatMessage>;

export const ConfigMessage = z.object({ ...head, type: z.literal("config"), payload: ConfigPayload });
export type ConfigMessage = z.infer<typeof ConfigMessage>;

export const ErrorMessage = z.object({ ...head, type: z.literal("error"), payload: ErrorPayload });
export type ErrorMessage = z.infer<typeof ErrorMessage>;

/** A message that stands for itself: every type but `batch`. Element of `messages` in a batch. */
export const ItemMessage = z.discriminatedUnion("type", [
  CreateMessage,
  UpdateMessage,
  DeleteMessage,
  HeartbeatMessage,
  ConfigMessage,
  ErrorMessage,
]);
export type ItemMessage = z.infer<typeof ItemMessage>;
