import { backoffMs, newMessageId } from "@periscope/delivery";
import type { Attempted, Verdict } from "./attempt.js";
import type { ConnectionProblem } from "./connection.js";
import { bury, removeDead, removeHead } from "./removal.js";
import { bytesOf, rankOf } from "./message.js";
import type { Settings } from "./options.js";
import type { BlockCause, FlushReport, Settled } from "./outcomes.js";
import {
  type AccountState,
  changeState,
  clearBlock,
  type DeadHead,
  type Head,
  isFollowUp,
  namesOf,
  sumBytes,
  tally,
  type Wait,
} from "./rows.js";
import type { StoreTransaction } from "./store.js";

export interface BatchOutcome extends Pick<FlushReport, "synced" | "duplicates" | "failed"> {
  settled: Settled[];
  /** Refused, and not kept. */
  discarded: Head[];
  block: (Wait & ConnectionProblem & { cause: BlockCause }) | undefined;
}

interface Batch {
  account: string;
  heads: readonly Head[];
  end: Attempted;
  settings: Settings;
}

/** How long a refused key is not tried again: 5 minutes, as for a server that is down. */
const refusedMs = 300_000;
/** The service's filter rejected a page: it is not kept here either. */
const privacyRejected = "privacy_rejected";

/** Writes down, in this one transaction, what became of the messages of a batch, and when the next one may be sent. */
export async function settle(tx: StoreTransaction, { account, heads, end, settings }: Batch): Promise<BatchOutcome> {
  const { batch, clock, random, limits } = settings;
  const now = clock.now();
  const outcome: BatchOutcome = { synced: 0, duplicates: 0, failed: 0, settled: [], discarded: [], block: undefined };
  return await changeState(tx, account, async (state) => {
    switch (end.is) {
      case "answered":
        await answered(state, end.verdicts);
        break;
      case "too-large":
        await refused(state, { code: "payload_too_large", ...end });
        break;
      case "poison":
        await refused(state, end);
        break;
      case "unauthorized":
        if (end.refused === undefined) delete state.refused;
        else state.refused = end.refused;
        block(state, { cause: "auth", ms: refusedMs, ...end });
        break;
      case "failed":
        if (end.isRateLimit) state.limited += 1;
        else state.failures += 1;
        block(state, { cause: end.isRateLimit ? "rate-limit" : "backoff", ms: Math.ceil(end.afterMs), ...end });
        break;
      case "held":
        break;
    }
    if (end.is !== "answered") for (const { seq } of heads) await rest(seq);
    await boundDead(state);
    return outcome;
  });

  async function answered(state: AccountState, verdicts: ReadonlyMap<string, Verdict>): Promise<void> {
    const unsent = new Set<string>();
    for (const sent of heads) {
      const verdict = verdicts.get(sent.id) ?? { is: "unsent", code: "no_result" };
      if (verdict.is === "unsent") unsent.add(verdict.code);
      await apply(state, sent, verdict);
    }
    clearBlock(state);
    delete state.lastError;
    delete state.lastErrorCode;
    if (unsent.size > 0) {
      state.lastError = `The service could not take some messages yet (${[...unsent].slice(0, 3).join(", ")}).`;
      state.lastErrorCode = "items";
    }
    await addReport(tx, state, { account, now });
  }

  async function apply(state: AccountState, sent: Head, verdict: Verdict): Promise<void> {
    // Only what is still there: it may have been removed or have had to make room meanwhile.
    const head = (await tx.get("heads", sent.seq)) as Head | undefined;
    if (verdict.is === "stored") {
      const { is: _, isDuplicate, contextId = sent.contextId, ...level } = verdict;
      outcome[isDuplicate ? "duplicates" : "synced"] += 1;
      outcome.settled.push({ ...namesOf({ ...sent, contextId }), status: "stored", ...level });
      if (head !== undefined) await removeHead(tx, state, head);
    } else if (verdict.is === "refused") {
      const { code, message } = verdict;
      if (code === "not_found" && isFollowUp(sent)) {
        outcome.settled.push({ ...namesOf(sent), status: "dropped", reason: "removed" });
        if (head !== undefined) await removeHead(tx, state, head);
        return;
      }
      outcome.failed += 1;
      outcome.settled.push({ ...namesOf(sent), status: "refused", code, message });
      if (head === undefined) return;
      // A refusal of the report is not reported, or there would be no end to it.
      if (head.mergeKey === reportKey) await removeHead(tx, state, head);
      else if (code === privacyRejected) {
        await removeHead(tx, state, head);
        tally(state, { "rejected-by-server": 1 });
        outcome.discarded.push(head);
      } else await bury(tx, state, { head, code, message, now });
    } else if (head !== undefined) {
      const ms = Math.ceil(backoffMs(head.attempts, random));
      await tx.put("heads", { ...head, starts: 0, wait: { until: now + ms, ms } });
    }
  }

  /** The worker survived the attempt, so none of these messages crashes it. */
  async function rest(seq: number): Promise<void> {
    const head = (await tx.get("heads", seq)) as Head | undefined;
    if (head === undefined) return;
    // A message that never left may still be replaced, and the attempt does not count.
    const attempts = end.hasLeft ? head.attempts : Math.max(0, head.attempts - 1);
    await tx.put("heads", { ...head, attempts, starts: 0 });
  }

  /** A batch that is refused as a whole is halved, until the message at fault is alone: that one is given up. */
  async function refused(state: AccountState, { code, error, maxBytes }: { code: string; error: string; maxBytes?: number | undefined }) {
    clearBlock(state);
    state.lastError = error;
    state.lastErrorCode = "batch";
    const [only, ...others] = heads;
    if (only === undefined) return;
    if (others.length > 0) {
      const bytes = Math.ceil(sumBytes(heads) / 2);
      const bytesMax = Math.min(state.room?.bytes ?? batch.bytes, maxBytes ?? Infinity, bytes);
      // A message that cannot be read is not a matter of bytes.
      state.room = { items: Math.floor(heads.length / 2), bytes: end.is === "poison" ? batch.bytes : bytesMax };
      return;
    }
    if (end.is === "poison") delete state.room;
    outcome.failed += 1;
    outcome.settled.push({ ...namesOf(only), status: "refused", code, message: error });
    const head = (await tx.get("heads", only.seq)) as Head | undefined;
    if (head !== undefined) await bury(tx, state, { head, code, message: error, now });
  }

  function block(state: AccountState, { cause, ms, error, code }: ConnectionProblem & { cause: BlockCause; ms: number }): void {
    const until = now + ms;
    state.lastError = error;
    state.lastErrorCode = code;
    state.block = { cause, ms, until };
    outcome.block = { cause, ms, until, code, error };
  }

  /** The oldest go first. */
  async function boundDead(state: AccountState): Promise<void> {
    if (state.dead === 0) return;
    const all = (await tx.list("dead", { index: "bySeq", prefix: [account] })) as DeadHead[];
    let bytes = sumBytes(all);
    for (const dead of all) {
      if (state.dead <= limits.dead && bytes <= limits.bytes && dead.diedAt >= now - limits.ageMs) continue;
      bytes -= dead.bytes;
      await removeDead(tx, state, dead);
      outcome.discarded.push(dead);
      tally(state, { "rejected-by-server": 1 });
    }
  }
}

