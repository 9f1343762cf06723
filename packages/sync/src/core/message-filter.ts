import type { NewMessage } from "./message.js";

/** What a filter makes of a message: what may be stored of it, or nothing. */
export type FilterVerdict = { keep: true; message: NewMessage } | { keep: false; rule: string };

/** Decides what of a message may be stored. When it throws, the message is blocked: nothing of it is kept, and no word of the error. */
export type MessageFilter = (message: NewMessage) => FilterVerdict | Promise<FilterVerdict>;

/** Passes a message through the host's filter. Private windows are blocked whatever that filter says. Never rejects. */
export async function passFilter(message: NewMessage, filter: MessageFilter): Promise<FilterVerdict> {
  try {
    if (isPrivateWindow(message)) return { keep: false, rule: "private-window" };
    const verdict = await filter(message);
    if (!verdict.keep) return { keep: false, rule: verdict.rule };
    return isPrivateWindow(verdict.message) ? { keep: false, rule: "private-window" } : verdict;
  } catch {
    return { keep: false, rule: "filter-failed" };
  }
}

function isPrivateWindow(message: NewMessage): boolean {
  return (message.type === "create" || message.type === "update") && message.payload.context.tabMetadata?.incognito === true;
}
