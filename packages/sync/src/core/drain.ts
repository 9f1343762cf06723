import { toBaseUrl } from "@periscope/delivery";
import { attempt, type Outgoing } from "./attempt.js";
import { accessMs, readSetting, withinTime } from "./connection.js";
import { type AccountState, moveToDeadLetters, changeAccount, type Ledger, drop } from "./ledger.js";
import { jsonOf, markOf } from "./message.js";
import type { Settings } from "./options.js";
import type { FlushReport } from "./outcomes.js";
import { type Head, isFollowUp, leftOf, namesOf } from "./rows.js";
import { settle } from "./settle.js";
import { rowsOf, type StoreTransaction } from "./store.js";

/** Milliseconds until what is stopped is tried again: a removal may wait long for the lock of another account, so not at once. */
const stopMs = 1_000;

interface Drain {
  account: string;
  /** No batch is begun after this time, in milliseconds since the epoch. */
  deadline: number;
  /** Whether sending is to stop after the batch that is on its way. */
  isStopped: () => boolean;
  /** When a pause ends, in milliseconds since the epoch: `Infinity` without an end; undefined when there is none. */
  pausedUntil: (tx: StoreTransaction) => Promise<number | undefined>;
}

/**
 * Sends batch after batch: choose and count the attempt; send; delete what was acknowledged. A worker that dies in between leaves the messages in place, to be
 * sent again under the same ids. Call it with the account's lock only. Rejects when the store fails.
 */
export async function drain(settings: Settings, { account, deadline, isStopped, pausedUntil }: Drain): Promise<FlushReport> {
  const { clock, emit, hook, log } = settings;
  const report: FlushReport = { requests: 0, synced: 0, duplicates: 0, failed: 0, endedBy: "empty", nextAt: null };
  const ends = (endedBy: FlushReport["endedBy"], nextAt: number | null = null) => ({ ...report, endedBy, nextAt });
  /** Warns in this worker's console, also for what another worker met. */
  const blocked = ({ trouble, block }: AccountState) => {
    log.trouble(trouble);
    return ends("blocked", block?.until ?? null);
  };

  for (;;) {
    if (isStopped()) return ends("paused", clock.now() + stopMs);
    if ((await settings.account()) !== account) return ends("no-account");
    if (clock.now() >= deadline) return ends("deadline", clock.now());
    const selection = await changeAccount(
      settings,
      account,
      async (ledger) => (await pausedUntil(ledger.tx)) ?? (await selectBatch(ledger, settings)),
    );
    if (typeof selection === "number") return ends("paused", Number.isFinite(selection) ? selection : null);
    report.failed += selection.crashed;
    if (selection.isBlocked) {
      if (!(await hasOtherServer(settings, account, { state: selection.state, deadline }))) return blocked(selection.state);
      // The failures in a row stay: a `baseUrl` that goes back and forth between servers that are down waits longer each time.
      await changeAccount(settings, account, ({ state }) => delete state.block);
      continue;
    }
    if (selection.heads.length === 0) return ends("empty", selection.waitsUntil ?? null);
    await hook("after-select");

    const { messages, heads } = await changeAccount(settings, account, (ledger) => readBodies(ledger, selection));
    if (messages.length === 0) continue;
    const startedAt = clock.now();
    const end = await attempt(settings, { account, state: selection.state, messages });
    await hook("before-settle");
    const { state, ...counts } = await changeAccount(settings, account, async (ledger) => ({
      ...(await settle(ledger, heads, end, settings)),
      state: ledger.state,
    }));
    await hook("after-settle");
    if (end.hasLeft) report.requests += 1;
    for (const name of ["synced", "duplicates", "failed"] as const) report[name] += counts[name];
    if (end.is === "answered") emit({ type: "batch", sent: messages.length, ...counts, ms: clock.now() - startedAt });
    if (end.is === "held") return end.by === "account" ? ends("no-account") : blocked(state);
    if (end.is === "blocked") {
      const { reason, code, error } = end;
      emit({ type: "blocked", until: state.block?.until ?? 0, reason, code, error });
      return blocked(state);
    }
  }
}

