import {
  ByeFrame,
  ByeReason,
  ClientFrame,
  ContextEvent,
  CurrentEvent,
  DeletedContext,
  DeletedEvent,
  EventId,
  LiveChannel,
  LiveContext,
  LiveErrorFrame,
  LiveEvent,
  LiveFilter,
  LiveQuery,
  LiveTicket,
  LiveTicketQuery,
  PingFrame,
  PongFrame,
  ServerFrame,
  SubscribedFrame,
  SubscribeFrame,
  UnsubscribeFrame,
} from "../live.js";
import { sample } from "./example-values.js";
import { describe, describeParameters, type ParameterDocs, type SchemaDoc } from "./schema-doc.js";

const channel = "current-context";
const id = "0mkzu8b3ezzzz0mkzu8b40";
const context = {
  contextId: sample.contextId,
  userId: sample.userId,
  type: "page",
  url: sample.url,
  title: sample.title,
  contentFormat: "text",
  contentLength: 96,
  tabId: sample.tabId,
  extensionId: sample.extensionId,
  timestamp: sample.capturedAt,
  privacyLevel: "private",
  tabMetadata: {
    id: sample.tabId,
    url: sample.url,
    title: sample.title,
    isActive: true,
    isLoading: false,
    windowId: 1,
    lastUpdated: sample.capturedAt,
  },
  metadata: { readingSeconds: 74 },
  viewedAt: sample.capturedAt,
  lastSeenAt: sample.capturedAt,
} as const;
const deleted = {
  contextId: sample.contextId,
  type: "page",
  tabId: sample.tabId,
  extensionId: sample.extensionId,
  privacyLevel: "private",
} as const;

const subscribe = { type: "subscribe", channel, after: id, filter: { type: "page" } } as const;
const unsubscribe = { type: "unsubscribe", channel } as const;
const ping = { type: "ping" } as const;
const subscribed = { type: "subscribed", channel, id, current: context } as const;
const created = { type: "event", channel, id, event: "context.created", at: sample.storedAt, context } as const;
const removed = { type: "event", channel, id, event: "context.deleted", at: sample.storedAt, context: deleted } as const;
const current = { type: "event", channel, id, event: "current.changed", at: sample.storedAt, context } as const;
const pong = { type: "pong" } as const;
const resync = {
  type: "error",
  error: "resync_required",
  message: "Events after this id are no longer kept. Start again from the current state.",
} as const;
const bye = { type: "bye", reason: "restarting", retryAfterSeconds: 1 } as const;

const eventFields = {
  type: "Always `event`.",
  channel: "The channel.",
  id: "Place of the event. Send the last one as `after` to continue from there.",
  at: "When the change was stored.",
};
const filterFields = {
  type: "Only contexts of this type.",
  tabId: { description: "Only contexts of this tab.", examples: [sample.tabId] },
  extensionId: { description: "Only contexts of this extension instance.", examples: [sample.extensionId] },
} as const;
const after =
  "Id of the last event that was received: what came after it is sent first. Events are kept for 15 minutes, and at most the latest 1,000 of a user.";

