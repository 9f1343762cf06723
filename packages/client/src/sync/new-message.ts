import type { ItemMessage } from "@periscope/schemas";
import { newMessageId } from "@periscope/delivery";
import { PeriscopeError } from "../errors/periscope-error.js";
import { wordsOf } from "../redact.js";

/** What the client writes when it is not given. */
type Stamped = "id" | "timestamp";

type Unstamped<T> = T extends unknown ? Omit<T, Stamped> & Partial<Pick<T, Extract<Stamped, keyof T>>> : never;

/**
 * A message to the service: `create`, `update`, `delete`, `heartbeat`, `config` or `error`. Without an `id` it gets one before it is first
 * sent, so that no repeat takes effect twice; without a `timestamp`, the time of the call.
 *
 * @example
 * const message: NewMessage = {
 *   type: "create",
 *   payload: {
 *     context: {
 *       type: "page",
 *       tabId: "7",
 *       capturedAt: new Date().toISOString(),
 *       content: "The keeper lights the lamp at dusk.",
 *       tabMetadata: { id: "7", url: "https://example.com/keeper", title: "The keeper" },
 *     },
 *   },
 * };
 */
export type NewMessage = Unstamped<ItemMessage>;

/** A message as it is sent, each time the same. */
export interface WrittenMessage {
  id: string;
  json: string;
}

/**
 * Gives a message its id and time, and writes it down: what the caller changes in it later is not sent.
 * @throws PeriscopeError when it cannot be written as JSON
 */
export function writeMessage(message: NewMessage): WrittenMessage {
  const now = Date.now();
  try {
    const id = message.id ?? newMessageId(now);
    return { id, json: JSON.stringify({ ...message, id, timestamp: message.timestamp ?? new Date(now).toISOString() }) };
  } catch (cause) {
    throw new PeriscopeError(`The message is not JSON: ${wordsOf(cause)}`, { cause });
  }
}
