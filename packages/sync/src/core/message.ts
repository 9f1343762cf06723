import type { ItemMessage } from "@periscope/schemas";
import type { Rank } from "./rows.js";

type Unstamped<T> = T extends unknown ? Omit<T, "id" | "timestamp"> & Partial<Pick<T, Extract<"id" | "timestamp", keyof T>>> : never;

/**
 * A message to the service: `create`, `update`, `delete`, `heartbeat`, `config` or `error`. Without an `id` it gets one when it is enqueued;
 * without a `timestamp`, the time of the call. A call that is repeated, because its answer was lost, brings the same id both times.
 */
export type NewMessage = Unstamped<ItemMessage>;

/** What a message is, as far as it matters when there is no room. */
export type Kind = "heartbeat" | "navigation" | "page" | "action" | "delete";

const ranks: Readonly<Record<Kind, Rank>> = { heartbeat: 0, navigation: 1, page: 2, action: 3, delete: 4 };
const kinds: readonly Kind[] = ["heartbeat", "navigation", "page", "action", "delete"];

/** Which go last when there is no room. */
export const rankOf = (kind: Kind): Rank => ranks[kind];

/** The kind that a rank stands for. */
export const kindOf = (rank: Rank): Kind => kinds[rank] ?? "action";

/** The kind of a message: selections, customs, settings and errors are actions. */
export function kindOfMessage(message: NewMessage): Kind {
  switch (message.type) {
    case "heartbeat":
    case "delete":
      return message.type;
    case "create": {
      const { type } = message.payload.context;
      if (type === "navigation") return "navigation";
      return type === "selection" || type === "custom" ? "action" : "page";
    }
    case "update":
      return "page";
    case "config":
    case "error":
      return "action";
  }
}

/** Heartbeats of the same context, or of the same tab, say the same thing; the last one says it best. */
export function mergeKeyOf(message: NewMessage): string | undefined {
  if (message.type !== "heartbeat") return undefined;
  const { contextId = "", tabId = "" } = message.payload ?? {};
  return `heartbeat ${JSON.stringify([contextId, tabId])}`;
}

/** UTF-8 bytes of a text. */
export const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