/** Whether `baseUrl` names another server by now than the one that caused the wait. */
async function hasOtherServer(
  settings: Settings,
  account: string,
  { state: { block }, deadline }: { state: AccountState; deadline: number },
): Promise<boolean> {
  const ms = Math.min(accessMs, deadline - settings.clock.now());
  const address = await withinTime(settings, ms, () => readSetting(settings.baseUrl, account)).catch(() => undefined);
  const baseUrl = toBaseUrl(address ?? "");
  return baseUrl !== undefined && block?.server !== undefined && markOf(baseUrl) !== block.server;
}

/** Bodies are read after the choice is on disk: one that ends the process while it is read is known by its starts. */
async function readBodies(ledger: Ledger, { heads: chosen, isSuspect }: Selection): Promise<{ messages: Outgoing[]; heads: Head[] }> {
  const { tx } = ledger;
  const messages: Outgoing[] = [];
  const heads: Head[] = [];
  for (const head of chosen) {
    const json = String(await tx.get("bodies", head.seq));
    // It may have been removed meanwhile.
    if ((await tx.get("heads", head.seq)) === undefined) continue;
    if ((jsonOf(json) as { id?: unknown } | null | undefined)?.id !== head.id) {
      await drop(ledger, head, "corrupt");
      continue;
    }
    // It was read, so it does not crash the worker.
    if (isSuspect) await tx.put("heads", { ...head, starts: 0 });
    messages.push({ id: head.id, json });
    heads.push(head);
  }
  return { messages, heads };
}

/** What is to be sent next. */
interface Selection {
  heads: Head[];
  /** Whether these are read one at a time, since the reading of one of them may have ended the process before. */
  isSuspect: boolean;
  state: AccountState;
  /** Whether nothing is sent before the time of the block is over. */
  isBlocked: boolean;
  /** When the first message that waits by itself may be sent. */
  waitsUntil?: number;
  /** How many were given up. */
  crashed: number;
}

/** Starts without an outcome after which a message is given up. */
const startsMax = 3;

/**
 * Chooses a batch in order of the queue and raises the attempts of all in it, in this one transaction: a message that ends the process is
 * found by its attempts, and one that may have been sent is never replaced. Bodies are not read here.
 */
async function selectBatch(ledger: Ledger, { clock, limits, batch }: Settings): Promise<Selection> {
  const { tx, account, state, reports } = ledger;
  const now = clock.now();
  const selection: Selection = { heads: [], isSuspect: false, state, isBlocked: false, crashed: 0 };
  if (state.block !== undefined) {
    // A clock that was set back must not make it longer.
    state.block.until = Math.min(state.block.until, now + state.block.ms);
    // A refused key does not wait: there may be another key by now.
    if (state.block.until > now && state.block.reason !== "auth") return { ...selection, isBlocked: true };
  }
  // Smaller with each failure, so that a slow line gets it through.
  const { room = batch, failures } = state;
  const itemsMax = Math.max(1, Math.floor(Math.min(batch.items, room.items) / 2 ** failures));
  const bytesMax = Math.min(batch.bytes, room.bytes);
  const contexts = new Set<string | undefined>();
  let bytes = 0;
  for await (const row of rowsOf(tx, "heads", account)) {
    const head = row as Head;
    if (head.queuedAt < now - limits.ageMs) {
      await drop(ledger, head, "expired");
    } else if (head.starts >= startsMax) {
      const message = `The background crashed ${startsMax} times while reading this message. It is not sent again until you retry it.`;
      reports.push({ ...namesOf(head), status: "refused", code: "crashed", message });
      await moveToDeadLetters(ledger, head, { code: "crashed", message, now });
      selection.crashed += 1;
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
  return selection;
}