export const liveDocs: readonly SchemaDoc[] = [
  describe(LiveChannel, { id: "LiveChannel", description: "The channel of the live interface.", examples: [channel] }),
  describe(EventId, {
    id: "EventId",
    description: "Place of an event among those of a user. Opaque; later events have greater ids, compared as text.",
    examples: [id],
  }),
  describe(LiveFilter, {
    id: "LiveFilter",
    description: "Limits a subscription to some contexts.",
    examples: [{ type: "page" }],
    fields: filterFields,
  }),
  describe(LiveTicket, {
    id: "LiveTicket",
    description: "Opens one WebSocket in the place of a key, for browsers, which cannot send headers with it.",
    examples: [{ ticket: "dXNyXzAxS0c5.b3BlbnMgb25lIGNvbm5lY3Rpb24", expiresAt: sample.storedAt }],
    fields: {
      ticket: "Send it as a second subprotocol, `ticket.<value>`, beside `periscope.v1`. It works once.",
      expiresAt: "When it expires: after 30 seconds.",
    },
  }),
  describe(LiveContext, {
    id: "LiveContext",
    description: "A context without its content, which `GET /context/{contextId}` answers.",
    examples: [context],
    fields: {
      contextId: "Identifier of this snapshot.",
      userId: "The user it belongs to.",
      type: "What it is a snapshot of.",
      url: "Address of the page.",
      title: "Title of the page.",
      contentFormat: "The format of its content.",
      contentLength: { description: "Length of its content in bytes of UTF-8.", examples: [96], keywords: { minimum: 0 } },
      tabId: "The browser tab it was captured in.",
      extensionId: "The extension instance that sent it.",
      timestamp: "When it was captured.",
      privacyLevel: "The effective privacy level.",
      tabMetadata: "State of the tab at capture time.",
      metadata: "What the sender attached.",
      viewedAt: "When the person last looked at it; absent when never.",
      lastSeenAt: "The later of `viewedAt` and the last heartbeat that names it; absent if there was neither.",
    },
  }),
  describe(DeletedContext, {
    id: "DeletedContext",
    description: "What is left to say of a deleted context.",
    examples: [deleted],
    fields: {
      contextId: "Identifier of the snapshot.",
      type: "What it was a snapshot of.",
      tabId: "The browser tab it was captured in.",
      extensionId: "The extension instance that sent it.",
      privacyLevel: "Its privacy level.",
    },
  }),
  describe(SubscribeFrame, {
    id: "SubscribeFrame",
    description: "Begins to receive events. A further one replaces the subscription.",
    examples: [subscribe],
    fields: { type: "Always `subscribe`.", channel: "The channel.", after, filter: "Limits the events. Default: all." },
  }),
  describe(UnsubscribeFrame, {
    id: "UnsubscribeFrame",
    description: "Ends the subscription; the connection stays open.",
    examples: [unsubscribe],
    fields: { type: "Always `unsubscribe`.", channel: "The channel." },
  }),
  describe(PingFrame, {
    id: "PingFrame",
    description: "Asks for a `pong`, for clients that cannot send the pings of WebSocket itself.",
    examples: [ping],
    fields: { type: "Always `ping`." },
  }),
  describe(ClientFrame, {
    id: "ClientFrame",
    description: "What a client sends over the WebSocket: at most 10 frames a second, of at most 16 KiB each.",
    examples: [subscribe, unsubscribe, ping],
  }),
  describe(SubscribedFrame, {
    id: "SubscribedFrame",
    description: "The subscription has begun. Events that were missed follow, then new ones.",
    examples: [subscribed],
    fields: {
      type: "Always `subscribed`.",
      channel: "The channel.",
      id: "Where the subscription begins; send it as `after` when the connection breaks before the first event.",
      current: "The context that `GET /context/current` answers, by the filter; null when there is none.",
    },
  }),
  describe(ContextEvent, {
    id: "ContextEvent",
    description: "A context was stored, changed, or viewed: a heartbeat named it. It is sent as it is when it is sent.",
    examples: [created],
    fields: {
      ...eventFields,
      event: "What happened.",
      context: "The context.",
    },
  }),
  describe(DeletedEvent, {
    id: "DeletedEvent",
    description: "A context was deleted.",
    examples: [removed],
    fields: { ...eventFields, event: "Always `context.deleted`.", context: "What is left to say of it." },
  }),
  describe(CurrentEvent, {
    id: "CurrentEvent",
    description:
      "`GET /context/current` answers another context, or the same one with other fields than the times of views. Changes that are committed close together are told by one event.",
    examples: [current],
    fields: { ...eventFields, event: "Always `current.changed`.", context: "The current context; null when there is none any more." },
  }),
  describe(LiveEvent, { id: "LiveEvent", description: "An event of the channel.", examples: [created, removed, current] }),
  describe(PongFrame, { id: "PongFrame", description: "The answer to `ping`.", examples: [pong], fields: { type: "Always `pong`." } }),
  describe(LiveErrorFrame, {
    id: "LiveErrorFrame",
    description:
      "A frame was wrong (`bad_request`), or what came after an id is no longer kept (`resync_required`; `subscribed` with the current state follows). The connection stays open.",
    examples: [resync],
    fields: { type: "Always `error`.", error: "Code of the error.", message: "What is wrong and what to do." },
  }),
  describe(ByeReason, {
    id: "ByeReason",
    description: "Why the server ends a connection.",
    examples: ["restarting"],
    values: {
      restarting: "The server stops or restarts. Connect again.",
      unavailable: "The database does not respond. Connect again.",
      too_slow: "1,000 events, or 8 MiB of them, wait for this client to read. Connect again, and read faster.",
      too_many_frames: "The client sent more than 10 frames in a second.",
      unauthorized: "The key was revoked or has expired.",
    },
  }),
  describe(ByeFrame, {
    id: "ByeFrame",
    description: "The last frame: the server ends the connection.",
    examples: [bye],
    fields: {
      type: "Always `bye`.",
      reason: "Why.",
      retryAfterSeconds: {
        description: "Seconds to wait before connecting again; absent when that would not help.",
        keywords: { minimum: 1 },
      },
    },
  }),
  describe(ServerFrame, {
    id: "ServerFrame",
    description: "What the server sends: a text frame of the WebSocket, or the `data` of a server-sent event.",
    examples: {
      subscribed: { summary: "The subscription has begun", value: subscribed },
      created: { summary: "A context was stored", value: created },
      deleted: { summary: "A context was deleted", value: removed },
      current: { summary: "The person looks at another page", value: current },
      resync: { summary: "Missed events are no longer kept", value: resync },
      bye: { summary: "The server restarts", value: bye },
    },
  }),
];

export const liveParameterDocs: readonly ParameterDocs[] = [
  describeParameters(LiveQuery, {
    after: { description: `${after} The header \`Last-Event-ID\` does the same.`, examples: [id] },
    ...filterFields,
  }),
  describeParameters(LiveTicketQuery, {}),
];
