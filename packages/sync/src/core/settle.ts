import { backoffMs, newMessageId } from "@periscope/delivery";
import { type Attempted, tooLarge, type Verdict } from "./attempt.js";
import { add, moveToDeadLetters, clearBlock, type Ledger, drop, remove } from "./ledger.js";
import { bytesOf, kindOf, rankOf } from "./message.js";
import type { Settings } from "./options.js";
import type { FlushReport } from "./outcomes.js";
import { type DeadHead, type Head, isFollowUp, namesOf, sumBytes } from "./rows.js";

type Counts = Pick<FlushReport, "synced" | "duplicates" | "failed">;

/** The service's filter rejected a page: it is not kept here either. */
const privacyRejected = "privacy_rejected";

/** Writes down what became of the messages of a batch, and when the next one may be sent. Resolves to what was settled of them. */
export async function settle(ledger: Ledger, heads: readonly Head[], end: Attempted, settings: Settings): Promise<Counts> {
  const { batch, clock, random, limits } = settings;
  const { tx, state, reports } = ledger;
  const now = clock.now();
  const counts: Counts = { synced: 0, duplicates: 0, failed: 0 };
  switch (end.is) {
    case "answered":
      await answered(end.verdicts);
      break;
    case "refused":
      await refused(end);
      break;
    case "blocked": {
      const { reason, ms, refused, code, error } = end;
      if (reason === "backing-off") state.failures += 1;
      if (reason === "rate-limited") state.limited += 1;
      state.block = { reason, ms, until: now + ms, refused, server: end.server };
      state.trouble = { code, error };
      break;
    }
    case "held":
      break;
  }
  if (end.is !== "answered") for (const { seq } of heads) await rest(seq);
  await boundDead();
  return counts;

  async function answered(verdicts: ReadonlyMap<string, Verdict>): Promise<void> {
    const unsent = new Set<string>();
    for (const sent of heads) {
      const verdict = verdicts.get(sent.id) ?? { is: "unsent", code: "no_result" };
      if (verdict.is === "unsent") unsent.add(verdict.code);
      await apply(sent, verdict);
    }
    clearBlock(state);
    delete state.trouble;
    if (unsent.size > 0) {
      const codes = [...unsent].slice(0, 3).join(", ");
      state.trouble = { code: "items", error: `The service could not take some messages yet (${codes}).` };
    }
    await addReport(ledger, now);
  }

  async function apply(sent: Head, verdict: Verdict): Promise<void> {
    // Only what is still there: it may have been removed or have had to make room meanwhile.
    const head = await present(sent.seq);
    if (verdict.is === "stored") {
      const { is: _, isDuplicate, contextId = sent.contextId, ...level } = verdict;
      counts[isDuplicate ? "duplicates" : "synced"] += 1;
      const isDeletion = contextId !== undefined && kindOf(sent.rank) === "delete";
      reports.push(
        isDeletion ? { id: sent.id, contextId, status: "deleted" } : { ...namesOf({ ...sent, contextId }), status: "stored", ...level },
      );
      if (head !== undefined) await remove(ledger, head);
    } else if (verdict.is === "unsent") {
      if (head === undefined) return;
      const ms = Math.ceil(backoffMs(head.attempts, random));
      await tx.put("heads", { ...head, starts: 0, wait: { until: now + ms, ms } });
    } else if (verdict.code === "not_found" && isFollowUp(sent)) {
      reports.push({ ...namesOf(sent), status: "dropped", reason: "removed" });
      if (head !== undefined) await remove(ledger, head);
    } else await giveUp(sent, head, verdict);
  }

  async function giveUp(sent: Head, head: Head | undefined, { code, message }: { code: string; message: string }): Promise<void> {
    counts.failed += 1;
    reports.push({ ...namesOf(sent), status: "refused", code, message });
    if (head === undefined) return;
    // A refusal of the report is not reported, or there would be no end to it.
    if (head.mergeKey === reportKey) await remove(ledger, head);
    else if (code === privacyRejected) await drop(ledger, head, "rejected-by-server");
    else await moveToDeadLetters(ledger, head, { code, message, now });
  }

  async function present(seq: number): Promise<Head | undefined> {
    return (await tx.get("heads", seq)) as Head | undefined;
  }

  /** The worker survived the attempt, so none of these messages crashes it. */
  async function rest(seq: number): Promise<void> {
    const head = await present(seq);
    if (head === undefined) return;
    // A message that never left may still be replaced, and the attempt does not count.
    const attempts = end.hasLeft ? head.attempts : Math.max(0, head.attempts - 1);
    await tx.put("heads", { ...head, attempts, starts: 0 });
  }

  /** A batch that is refused as a whole is halved, until the message at fault is alone: that one is given up. */
  async function refused({
    code,
    error,
    maxBytes = Infinity,
  }: {
    code: string;
    error: string;
    maxBytes?: number | undefined;
  }): Promise<void> {
    clearBlock(state);
    state.trouble = { code: "batch", error };
    const [only, ...others] = heads;
    if (only === undefined) return;
    if (others.length > 0) {
      const bytesMax = Math.min(state.room?.bytes ?? batch.bytes, maxBytes, Math.ceil(sumBytes(heads) / 2));
      // A message that cannot be read is not a matter of bytes.
      state.room = { items: Math.floor(heads.length / 2), bytes: code === tooLarge ? bytesMax : batch.bytes };
      return;
    }
    if (code !== tooLarge) delete state.room;
    await giveUp(only, await present(only.seq), { code, message: error });
  }

  /** The oldest go first. */
  async function boundDead(): Promise<void> {
    if (state.dead === 0) return;
    const all = (await tx.list("dead", { index: "bySeq", prefix: [ledger.account] })) as DeadHead[];
    let bytes = sumBytes(all);
    for (const dead of all) {
      if (state.dead <= limits.dead && bytes <= limits.bytes && dead.queuedAt >= now - limits.ageMs) continue;
      bytes -= dead.bytes;
      await drop(ledger, dead, "rejected-by-server");
    }
  }
}

const reportKey = "periscope report";
const betweenReportsMs = 3_600_000;

/**
 * Adds a message that tells the service how many messages were lost and why, if some are not reported yet; at most one an hour.
 * It goes the way of all messages, so that it arrives once.
 */
async function addReport(ledger: Ledger, now: number): Promise<void> {
  const { account, state } = ledger;
  const lost = Object.entries(state.unreported).filter(([, count]) => count > 0);
  // A clock that was set back must not silence it.
  const isTooSoon = state.reportedAt !== undefined && Math.abs(now - state.reportedAt) < betweenReportsMs;
  if (lost.length === 0 || isTooSoon) return;
  const id = newMessageId(now);
  const words = lost.map(([reason, count]) => `${count} ${reason}`).join(", ");
  const payload = { code: "sync_dropped", message: `Messages that were not delivered: ${words}.`, details: state.unreported };
  const json = JSON.stringify({ id, type: "error", timestamp: new Date(now).toISOString(), payload });
  const counts = { bytes: bytesOf(json), queuedAt: now, attempts: 0, starts: 0 };
  await add(ledger, { account, id, rank: rankOf("delete"), mergeKey: reportKey, ...counts }, json);
  state.unreported = {};
  state.reportedAt = now;
}
