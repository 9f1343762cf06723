import { randomUUID } from "node:crypto";

/** Fields of a test message that differ from the defaults. */
export interface MessageFields {
  messageId?: string;
  timestamp?: string;
  extensionId?: string;
  context?: Record<string, unknown>;
}

const url = "https://articles.example/reading";

/** A context with everything that is required. */
export function contextFields(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: randomUUID(),
    type: "page",
    tabId: "7",
    capturedAt: "2026-01-31T12:00:00.000Z",
    content: "An article about lighthouses and the people who kept them.",
    tabMetadata: { id: "7", url, title: "Lighthouses" },
    ...fields,
  };
}

export function createMessage(fields: MessageFields = {}) {
  const { messageId = randomUUID(), timestamp = "2026-01-31T12:00:01.000Z", extensionId, context } = fields;
  const payload = { type: "context", operation: "create", context: contextFields(context) };
  return { id: messageId, type: "create", timestamp, ...(extensionId !== undefined && { extensionId }), payload };
}

export function updateMessage(id: string, changes: Record<string, unknown>, fields: MessageFields = {}) {
  const { messageId = randomUUID(), timestamp = "2026-01-31T12:00:02.000Z" } = fields;
  return { id: messageId, type: "update", timestamp, payload: { type: "context", operation: "update", context: { id, ...changes } } };
}

export function deleteMessage(id: string, { messageId = randomUUID(), timestamp = "2026-01-31T12:00:03.000Z" }: MessageFields = {}) {
  return { id: messageId, type: "delete", timestamp, payload: { type: "context", operation: "delete", context: { id } } };
}

/** A heartbeat that names the context being viewed. */
export function heartbeat(contextId: string, timestamp: string) {
  return { id: randomUUID(), type: "heartbeat", timestamp, payload: { type: "heartbeat", contextId } };
}

const at = (minute: number) => new Date(Date.UTC(2026, 0, 31, 12, minute)).toISOString();

/** A report of an extension. */
export const errorMessage = (code: string, report: object = {}) => ({
  id: `error-${code}`,
  type: "error",
  timestamp: at(0),
  payload: { type: "error", code, message: "it broke", ...report },
});

/** Settings of an extension instance. */
export const configMessage = (id: string, minute: number, config: object, extensionId = "laptop") => ({
  id,
  type: "config",
  timestamp: at(minute),
  extensionId,
  payload: { type: "config", config },
});
