import { backoffMs } from "@periscope/delivery";
import type { Verdict } from "./answer.js";
import type { Attempted } from "./attempt.js";
import { removeHead } from "./evict.js";
import type { Settings } from "./options.js";
import type { ErrorCode } from "./outcomes.js";
import { type BlockCause, type PartitionState, readState, tally } from "./partition-state.js";
import { type DeadHead, type Head, readHead, type Wait } from "./rows.js";
import { addReport, isReport } from "./report.js";
import { bury } from "./select.js";
import type { StoreTransaction } from "./store.js";

/** What an attempt came to. */
export interface Settled {
  synced: number;
  duplicates: number;
  failed: number;
  died: DeadHead[];
  /** Refused, and not kept. */
  discarded: Head[];
  /** Why nothing is sent for a while. */
  block: (Wait & { cause: BlockCause; error: string }) | undefined;
  recovered: boolean;
}

/** How long a key that was refused is not tried again while it is the only one: 5 minutes, as for a server that is down. */
const refusedMs = 300_000;
const goodUntilWider = 5;
/** The service's word that its own filter does not let a page through: what must not be stored there is not kept here either. */
const privacyRejected = "privacy_rejected";

/** Writes down, in this one transaction, what became of the messages of a batch, and when the next one may be sent. */
export async function settle(tx: StoreTransaction, { partition, heads, end, settings }: Batch): Promise<Settled> {
  const { clock, random, limits } = settings;
  const now = clock.now();
  const state = await readState(tx, partition);
  const unsent = new Set<string>();
  const settled: Settled = { synced: 0, duplicates: 0, failed: 0, died: [], discarded: [], block: undefined, recovered: false };

  switch (end.is) {
    case "answered":
      for (const { seq, id } of heads) await apply(seq, end.verdicts.get(id) ?? { is: "unsent", code: "no_result" });
      settled.recovered = state.failures + state.limited > 0 || state.block !== undefined;
      clearBlock(state);
      delete state.lastError;
      delete state.lastErrorCode;
      if (unsent.size > 0) {
        state.lastError = `The service could not take some messages yet (${[...unsent].slice(0, 3).join(", ")}).`;
        state.lastErrorCode = "items";
      }
      widen(state, settings);
      await addReport(tx, state, partition, now);
      break;
    case "too-large":
      await narrow(end, "payload_too_large");
      break;
    case "poison":
      await narrow({ ...end, maxBytes: undefined }, end.code);
      break;
    case "unauthorized":
      state.refused = end.refused;
      block({ cause: "auth", ms: refusedMs, error: end.error, code: "key-refused" });
      break;
    case "no-key":
      delete state.refused;
      block({ cause: "auth", ms: refusedMs, error: end.error, code: "no-key" });
      break;
    case "failed":
      if (end.isRateLimit) state.limited += 1;
      else state.failures += 1;
      block({ ...end, cause: end.isRateLimit ? "rate-limit" : "backoff", ms: Math.ceil(end.afterMs) });
      break;
    case "held":
      break;
  }
  if (end.is !== "answered") for (const { seq } of heads) await rest(seq);
  await boundDead();
  await tx.put("state", state, partition);
  return settled;

  async function apply(seq: number, verdict: Verdict): Promise<void> {
    // Only what is still there: it may have been purged or have had to make room meanwhile.
    const head = readHead(await tx.get("heads", seq));
    if (verdict.is === "synced") settled.synced += 1;
    else if (verdict.is === "duplicate") settled.duplicates += 1;
    else if (verdict.is === "refused") settled.failed += 1;
    if (head === undefined) return;
    if (verdict.is === "synced" || verdict.is === "duplicate") await removeHead(tx, state, head);
    else if (verdict.is === "unsent") {
      unsent.add(verdict.code);
      const ms = Math.ceil(backoffMs(head.attempts, random));
      await tx.put("heads", { ...head, starts: 0, wait: { until: now + ms, ms } });
    } else if (isReport(head)) {
      // A refusal of the report is not reported, or there would be no end to it.
      await removeHead(tx, state, head);
    } else if (verdict.code === privacyRejected) {
      await removeHead(tx, state, head);
      tally(state, { "rejected-by-server": 1 });
      settled.discarded.push(head);
    } else settled.died.push(await bury(tx, state, { head, ...verdict, now }));
  }

  /** Somebody lived to tell: what ends processes is none of these. */
  async function rest(seq: number): Promise<void> {
    const head = readHead(await tx.get("heads", seq));
    if (head === undefined) return;
    if (end.hasLeft) await tx.put("heads", { ...head, starts: 0 });
    else {
      // It was chosen for nothing: nobody has seen it, so that it may still be replaced, and waits no longer for that.
      const attempts = Math.max(0, head.attempts - 1);
      await tx.put("heads", { ...head, attempts, starts: 0, sent: attempts > 0 ? 1 : 0 });
    }
  }

  /** A batch is halved until it passes; what is refused alone is given up. */
  async function narrow({ maxBytes, error }: { maxBytes: number | undefined; error: string }, code: string): Promise<void> {
    clearBlock(state);
    state.lastError = error;
    state.lastErrorCode = "batch";
    state.good = 0;
    const [only, ...others] = heads;
    if (only === undefined) return;
    if (others.length > 0) {
      const bytes = heads.reduce((sum, head) => sum + head.bytes, 0);
      const bytesMax = Math.min(state.narrowed?.bytes ?? settings.batch.bytes, maxBytes ?? Infinity, Math.ceil(bytes / 2));
      // Bytes are no matter of a message that cannot be read.
      state.narrowed = { items: Math.floor(heads.length / 2), bytes: end.is === "too-large" ? bytesMax : settings.batch.bytes };
      return;
    }
    if (end.is === "poison") delete state.narrowed;
    const head = readHead(await tx.get("heads", only.seq));
    settled.failed += 1;
    if (head !== undefined) settled.died.push(await bury(tx, state, { head, code, message: error, now }));
  }

  function block({ cause, ms, error, code }: { cause: BlockCause; ms: number; error: string; code: ErrorCode }): void {
    state.good = 0;
    state.lastError = error;
    state.lastErrorCode = code;
    state.block = { cause, ms, until: now + ms };
    settled.block = { cause, ms, until: now + ms, error };
  }

  async function boundDead(): Promise<void> {
    const surplus = state.dead - limits.dead;
    if (surplus <= 0) return;
    const oldest = await tx.list("dead", { index: "bySeq", prefix: [partition], limit: surplus });
    for (const row of oldest as DeadHead[]) {
      await tx.delete("dead", row.seq);
      await tx.delete("bodies", row.seq);
      settled.discarded.push(row);
    }
    state.dead -= oldest.length;
    tally(state, { "rejected-by-server": oldest.length });
  }
}

interface Batch {
  partition: string;
  heads: readonly Head[];
  end: Attempted;
  settings: Settings;
}

/** Nothing stands in the way any more. */
export function clearBlock(state: PartitionState): void {
  state.failures = 0;
  state.limited = 0;
  delete state.block;
  delete state.refused;
}

function widen(state: PartitionState, { batch }: Settings): void {
  state.good += 1;
  if (state.narrowed === undefined || state.good < goodUntilWider) return;
  const wider = { items: state.narrowed.items * 2, bytes: state.narrowed.bytes * 2 };
  state.good = 0;
  if (wider.items >= batch.items && wider.bytes >= batch.bytes) delete state.narrowed;
  else state.narrowed = wider;
}
