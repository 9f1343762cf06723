import { bury, removeDamaged, removeHead } from "./evict.js";
import type { Settings } from "./options.js";
import { type AccountState, changeState, type DeadHead, type Head, leftOf, readHead, tally } from "./rows.js";
import { rowsOf, type StoreTransaction } from "./store.js";

/** What is to be sent next. */
export interface Selection {
  heads: Head[];
  /** Whether these are read one at a time, since the reading of one of them may have ended the process before. */
  isSuspect: boolean;
  state: AccountState;
  /** Why nothing is sent now, and until when. */
  blockedUntil?: number;
  /** When the first message that waits by itself may be sent. */
  waitsUntil?: number;
  expired: Head[];
  corrupt: number;
  died: DeadHead[];
}

/** Starts after which a message that nobody lives to tell of is given up. */
const startsMax = 3;

/**
 * Chooses a batch in order of the queue and raises the attempts of all in it, in this one transaction: a message that ends the process is
 * found by its attempts, and one that may have been sent is never replaced. Bodies are not read here.
 */
export async function selectBatch(tx: StoreTransaction, account: string, { clock, limits, batch }: Settings): Promise<Selection> {
  const now = clock.now();
  return await changeState(tx, account, async (state) => {
    const selection: Selection = { heads: [], isSuspect: false, state, expired: [], corrupt: 0, died: [] };
    if (state.block !== undefined) {
      // A clock that was set back must not make it longer.
      state.block.until = Math.min(state.block.until, now + state.block.ms);
      // A refused key is not waited for: whether there is another one by now is for whoever asks for it.
      if (state.block.until > now && state.block.cause !== "auth") return { ...selection, blockedUntil: state.block.until };
    }
    const room = roomOf(state, batch);
    let bytes = 0;
    for await (const row of rowsOf(tx, "heads", account)) {
      const head = readHead(row);
      if (head === undefined) {
        selection.corrupt += 1;
        await removeDamaged(tx, state, account, row);
      } else if (head.queuedAt < now - limits.ageMs) {
        selection.expired.push(head);
        await removeHead(tx, state, head);
      } else if (head.starts >= startsMax) {
        const message = `The worker ended ${startsMax} times while it read this message. It is not read again unless you say so.`;
        selection.died.push(await bury(tx, state, { head, code: "crashed", message, now }));
      } else if (leftOf(head.wait, now) > 0) {
        selection.waitsUntil = Math.min(selection.waitsUntil ?? Infinity, now + leftOf(head.wait, now));
      } else {
        const isFull = selection.heads.length >= room.items || bytes + head.bytes > room.bytes;
        // One that was started and never told of goes alone, or others would be suspected with it.
        if (selection.heads.length > 0 && (isFull || head.starts > 0)) break;
        const chosen = { ...head, attempts: head.attempts + 1, starts: head.starts + 1, sent: 1 as const };
        await tx.put("heads", chosen);
        selection.heads.push(chosen);
        selection.isSuspect = head.starts > 0;
        if (selection.isSuspect) break;
        bytes += head.bytes;
      }
    }
    if (selection.expired.length > 0) tally(state, { expired: selection.expired.length });
    return selection;
  });
}

/** How much goes into a request: what the service was seen to take, and while it fails half as much with each failure, or a slow line never sends it. */
function roomOf({ narrowed, failures }: AccountState, batch: Settings["batch"]): Settings["batch"] {
  const { items, bytes } = narrowed ?? batch;
  return { items: Math.max(1, Math.floor(Math.min(items, batch.items) / 2 ** failures)), bytes: Math.min(bytes, batch.bytes) };
}
