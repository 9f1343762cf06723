import { removeDead } from "./removal.js";
import { type MessageKind, kindOf } from "./message.js";
import { type AccountState, changeState, type DeadHead, tally } from "./rows.js";
import type { Settings } from "./options.js";
import type { StoreTransaction } from "./store.js";

/**
 * A message that the service refused for good, or that cannot be sent. `code` is the service's, `payload_too_large`, `bad_request`, or `crashed` for one
 * whose reading ended the process three times; `message` says it in words. Times are milliseconds since the epoch.
 */
export interface DeadLetter extends Pick<DeadHead, "id" | "contextId" | "code" | "message" | "queuedAt" | "diedAt" | "attempts"> {
  kind: MessageKind;
}

/** What can be done with messages that were given up. Each rejects when the store fails. */
export interface DeadLetters {
  /** The oldest, at most `limit`. */
  list(limit: number): Promise<DeadLetter[]>;
  /** Puts messages back into the queue, under the same ids, as after the service was mended. Resolves to how many there were. */
  retry(ids: readonly string[]): Promise<number>;
  /** Forgets messages, which count as dropped. Resolves to how many there were. */
  discard(ids: readonly string[]): Promise<number>;
}

/** The dead letters of the current account; while nobody is signed in there are none. */
export function deadLettersOf({ account, clock, emit, store }: Settings): DeadLetters {
  return {
    async list(limit) {
      const of = await account();
      if (of === null) return [];
      const rows = await store.read((tx) => tx.list("dead", { index: "bySeq", prefix: [of], limit }));
      return (rows as DeadHead[]).map(letterOf);
    },
    retry: (ids) =>
      each(ids, async (tx, state, dead) => {
        const { code: _, message: _words, diedAt: _at, ...head } = dead;
        const body = await tx.get("bodies", dead.seq);
        await removeDead(tx, state, dead);
        const known = await tx.list("heads", { index: "byId", prefix: [dead.account, dead.id], limit: 1 });
        if (known.length > 0) return;
        await tx.put("heads", { ...head, queuedAt: clock.now(), starts: 0 });
        await tx.put("bodies", body, dead.seq);
        state.waiting += 1;
        state.bytes += head.bytes;
      }),
    async discard(ids) {
      const count = await each(ids, async (tx, state, dead) => {
        await removeDead(tx, state, dead);
        tally(state, { "rejected-by-server": 1 });
      });
      if (count > 0) emit({ type: "dropped", reason: "rejected-by-server", count });
      return count;
    },
  };

  async function each(ids: readonly string[], act: (tx: StoreTransaction, state: AccountState, dead: DeadHead) => Promise<void>) {
    const of = await account();
    if (of === null) return 0;
    return await store.write((tx) =>
      changeState(tx, of, async (state) => {
        let found = 0;
        for (const id of new Set(ids)) {
          const [dead] = (await tx.list("dead", { index: "byId", prefix: [of, id], limit: 1 })) as DeadHead[];
          if (dead === undefined) continue;
          await act(tx, state, dead);
          found += 1;
        }
        return found;
      }),
    );
  }
}

function letterOf(dead: DeadHead): DeadLetter {
  const { account: _account, seq: _seq, mergeKey: _key, site: _site, bytes: _bytes, starts: _starts, rank, ...letter } = dead;
  return { ...letter, kind: kindOf(rank) };
}
