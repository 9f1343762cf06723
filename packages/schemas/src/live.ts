import * as z from "zod/mini";
import { Context, ContextType } from "./context.js";
import { ErrorCode } from "./error-codes.js";
import { ContextId, ExtensionId, TabId } from "./ids.js";
import { PrivacyLevel } from "./privacy-level.js";
import { Timestamp } from "./timestamp.js";

/** The one channel of the live interface: what becomes of a user's contexts, and which is current. */
export const LiveChannel = z.literal("current-context");
export type LiveChannel = z.infer<typeof LiveChannel>;

/** Place of an event among those of a user. Opaque; later events have greater ids, compared as text. */
export const EventId = z.string().check(z.regex(/^[0-9a-z]{22}$/, "is not an event id of this service; send an id as it was received"));
export type EventId = z.infer<typeof EventId>;

const filter = { type: z.optional(ContextType), tabId: z.optional(TabId), extensionId: z.optional(ExtensionId) };

/** Limits a subscription to contexts of one type, tab or extension instance. */
export const LiveFilter = z.object(filter);
export type LiveFilter = z.infer<typeof LiveFilter>;

/** Query of `GET /live`, for a stream of server-sent events. */
export const LiveQuery = z.object({ after: z.optional(EventId), ...filter });
export type LiveQuery = z.infer<typeof LiveQuery>;

/** `POST /live/tickets` takes no parameters. */
export const LiveTicketQuery = z.object({});
export type LiveTicketQuery = z.infer<typeof LiveTicketQuery>;

/** Answer of `POST /live/tickets`. */
export const LiveTicket = z.object({ ticket: z.string(), expiresAt: Timestamp });
export type LiveTicket = z.infer<typeof LiveTicket>;

const { content: _content, nextContentCursor: _cursor, ...head } = Context.shape;

/** A context as events carry it: without its content. */
export const LiveContext = z.object({ ...head, contentLength: z.int().check(z.minimum(0)) });
export type LiveContext = z.infer<typeof LiveContext>;

/** What is left to say of a deleted context. */
export const DeletedContext = z.object({
  contextId: ContextId,
  type: ContextType,
  tabId: TabId,
  extensionId: ExtensionId,
  privacyLevel: PrivacyLevel,
});
export type DeletedContext = z.infer<typeof DeletedContext>;

/** Client: begins to receive events, or begins again with another filter. */
export const SubscribeFrame = z.object({
  type: z.literal("subscribe"),
  channel: LiveChannel,
  after: z.optional(EventId),
  filter: z.optional(LiveFilter),
});
export type SubscribeFrame = z.infer<typeof SubscribeFrame>;

/** Client: receives no more events. */
export const UnsubscribeFrame = z.object({ type: z.literal("unsubscribe"), channel: LiveChannel });
export type UnsubscribeFrame = z.infer<typeof UnsubscribeFrame>;

/** Client: asks for a `pong`. */
export const PingFrame = z.object({ type: z.literal("ping") });
export type PingFrame = z.infer<typeof PingFrame>;

/** What a client sends over the WebSocket. */
export const ClientFrame = z.discriminatedUnion("type", [SubscribeFrame, UnsubscribeFrame, PingFrame]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** Server: the subscription has begun. */
export const SubscribedFrame = z.object({
  type: z.literal("subscribed"),
  channel: LiveChannel,
  id: EventId,
  current: z.nullable(LiveContext),
});
export type SubscribedFrame = z.infer<typeof SubscribedFrame>;

const event = { type: z.literal("event"), channel: LiveChannel, id: EventId, at: Timestamp };

/** Server: a context was stored, changed or viewed. */
export const ContextEvent = z.object({
  ...event,
  event: z.enum(["context.created", "context.updated", "context.viewed"]),
  context: LiveContext,
});
export type ContextEvent = z.infer<typeof ContextEvent>;

/** Server: a context was deleted. */
export const DeletedEvent = z.object({ ...event, event: z.literal("context.deleted"), context: DeletedContext });
export type DeletedEvent = z.infer<typeof DeletedEvent>;

/** Server: `GET /context/current` answers another context, or the same one with other fields. */
export const CurrentEvent = z.object({ ...event, event: z.literal("current.changed"), context: z.nullable(LiveContext) });
export type CurrentEvent = z.infer<typeof CurrentEvent>;

/** An event of the channel. */
export const LiveEvent = z.union([ContextEvent, DeletedEvent, CurrentEvent]);
export type LiveEvent = z.infer<typeof LiveEvent>;

/** Server: the answer to `ping`. */
export const PongFrame = z.object({ type: z.literal("pong") });
export type PongFrame = z.infer<typeof PongFrame>;

/** Server: a frame was wrong, or the events after an id are no longer kept. The connection stays open. */
export const LiveErrorFrame = z.object({
  type: z.literal("error"),
  error: z.union([ErrorCode, z.literal("resync_required")]),
  message: z.string(),
});
export type LiveErrorFrame = z.infer<typeof LiveErrorFrame>;

/** Why the server ends a connection. */
export const ByeReason = z.enum(["restarting", "unavailable", "too_slow", "too_many_frames", "unauthorized"]);
export type ByeReason = z.infer<typeof ByeReason>;

/** Server: ends the connection. */
export const ByeFrame = z.object({
  type: z.literal("bye"),
  reason: ByeReason,
  retryAfterSeconds: z.optional(z.int().check(z.minimum(1))),
});
export type ByeFrame = z.infer<typeof ByeFrame>;

/** What the server sends, over the WebSocket and as server-sent events. */
export const ServerFrame = z.union([SubscribedFrame, LiveEvent, PongFrame, LiveErrorFrame, ByeFrame]);
export type ServerFrame = z.infer<typeof ServerFrame>;
