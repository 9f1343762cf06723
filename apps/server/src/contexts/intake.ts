import { ItemMessage, limits, MessageId, MessageType } from "@periscope/schemas";
import type { Principal } from "../access/access.service.js";
import { toMillis, toTimestamp } from "../formats.js";
import { firstOf, toDetails } from "./issues.js";
import { type Failure, failure } from "./outcome.js";

// First step of a sync: parse and check one message.

/** A message that is well-formed, allowed and of the key's user. */
export interface AcceptedMessage {
  ok: true;
  message: ItemMessage;
  extensionId: string;
}

export interface IntakeOptions {
  principal: Principal;
  /** Of the batch envelope; that of a message goes before it. */
  extensionId: string | undefined;
  /** The server's clock, in milliseconds since the epoch. */
  now: number;
}

const defaultExtensionId = "default";

/** Checks one message on its own: scope, owner, shape, clock. Never throws for what a client can send. */
export function acceptMessage(raw: unknown, { principal, extensionId, now }: IntakeOptions): AcceptedMessage | Failure {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return invalid(undefined, "message", "must be a JSON object");
  const { id, type, hasType, userIds } = readHead(raw);
  if (type === "batch") return failure(id, "validation_error", "type: a batch cannot hold another batch");
  const scope = type === "delete" ? "delete" : "write";
  if (type && !principal.scopes.has(scope))
    return failure(id, "forbidden", `This key lacks the scope ${scope}, which a ${type} message needs.`);
  const foreign = userIds.find(({ userId }) => userId !== principal.userId);
  if (foreign) return failure(id, "forbidden", `${foreign.path}: must be the user of the key; leave it out to use that.`);
  if (!type) return invalid(id, "type", hasType ? `must be one of ${MessageType.options.join(", ")}` : "required");

  const parsed = ItemMessage.safeParse(raw);
  if (!parsed.success) {
    const details = toDetails(parsed.error.issues, "message");
    return { ...failure(id, "validation_error", firstOf(details)), details };
  }
  const message = parsed.data;
  const ahead = findTimeAhead(message, now);
  if (ahead) return invalid(id, ahead, describeTimeAhead(now));
  return { ok: true, message, extensionId: message.extensionId ?? extensionId ?? defaultExtensionId };
}

function invalid(messageId: string | undefined, path: string, message: string): Failure {
  return { ...failure(messageId, "validation_error", `${path}: ${message}`), details: [{ path, message }] };
}

/** What can be read of a message before it is known to be well-formed. */
function readHead(raw: object) {
  const message = asRecord(raw);
  const context = asRecord(asRecord(message["payload"])["context"]);
  const userIds = [
    { path: "userId", userId: message["userId"] },
    { path: "payload.context.userId", userId: context["userId"] },
  ];
  return {
    id: MessageId.safeParse(message["id"]).data,
    type: MessageType.safeParse(message["type"]).data,
    hasType: message["type"] !== undefined,
    userIds: userIds.filter(({ userId }) => typeof userId === "string"),
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Path of the first time too far ahead: it would be the current context, or win over other messages, for ever. */
function findTimeAhead(message: ItemMessage, now: number): string | undefined {
  if (isTimeAhead(message.timestamp, now)) return "timestamp";
  if (message.type !== "create" && message.type !== "update") return undefined;
  const { capturedAt } = message.payload.context;
  return capturedAt !== undefined && isTimeAhead(capturedAt, now) ? "payload.context.capturedAt" : undefined;
}

/** Whether a time is too far ahead of the server's clock. */
export const isTimeAhead = (time: string, now: number): boolean => toMillis(time) > now + limits.clockAheadMsMax;

/** What is wrong with a time too far ahead. */
export const describeTimeAhead = (now: number): string =>
  `is more than 24 hours ahead of the server's clock, which says ${toTimestamp(now)}. Check both clocks.`;
