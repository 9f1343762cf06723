import { attempt, type AttemptEnd, type Outgoing } from "./attempt.js";
import { quarantine } from "./evict.js";
import { wordsOf } from "./enqueue.js";
import { kindOf } from "./message.js";
import type { Settings } from "./options.js";
import type { FlushReport } from "./outcomes.js";
import { readState } from "./partition-state.js";
import type { Head } from "./rows.js";
import { selectBatch, type Selection } from "./select.js";
import { type Settled, settle } from "./settle.js";
import type { Fault } from "./status.js";
import type { StoreTransaction } from "./store.js";

/** What a drain is told. */
export interface Drain {
  account: string;
  partition: string;
  /** No batch is begun after this time, in milliseconds since the epoch. */
  deadline: number;
  /** Whether sending is to stop after the batch that is on its way. */
  isStopped: () => boolean;
  /** Whether sending is paused, as the store says. */
  isPaused: (tx: StoreTransaction) => Promise<boolean>;
}

/**
 * Sends batch after batch: choose and raise the attempts; send; delete what was acknowledged. Whoever dies in between leaves the messages where
 * they are, to be sent again under the same ids. To be called by the holder of the partition's lock only. Rejects when the store fails.
 */
export async function drain(settings: Settings, { account, partition, deadline, isStopped, isPaused }: Drain): Promise<FlushReport> {
  const { clock, emit, hook, store } = settings;
  const report: FlushReport = { requests: 0, synced: 0, duplicates: 0, failed: 0, endedBy: "empty", nextAt: null };
  const ends = (endedBy: FlushReport["endedBy"], nextAt: number | null = null) => ({ ...report, endedBy, nextAt });

  for (;;) {
    if (isStopped()) return ends("paused");
    if ((await settings.account()) !== account) return ends("no-account");
    if (clock.now() >= deadline) return ends("deadline", clock.now());
    const selection = await store.write(async (tx) => ((await isPaused(tx)) ? "paused" : await selectBatch(tx, partition, settings)));
    if (selection === "paused") return ends("paused");
    tell(selection);
    if (selection.blockedUntil !== undefined) return ends("blocked", selection.blockedUntil);
    if (selection.heads.length === 0) return ends("empty", selection.waitsUntil ?? null);
    await hook("after-select");

    const { messages, heads } = await readBodies(selection);
    if (messages.length === 0) continue;
    const startedAt = clock.now();
    const end = await attempt(settings, { account, state: selection.state, messages });
    await hook("before-settle");
    const settled = await store.write((tx) => settle(tx, { partition, heads, end, settings }));
    await hook("after-settle");
    count(end, settled, { sent: messages.length, ms: clock.now() - startedAt });
    if (end.is === "held") return end.by === "account" ? ends("no-account") : ends("blocked", selection.state.block?.until ?? null);
    if (settled.block !== undefined) return ends("blocked", settled.block.until);
  }

  /** Bodies are read after the choice is on disk: one that ends the process while it is read is known by its starts. */
  async function readBodies({ heads, isSuspect }: Selection): Promise<{ messages: Outgoing[]; heads: Head[] }> {
    const rows = await store.read(async (tx) => {
      const bodies: { head: Head; body: unknown }[] = [];
      for (const head of heads) bodies.push({ head, body: await tx.get("bodies", head.seq) });
      return bodies;
    });
    const sound = rows.filter(({ head, body }) => isBodyOf(head, body));
    const damaged = rows.filter((row) => !sound.includes(row));
    if (damaged.length > 0) {
      await store.write(async (tx) => {
        const state = await readState(tx, partition);
        for (const { head } of damaged) {
          // One that was purged or had to make room meanwhile is none that was damaged.
          if ((await tx.get("heads", head.seq)) !== undefined) await quarantine(tx, state, { partition, row: head });
        }
        await tx.put("state", state, partition);
      });
      emit({ type: "dropped", reason: "corrupt", count: damaged.length });
    }
    // It was read, so what comes after, such as a process that is ended while it sends, is none of its doing.
    if (isSuspect) {
      await store.write(async (tx) => {
        for (const { head } of sound) {
          if ((await tx.get("heads", head.seq)) !== undefined) await tx.put("heads", { ...head, starts: 0 });
        }
      });
    }
    return { messages: sound.map(({ head: { id }, body }) => ({ id, json: body as string })), heads: sound.map(({ head }) => head) };
  }

  function tell({ expired, corrupt, died }: Selection): void {
    if (expired > 0) emit({ type: "dropped", reason: "expired", count: expired });
    if (corrupt > 0) emit({ type: "dropped", reason: "corrupt", count: corrupt });
    report.failed += died.length;
    for (const { id, code, message } of died) emit({ type: "dead", id, code, message });
  }

  function count(
    end: AttemptEnd,
    { synced, duplicates, failed, died, discarded, block, recovered }: Settled,
    of: { sent: number; ms: number },
  ) {
    if (end.is !== "held" && end.is !== "no-key") report.requests += 1;
    report.synced += synced;
    report.duplicates += duplicates;
    report.failed += failed;
    if (end.is === "answered") emit({ type: "batch", synced, duplicates, failed, ...of });
    for (const { id, code, message } of died) emit({ type: "dead", id, code, message });
    for (const { rank } of discarded) emit({ type: "dropped", reason: "rejected-by-server", count: 1, kind: kindOf(rank) });
    if (block !== undefined) emit({ type: "blocked", until: block.until, cause: block.cause, error: block.error });
    if (recovered) emit({ type: "recovered" });
  }
}

/** Whether a body is the JSON of the message that the head speaks of. */
function isBodyOf({ id }: Head, body: unknown): boolean {
  if (typeof body !== "string") return false;
  try {
    return (JSON.parse(body) as { id?: unknown } | null)?.id === id;
  } catch {
    return false;
  }
}

/** What is said of a flush that could not go on. */
export function failedFlush(error: unknown, { emit, isOfStore, now }: { emit: Settings["emit"]; isOfStore: boolean; now: number }) {
  const until = now + 5_000;
  // Only the errors of a store are known to say nothing of what was to be written.
  const words = isOfStore ? wordsOf(error) : `The queue failed (${error instanceof Error ? error.name : typeof error}).`;
  emit({ type: isOfStore ? "storage" : "failed", error: words });
  const endedBy = isOfStore ? "storage-failed" : "failed";
  const report: FlushReport = { requests: 0, synced: 0, duplicates: 0, failed: 0, endedBy, nextAt: until };
  const fault: Fault = isOfStore
    ? { error: `The disk of the browser fails: ${words}`, code: "storage", until }
    : { error: `${words} What waits is kept, and tried again.`, code: "internal", until };
  return { report, fault };
}
