import { kindOf } from "./message.js";
import type { DeadLetter } from "./outcomes.js";
import { readState, tally } from "./partition-state.js";
import { type DeadHead, readHead } from "./rows.js";
import type { Store, StoreTransaction } from "./store.js";

/** What can be done with messages that were given up. Each rejects when the store fails. */
export interface DeadLetters {
  /** The oldest, at most `limit`. */
  list(limit: number): Promise<DeadLetter[]>;
  /** Puts messages back into the queue, under the same ids, as after the service was mended. Resolves to how many there were. */
  retry(ids: readonly string[]): Promise<number>;
  /** Forgets messages, which count as dropped. Resolves to how many there were. */
  discard(ids: readonly string[]): Promise<number>;
}

interface Of {
  store: Store;
  /** Undefined while nobody is signed in: then there are none. */
  partition: () => Promise<string | undefined>;
  now: () => number;
}

/** The dead letters of the current account. */
export function deadLettersOf({ store, partition, now }: Of): DeadLetters {
  return {
    async list(limit) {
      const of = await partition();
      if (of === undefined) return [];
      const rows = await store.read((tx) => tx.list("dead", { index: "bySeq", prefix: [of], limit }));
      return rows.filter((row): row is DeadHead => readHead(row) !== undefined).map(letterOf);
    },
    retry: (ids) =>
      each(ids, async (tx, { dead, of }) => {
        const { code: _, message: _words, diedAt: _at, ...head } = dead;
        const state = await readState(tx, of);
        await tx.delete("dead", dead.seq);
        state.dead -= 1;
        const known = await tx.list("heads", { index: "byId", prefix: [of, dead.id], limit: 1 });
        if (known.length === 0) {
          await tx.put("heads", { ...head, queuedAt: now(), starts: 0 });
          state.waiting += 1;
          state.bytes += head.bytes;
        } else await tx.delete("bodies", dead.seq);
        await tx.put("state", state, of);
      }),
    discard: (ids) =>
      each(ids, async (tx, { dead, of }) => {
        const state = await readState(tx, of);
        await tx.delete("dead", dead.seq);
        await tx.delete("bodies", dead.seq);
        state.dead -= 1;
        tally(state, { "rejected-by-server": 1 });
        await tx.put("state", state, of);
      }),
  };

  async function each(
    ids: readonly string[],
    act: (tx: StoreTransaction, found: { dead: DeadHead; of: string }) => Promise<void>,
  ): Promise<number> {
    const of = await partition();
    if (of === undefined) return 0;
    return await store.write(async (tx) => {
      let found = 0;
      for (const id of new Set(ids)) {
        const [dead] = (await tx.list("dead", { index: "byId", prefix: [of, id], limit: 1 })) as DeadHead[];
        if (dead === undefined) continue;
        await act(tx, { dead, of });
        found += 1;
      }
      return found;
    });
  }
}

function letterOf({ id, rank, code, message, queuedAt, diedAt, attempts }: DeadHead): DeadLetter {
  return { id, kind: kindOf(rank), code, message, queuedAt, diedAt, attempts };
}
