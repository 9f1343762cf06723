import type { ItemMessage, PrivacyLevel } from "@periscope/schemas";

type Unstamped<T> = T extends unknown ? Omit<T, "id" | "timestamp"> & Partial<Pick<T, Extract<"id" | "timestamp", keyof T>>> : never;

/**
 * A message to the service: `create`, `update`, `delete`, `heartbeat`, `config` or `error`. Without an `id` it gets one when it is enqueued;
 * without a `timestamp`, the time of the call. A call that is repeated, because its answer was lost, brings the same id both times.
 */
export type NewMessage = Unstamped<ItemMessage>;

const isMessageType: Record<NewMessage["type"], true> = {
  create: true,
  update: true,
  delete: true,
  heartbeat: true,
  config: true,
  error: true,
};

/** Every type of a message. */
export const messageTypes: readonly string[] = Object.keys(isMessageType);

/**
 * What a filter makes of a message: what may be stored of it, or the rule that keeps it out. `level`, `reasons` (such as `category:banking`)
 * and `redactions` (what was removed, as counts by kind) are for previews. None of them holds a value that was removed.
 */
export type FilterVerdict =
  | {
      keep: true;
      message: NewMessage;
      level?: PrivacyLevel;
      reasons?: readonly string[];
      redactions?: Readonly<Record<string, number>>;
    }
  | { keep: false; rule: string };

/** Decides what of a message may be stored. When it throws, the message is blocked: nothing of it is kept, and no word of the error. */
export type MessageFilter = (message: NewMessage) => FilterVerdict | Promise<FilterVerdict>;

/** Passes a message through a filter. Private windows are blocked whatever the filter says. Never rejects. */
export async function passFilter(message: NewMessage, filter: MessageFilter): Promise<FilterVerdict> {
  try {
    return isOfPrivateWindow(message) ? { keep: false, rule: "private-window" } : await filter(message);
  } catch {
    return { keep: false, rule: "filter:failed" };
  }
}

const isOfPrivateWindow = (message: NewMessage): boolean =>
  (message.type === "create" || message.type === "update") && message.payload.context.tabMetadata?.incognito === true;

/** What a message is, as far as it matters when there is no room: those that come first here go first. */
export type MessageKind = (typeof kinds)[number];

/** Pages are all contexts that are no action: selections, customs, settings and errors are what a person did or a program chose to send. */
const kinds = ["heartbeat", "navigation", "page", "action", "delete"] as const;

/** Lower ranks go first when there is no room for all. */
export const rankOf = (kind: MessageKind): number => kinds.indexOf(kind);

export const kindOf = (rank: number) => kinds[rank] as MessageKind;

export function kindOfMessage(message: NewMessage): MessageKind {
  if (message.type === "heartbeat" || message.type === "delete") return message.type;
  if (message.type === "update") return "page";
  if (message.type !== "create") return "action";
  const { type } = message.payload.context;
  if (type === "navigation") return type;
  return type === "selection" || type === "custom" ? "action" : "page";
}

/** Heartbeats of the same context, or of the same tab, say the same thing; the last one says it best. */
export function mergeKeyOf(message: NewMessage): string | undefined {
  if (message.type !== "heartbeat") return undefined;
  const { contextId = "", tabId = "" } = message.payload ?? {};
  return `heartbeat ${JSON.stringify([contextId, tabId])}`;
}

/** Merges updates of a context while they wait. A context that was deleted meanwhile needs none. */
export const updateMergeKey = (contextId: string): string => `periscope update ${contextId}`;

export function contextIdOf(message: NewMessage): string | undefined {
  if (message.type === "heartbeat") return message.payload?.contextId;
  return message.type === "config" || message.type === "error" ? undefined : message.payload.context.id;
}

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** Tells one text, such as a key, from another without keeping it: FNV-1a of 32 bits, from which nothing can be had back. */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** What a text holds as JSON; undefined when it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
