import { attempt, type Attempted, type Outgoing } from "./attempt.js";
import { bury, removeHead } from "./removal.js";
import { kindOf } from "./message.js";
import type { Settings } from "./options.js";
import type { FlushReport } from "./outcomes.js";
import { type AccountState, changeState, type DeadHead, type Head, isFollowUp, leftOf, namesOf, tally } from "./rows.js";
import { type BatchOutcome, settle } from "./settle.js";
import { rowsOf, type StoreTransaction } from "./store.js";

interface Drain {
  account: string;
  /** No batch is begun after this time, in milliseconds since the epoch. */
  deadline: number;
  /** Whether sending is to stop after the batch that is on its way. */
  isStopped: () => boolean;
  isPaused: (tx: StoreTransaction) => Promise<boolean>;
}

/**
 * Sends batch after batch: choose and count the attempt; send; delete what was acknowledged. A worker that dies in between leaves the messages in place, to be
 * sent again under the same ids. Call it with the account's lock only. Rejects when the store fails.
 */
export async function drain(settings: Settings, { account, deadline, isStopped, isPaused }: Drain): Promise<FlushReport> {
  const { clock, emit, hook, log, onSettled, store } = settings;
  const report: FlushReport = { requests: 0, synced: 0, duplicates: 0, failed: 0, endedBy: "empty", nextAt: null };
  const ends = (endedBy: FlushReport["endedBy"], nextAt: number | null = null) => ({ ...report, endedBy, nextAt });
  /** Warns in this worker's console, also for what another worker met. */
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
    reportSelection(selection);
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
  async function readBodies({ heads: chosen, isSuspect }: Selection): Promise<{ messages: Outgoing[]; heads: Head[] }> {
    const messages: Outgoing[] = [];
    const heads: Head[] = [];
    let corrupt = 0;
    await store.write((tx) =>
      changeState(tx, account, async (state) => {
        for (const head of chosen) {
          const json = await tx.get("bodies", head.seq);
          // It may have been removed meanwhile.
          if ((await tx.get("heads", head.seq)) === undefined) continue;
          if (isBodyOf(head, json)) {
            // It was read, so it does not crash the worker.
            if (isSuspect) await tx.put("heads", { ...head, starts: 0 });
            messages.push({ id: head.id, json: json as string });
            heads.push(head);
          } else {
            await removeHead(tx, state, head);
            tally(state, { corrupt: 1 });
            corrupt += 1;
          }
        }
      }),
    );
    if (corrupt > 0) emit({ type: "dropped", reason: "corrupt", count: corrupt });
    return { messages, heads };
  }

  function reportSelection({ expired, died }: Selection): void {
    if (expired.length > 0) emit({ type: "dropped", reason: "expired", count: expired.length });
    for (const head of expired) onSettled({ ...namesOf(head), status: "dropped", reason: "expired" });
    report.failed += died.length;
    for (const head of died) onSettled({ ...namesOf(head), status: "refused", code: head.code, message: head.message });
  }

  function count(end: Attempted, outcome: BatchOutcome, { sent, ms }: { sent: number; ms: number }): void {
    const { synced, duplicates, failed, settled, discarded, block } = outcome;
    if (end.hasLeft) report.requests += 1;
    report.synced += synced;
    report.duplicates += duplicates;
    report.failed += failed;
    if (end.is === "answered") emit({ type: "batch", sent, synced, duplicates, failed, ms });
    for (const each of settled) onSettled(each);
    for (const { rank } of discarded) emit({ type: "dropped", reason: "rejected-by-server", count: 1, kind: kindOf(rank) });
    if (block !== undefined) emit({ type: "blocked", until: block.until, cause: block.cause, code: block.code, error: block.error });
  }
}

/** Whether a body is the JSON of the message that the head speaks of. */
function isBodyOf({ id }: Head, body: unknown): boolean {
  try {
    return (JSON.parse(body as string) as { id?: unknown } | null)?.id === id;
  } catch {
    return false;
  }
}

/** What is to be sent next. */
interface Selection {
  heads: Head[];
  /** Whether these are read one at a time, since the reading of one of them may have ended the process before. */
  isSuspect: boolean;
  state: AccountState;
  /** Why nothing is sent now, and until when. */
  blockedUntil?: number;
  /** When the first message that waits by itself may be sent. */
  waitsUntil?: number;
  expired: Head[];
  died: DeadHead[];
}

/** Starts without an outcome after which a message is given up. */
const startsMax = 3;

/**
 * Chooses a batch in order of the queue and raises the attempts of all in it, in this one transaction: a message that ends the process is
 * found by its attempts, and one that may have been sent is never replaced. Bodies are not read here.
 */
async function selectBatch(tx: StoreTransaction, account: string, { clock, limits, batch }: Settings): Promise<Selection> {
  const now = clock.now();
  return await changeState(tx, account, async (state) => {
    const selection: Selection = { heads: [], isSuspect: false, state, expired: [], died: [] };
    if (state.block !== undefined) {
      // A clock that was set back must not make it longer.
      state.block.until = Math.min(state.block.until, now + state.block.ms);
      // A refused key does not wait: there may be another key by now.
      if (state.block.until > now && state.block.cause !== "auth") return { ...selection, blockedUntil: state.block.until };
    }
    // Smaller with each failure, so that a slow line gets it through.
    const { room = batch } = state;
    const itemsMax = Math.max(1, Math.floor(Math.min(batch.items, room.items) / 2 ** state.failures));
    const bytesMax = Math.min(batch.bytes, room.bytes);
    const contexts = new Set<string | undefined>();
    let bytes = 0;
    for await (const row of rowsOf(tx, "heads", account)) {
      const head = row as Head;
      if (head.queuedAt < now - limits.ageMs) {
        selection.expired.push(head);
        await removeHead(tx, state, head);
      } else if (head.starts >= startsMax) {
        const message = `The background crashed ${startsMax} times while reading this message. It is not sent again until you retry it.`;
        selection.died.push(await bury(tx, state, { head, code: "crashed", message, now }));
      } else if (isFollowUp(head) && contexts.has(head.contextId)) {
        // What it changes is not stored yet.
      } else if (leftOf(head.wait, now) > 0) {
        contexts.add(head.contextId);
        selection.waitsUntil = Math.min(selection.waitsUntil ?? Infinity, now + leftOf(head.wait, now));
      } else {
        const isFull = selection.heads.length >= itemsMax || bytes + head.bytes > bytesMax;
        // One that was started without an outcome goes alone, or others would be suspected with it.
        if (selection.heads.length > 0 && (isFull || head.starts > 0)) break;
        contexts.add(head.contextId);
        const chosen = { ...head, attempts: head.attempts + 1, starts: head.starts + 1 };
        await tx.put("heads", chosen);
        selection.heads.push(chosen);
        selection.isSuspect = head.starts > 0;
        if (selection.isSuspect) break;
        bytes += head.bytes;
      }
    }
    if (selection.heads.length === 0) delete state.room;
    if (selection.expired.length > 0) tally(state, { expired: selection.expired.length });
    return selection;
  });
}
