import type { Principal } from "../access/access.service.js";
import type { Clock } from "../deps.js";
import { WriteBehind } from "../workers/write-behind.js";
import type { ContextRead, ContextStore } from "./context.store.js";

export interface LastReadsOptions {
  store: Pick<ContextStore, "noteReads" | "lastRead">;
  clock: Clock;
  onFailure: (error: unknown) => void;
}

/**
 * Who read each context last. A read is an answer to a key that carries the content, whole or in parts. Reads are gathered in memory, so
 * that they cost nothing, and written by `flush`.
 */
export function createLastReads({ store, clock, onFailure }: LastReadsOptions) {
  const reads = new WriteBehind<ContextRead>({
    toKey: ({ contextId }) => contextId,
    merge: (one, other) => (other.at >= one.at ? other : one),
    write: (userId, items) => store.noteReads(userId, items),
    onFailure,
  });
  return {
    note: ({ userId, keyId }: Pick<Principal, "userId" | "keyId">, contextId: string) =>
      reads.add(userId, { contextId, keyId, at: clock() }),

    /** The last read of a context; null where none is known. Other processes write theirs within a minute. */
    async find(userId: string, contextId: string): Promise<Omit<ContextRead, "contextId"> | null> {
      const stored = await store.lastRead(userId, contextId);
      const own = reads.waiting(userId).find((read) => read.contextId === contextId);
      return own && own.at >= (stored?.at ?? 0) ? own : stored;
    },

    flush: () => reads.flush(),
  };
}