const reportKey = "periscope report";
const betweenReportsMs = 3_600_000;

/**
 * Adds a message that tells the service how many messages were lost and why, if some are not reported yet; at most one an hour.
 * It goes the way of all messages, so that it arrives once.
 */
async function addReport(tx: StoreTransaction, state: AccountState, { account, now }: { account: string; now: number }): Promise<void> {
  const lost = Object.entries(state.unreported).filter(([, count]) => count > 0);
  // A clock that was set back must not silence it.
  const isTooSoon = state.reportedAt !== undefined && Math.abs(now - state.reportedAt) < betweenReportsMs;
  if (lost.length === 0 || isTooSoon) return;
  const id = newMessageId(now);
  const words = lost.map(([reason, count]) => `${count} ${reason}`).join(", ");
  const payload = { code: "sync_dropped", message: `Messages that were not delivered: ${words}.`, details: state.unreported };
  const json = JSON.stringify({ id, type: "error", timestamp: new Date(now).toISOString(), payload });
  const bytes = bytesOf(json);
  const counts = { bytes, queuedAt: now, attempts: 0, starts: 0 };
  const head: Omit<Head, "seq"> = { account, id, rank: rankOf("delete"), mergeKey: reportKey, ...counts };
  await tx.put("bodies", json, await tx.add("heads", head));
  state.waiting += 1;
  state.bytes += bytes;
  state.unreported = {};
  state.reportedAt = now;
}
