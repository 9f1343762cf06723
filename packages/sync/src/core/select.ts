import { quarantine, removeHead } from "./evict.js";
import type { Settings } from "./options.js";
import { type PartitionState, readState, tally } from "./partition-state.js";
import { type DeadHead, type Head, heldTo, leftOf, readHead } from "./rows.js";
import type { StoreTransaction } from "./store.js";

/** What is to be sent next. */
export interface Selection {
  heads: Head[];
  /** Whether these are read one at a time, since the reading of one of them may have ended the process before. */
  isSuspect: boolean;
  state: PartitionState;
  /** Why nothing is sent now, and until when. */
  blockedUntil: number | undefined;
  /** When the first message that waits by itself may be sent. */
  waitsUntil: number | undefined;
  expired: number;
  corrupt: number;
  died: DeadHead[];
}

/** Rows that are looked at together. */
const page = 200;
/** Starts after which a message that nobody lives to tell of is given up. */
const startsMax = 3;

/**
 * Chooses a batch in order of the queue and raises the attempts of all in it, in this one transaction: a message that ends the process is
 * found by its attempts, and one that may have been sent is never replaced. Bodies are not read here.
 */
export async function selectBatch(tx: StoreTransaction, partition: string, settings: Settings): Promise<Selection> {
  const { clock, limits } = settings;
  const now = clock.now();
  const state = await readState(tx, partition);
  const selection: Selection = {
    heads: [],
    isSuspect: false,
    state,
    blockedUntil: undefined,
    waitsUntil: undefined,
    expired: 0,
    corrupt: 0,
    died: [],
  };
  if (state.block !== undefined) {
    state.block = { ...state.block, ...heldTo(state.block, now) };
    const left = leftOf(state.block, now);
    // A refused key is not waited for: whether there is another one by now is for whoever asks for it.
    if (left > 0 && state.block.cause !== "auth") {
      await tx.put("state", state, partition);
      return { ...selection, blockedUntil: now + left };
    }
  }
  const room = roomOf(state, settings);
  let bytes = 0;
  let after: number[] | undefined;
  pages: for (;;) {
    const rows = await tx.list("heads", {
      index: "bySeq",
      prefix: [partition],
      limit: page,
      ...(after && { after: [partition, ...after] }),
    });
    for (const row of rows) {
      const head = readHead(row);
      if (head === undefined) {
        selection.corrupt += 1;
        await quarantine(tx, state, { partition, row });
        continue;
      }
      after = [head.seq];
      if (head.queuedAt < now - limits.ageMs) {
        selection.expired += 1;
        await removeHead(tx, state, head);
        continue;
      }
      if (head.starts >= startsMax) {
        const message = `Whoever read this message ended ${startsMax} times without a word. It is not read again unless you say so.`;
        selection.died.push(await bury(tx, state, { head, code: "crashed", message, now }));
        continue;
      }
      const left = leftOf(head.wait, now);
      if (left > 0) {
        selection.waitsUntil = Math.min(selection.waitsUntil ?? Infinity, now + left);
        continue;
      }
      const isFull = selection.heads.length > 0 && (selection.heads.length >= room.items || bytes + head.bytes > room.bytes);
      // One that was started and never told of goes alone, or others would be suspected with it.
      if (isFull || (head.starts > 0 && selection.heads.length > 0)) break pages;
      const chosen = { ...head, attempts: head.attempts + 1, starts: head.starts + 1, sent: 1 as const };
      await tx.put("heads", chosen);
      selection.heads.push(chosen);
      bytes += head.bytes;
      if (head.starts > 0) {
        selection.isSuspect = true;
        break pages;
      }
    }
    if (rows.length < page) break;
  }
  if (selection.expired > 0) tally(state, { expired: selection.expired });
  await tx.put("state", state, partition);
  return selection;
}

/** How much goes into a request: what the service was seen to take, and while it fails half as much with each failure, or a slow line never sends it. */
function roomOf({ narrowed, failures }: PartitionState, { batch }: Settings): { items: number; bytes: number } {
  const { items, bytes } = narrowed ?? batch;
  return { items: Math.max(1, Math.floor(Math.min(items, batch.items) / 2 ** failures)), bytes: Math.min(bytes, batch.bytes) };
}

/** Puts a message to the dead letters; its body stays where it is. */
export async function bury(
  tx: StoreTransaction,
  state: PartitionState,
  { head, code, message, now }: { head: Head; code: string; message: string; now: number },
): Promise<DeadHead> {
  const { wait: _, ...rest } = head;
  const dead: DeadHead = { ...rest, code, message: message.slice(0, 500), diedAt: now };
  await tx.delete("heads", head.seq);
  await tx.put("dead", dead);
  state.waiting -= 1;
  state.bytes -= head.bytes;
  state.dead += 1;
  return dead;
}
