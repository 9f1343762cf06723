import { changeAccount, type Ledger, drop, revive } from "./ledger.js";
import { type MessageKind, kindOf } from "./message.js";
import type { Settings } from "./options.js";
import type { DeadHead } from "./rows.js";

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
export function deadLettersOf(settings: Settings): DeadLetters {
  const { account, store } = settings;
  return {
    async list(limit) {
      const of = await account();
      if (of === null) return [];
      const rows = await store.read((tx) => tx.list("dead", { index: "bySeq", prefix: [of], limit }));
      return (rows as DeadHead[]).map(letterOf);
    },
    retry: (ids) => each(ids, revive),
    discard: (ids) => each(ids, (ledger, dead) => drop(ledger, dead, "rejected-by-server")),
  };

  async function each(ids: readonly string[], act: (ledger: Ledger, dead: DeadHead) => Promise<void>): Promise<number> {
    const of = await account();
    if (of === null) return 0;
    return await changeAccount(settings, of, async (ledger) => {
      let found = 0;
      for (const id of new Set(ids)) {
        const [dead] = (await ledger.tx.list("dead", { index: "byId", prefix: [of, id], limit: 1 })) as DeadHead[];
        if (dead === undefined) continue;
        await act(ledger, dead);
        found += 1;
      }
      return found;
    });
  }
}

function letterOf(dead: DeadHead): DeadLetter {
  const { account: _account, seq: _seq, mergeKey: _key, site: _site, bytes: _bytes, starts: _starts, rank, ...letter } = dead;
  return { ...letter, kind: kindOf(rank) };
}
