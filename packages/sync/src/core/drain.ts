import { attempt, type AttemptEnd, type Outgoing } from "./attempt.js";
import { removeDamaged } from "./evict.js";
import { kindOf } from "./message.js";
import type { Settings } from "./options.js";
import type { FlushReport } from "./outcomes.js";
import { type AccountState, changeState, type Head, namesOf } from "./rows.js";
import { selectBatch, type Selection } from "./select.js";
import { type BatchOutcome, settle } from "./settle.js";
import type { StoreTransaction } from "./store.js";

/** What a drain is told. */
export interface Drain {
  account: string;
  /** No batch is begun after this time, in milliseconds since the epoch. */
  deadline: number;
  /** Whether sending is to stop after the batch that is on its way. */
  isStopped: () => boolean;
  /** Whether sending is paused, as the store says. */
  isPaused: (tx: StoreTransaction) => Promise<boolean>;
}

/**
 * Sends batch after batch: choose and raise the attempts; send; delete what was acknowledged. Whoever dies in between leaves the messages where
 * they are, to be sent again under the same ids. To be called by the holder of the account's lock only. Rejects when the store fails.
 */
export async function drain(settings: Settings, { account, deadline, isStopped, isPaused }: Drain): Promise<FlushReport> {
  const { clock, emit, hook, log, onSettled, store } = settings;
  const report: FlushReport = { requests: 0, synced: 0, duplicates: 0, failed: 0, endedBy: "empty", nextAt: null };
  const ends = (endedBy: FlushReport["endedBy"], nextAt: number | null = null) => ({ ...report, endedBy, nextAt });
  /** Also of what another worker met: whoever looks at the console sees this one's. */
  const blocked = ({ lastErrorCode, lastError }: Pick<AccountState, "lastErrorCode" | "lastError">, until: number | null) => {
    log.trouble(lastErrorCode, lastError);
    return ends("blocked", until);
  };

  for (;;) {
    if (isStopped()) return ends("paused");
    if ((await settings.account()) !== account) return ends("no-account");
    if (clock.now() >= deadline) return ends("deadline", clock.now());
    const selection = await store.write(async (tx) => ((await isPaused(tx)) ? "paused" : await selectBatch(tx, account, settings)));
    if (selection === "paused") return ends("paused");
    tell(selection);
    if (selection.blockedUntil !== undefined) return blocked(selection.state, selection.blockedUntil);
    if (selection.heads.length === 0) return ends("empty", selection.waitsUntil ?? null);
    await hook("after-select");

    const { messages, heads } = await readBodies(selection);
    if (messages.length === 0) continue;
    const startedAt = clock.now();
    const end = await attempt(settings, { account, state: selection.state, messages });
    await hook("before-settle");
    const outcome = await store.write((tx) => settle(tx, { account, heads, end, settings }));
    await hook("after-settle");
    count(end, outcome, { sent: messages.length, ms: clock.now() - startedAt });
    if (end.is === "held")
      return end.by === "account" ? ends("no-account") : blocked(selection.state, selection.state.block?.until ?? null);
    if (outcome.block !== undefined)
      return blocked({ lastErrorCode: outcome.block.code, lastError: outcome.block.error }, outcome.block.until);
  }

  /** Bodies are read after the choice is on disk: one that ends the process while it is read is known by its starts. */
  async function readBodies({ heads, isSuspect }: Selection): Promise<{ messages: Outgoing[]; heads: Head[] }> {
    const rows = await store.read(async (tx) => {
      const bodies: { head: Head; body: unknown }[] = [];
      for (const head of heads) bodies.push({ head, body: await tx.get("bodies", head.seq) });
      return bodies;
    });
    const sound = rows.filter(({ head, body }) => isBodyOf(head, body));
    const damaged = rows.filter((row) => !sound.includes(row)).map(({ head }) => head);
    if (damaged.length > 0) {
      await store.write((tx) =>
        changeState(tx, account, async (state) => {
          for (const row of await stillThere(tx, damaged)) await removeDamaged(tx, state, account, row);
        }),
      );
      emit({ type: "dropped", reason: "corrupt", count: damaged.length });
    }
    const kept = sound.map(({ head }) => head);
    // It was read, so what comes after, such as a process that is ended while it sends, is none of its doing.
    if (isSuspect) {
      await store.write(async (tx) => {
        for (const head of await stillThere(tx, kept)) await tx.put("heads", { ...head, starts: 0 });
      });
    }
    return { messages: sound.map(({ head: { id }, body }) => ({ id, json: body as string })), heads: kept };
  }

  function tell({ expired, corrupt, died }: Selection): void {
    if (expired.length > 0) emit({ type: "dropped", reason: "expired", count: expired.length });
    for (const head of expired) onSettled({ ...namesOf(head), status: "dropped", reason: "expired" });
    if (corrupt > 0) emit({ type: "dropped", reason: "corrupt", count: corrupt });
    report.failed += died.length;
    for (const head of died) onSettled({ ...namesOf(head), status: "refused", code: head.code, message: head.message });
  }

  function count(end: AttemptEnd, outcome: BatchOutcome, { sent, ms }: { sent: number; ms: number }): void {
    const { synced, duplicates, failed, settled, discarded, block, recovered } = outcome;
    if (end.is !== "held" && !(end.is === "unauthorized" && end.refused === undefined)) report.requests += 1;
    report.synced += synced;
    report.duplicates += duplicates;
    report.failed += failed;
    if (end.is === "answered") emit({ type: "batch", sent, synced, duplicates, failed, ms });
    for (const each of settled) onSettled(each);
    for (const { rank } of discarded) emit({ type: "dropped", reason: "rejected-by-server", count: 1, kind: kindOf(rank) });
    if (block !== undefined) emit({ type: "blocked", until: block.until, cause: block.cause, code: block.code, error: block.error });
    if (recovered) emit({ type: "recovered" });
  }
}

/** Those that were not removed meanwhile. */
async function stillThere(tx: StoreTransaction, heads: readonly Head[]): Promise<Head[]> {
  const found = await Promise.all(heads.map(async (head) => ((await tx.get("heads", head.seq)) === undefined ? [] : [head])));
  return found.flat();
}

/** Whether a body is the JSON of the message that the head speaks of. */
function isBodyOf({ id }: Head, body: unknown): boolean {
  try {
    return (JSON.parse(body as string) as { id?: unknown } | null)?.id === id;
  } catch {
    return false;
  }
}
