import { ItemMessage, limits, MessageId, MessageType, type MessageType as Type } from "@periscope/schemas";
import type { Principal } from "../access/access.service.js";
import type { Scope } from "../access/scope.js";
import { firstOf, toDetails } from "./issues.js";
import { type Failure, failure } from "./sync-outcome.js";
import { toMillis } from "../timestamps.js";

/** A message that is well-formed, allowed and of the key's user. */
export interface Accepted {
  ok: true;
  message: ItemMessage;
  extensionId: string;
}

const defaultExtensionId = "default";

export interface IntakeContext {
  principal: Principal;
  /** Of the batch envelope; a message's own goes before it. */
  extensionId: string | undefined;
  now: number;
}

/** Checks one message on its own: scope, owner, shape, clock. Never throws for what a client can send. */
export function takeIn(raw: unknown, { principal, extensionId, now }: IntakeContext): Accepted | Failure {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return invalid(undefined, "message", "must be a JSON object");
  const head = readHead(raw);
  if (head.type === "batch") return failure(head.id, "validation_error", "type: a batch cannot hold another batch");
  const scope = head.type && scopeOf(head.type);
  if (scope && !principal.scopes.has(scope))
    return failure(head.id, "forbidden", `This key lacks the scope ${scope}, which a ${head.type} message needs.`);
  const stranger = head.userIds.find(({ userId }) => userId !== principal.userId);
  if (stranger) return failure(head.id, "forbidden", `${stranger.path}: must be the user of the key; leave it out to use that.`);
  if (!head.type) return invalid(head.id, "type", head.hasType ? `must be one of ${MessageType.options.join(", ")}` : "required");

  const parsed = ItemMessage.safeParse(raw);
  if (!parsed.success) {
    const details = toDetails(parsed.error.issues, "message");
    return { ...failure(head.id, "validation_error", firstOf(details)), details };
  }
  const message = parsed.data;
  const ahead = aheadOfClock(message, now);
  if (ahead) return invalid(head.id, ahead, "is more than 24 hours ahead of the server's clock; check the sender's clock");
  return { ok: true, message, extensionId: message.extensionId ?? extensionId ?? defaultExtensionId };
}

function invalid(messageId: string | undefined, path: string, message: string): Failure {
  return { ...failure(messageId, "validation_error", `${path}: ${message}`), details: [{ path, message }] };
}

interface Head {
  id?: string | undefined;
  type?: Type | undefined;
  hasType: boolean;
  userIds: ReadonlyArray<{ path: string; userId: unknown }>;
}

/** What can be read of a message before it is known to be well-formed. */
function readHead(raw: unknown): Head {
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

/** The scope that a message of this type needs; a batch needs those of its items. */
function scopeOf(type: Exclude<Type, "batch">): Scope {
  return type === "delete" ? "delete" : "write";
}

/** Path of the first time that would pin `/context/current`, or win, for ever. */
function aheadOfClock(message: ItemMessage, now: number): string | undefined {
  const latest = now + limits.clockAheadMsMax;
  if (toMillis(message.timestamp) > latest) return "timestamp";
  if (message.type !== "create" && message.type !== "update") return undefined;
  const { capturedAt } = message.payload.context;
  return capturedAt !== undefined && toMillis(capturedAt) > latest ? "payload.context.capturedAt" : undefined;
}
