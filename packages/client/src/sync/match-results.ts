import type { BatchResult, ItemResult } from "@periscope/schemas";
import type { BatchItem, BatchItemStatus } from "./batch-outcome.js";

/** A message on its way. */
export interface PendingMessage {
  index: number;
  id: string;
  json: string;
}

/**
 * What an answer says of each message that was sent. By id, never by place alone: an answer may lack results, repeat them, or hold some of
 * other messages, and nothing of ours counts as stored on the word of those. A message that the answer does not name counts as not sent.
 */
export function matchResults(messages: readonly PendingMessage[], { results }: BatchResult): BatchItem[] {
  const left = [...results];
  return messages.map(({ index, id }, place) => {
    const found = left.findIndex((result) => result.messageId === id);
    const result = found < 0 ? withoutId(results, place, messages.length) : left.splice(found, 1)[0];
    return { index, id, ...statusOf(result) };
  });
}

/** The service leaves the id out when it is none, as one that is too long: such a result is a failure, and stands at its place. */
function withoutId(results: readonly ItemResult[], place: number, count: number): ItemResult | undefined {
  const result = results.length === count ? results[place] : undefined;
  return result?.messageId === undefined && result?.status === "error" ? result : undefined;
}

function statusOf(result: ItemResult | undefined): BatchItemStatus {
  if (result === undefined) {
    return { status: "failed", code: "no_result", message: "The answer said nothing of this message; send it again.", retryable: true };
  }
  const { status, duplicate, contextId, error } = result;
  if (status === "success") return { status: duplicate ? "duplicate" : "synced", ...(contextId !== undefined && { contextId }) };
  return {
    status: "failed",
    code: error?.code ?? "internal_error",
    message: error?.message ?? "The service did not say why.",
    retryable: error?.retryable ?? true,
  };
}
