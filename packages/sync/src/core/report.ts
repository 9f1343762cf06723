import { newMessageId } from "@periscope/delivery";
import { bytesOf } from "./message.js";
import type { PartitionState } from "./partition-state.js";
import type { Head } from "./rows.js";
import type { StoreTransaction } from "./store.js";

const reportKey = "periscope report";
const betweenReportsMs = 3_600_000;

/** Whether a message is a report of {@link addReport}. */
export const isReport = ({ mergeKey }: Head): boolean => mergeKey === reportKey;

/**
 * Adds a message that tells the service how many messages were lost and why, if there are some that it was not told of; at most one an hour.
 * It goes the way of all messages, so that it arrives once.
 */
export async function addReport(tx: StoreTransaction, state: PartitionState, partition: string, now: number): Promise<void> {
  const lost = Object.entries(state.untold).filter(([, count]) => count > 0);
  // A clock that was set back must not silence it.
  const isTooSoon = state.toldAt !== undefined && Math.abs(now - state.toldAt) < betweenReportsMs;
  if (lost.length === 0 || isTooSoon) return;
  const id = newMessageId(now);
  const message = lost.map(([reason, count]) => `${count} ${reason}`).join(", ");
  const payload = { code: "sync_dropped", message: `Messages that were not delivered: ${message}.`, details: state.untold };
  const json = JSON.stringify({ id, type: "error", timestamp: new Date(now).toISOString(), payload });
  const bytes = bytesOf(json);
  const head: Omit<Head, "seq"> = {
    partition,
    id,
    rank: 4,
    sent: 0,
    mergeKey: reportKey,
    bytes,
    queuedAt: now,
    attempts: 0,
    starts: 0,
  };
  await tx.put("bodies", json, await tx.add("heads", head));
  state.waiting += 1;
  state.bytes += bytes;
  state.untold = {};
  state.toldAt = now;
}
