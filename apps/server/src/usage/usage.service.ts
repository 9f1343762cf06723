import type { Principal } from "../access/access.service.js";
import type { DataStore } from "../data/data.store.js";
import type { Clock } from "../deps.js";
import { WriteBehind } from "../workers/write-behind.js";
import type { UsageCount, UsageKind, UsageStore } from "./usage.store.js";
import { dayMs } from "../formats.js";

/** How long usage is kept, in days. */
export const usageDaysMax = 90;

export interface UsageServiceOptions {
  store: UsageStore;
  data: Pick<DataStore, "sizesByDay">;
  clock: Clock;
  onFailure: (error: unknown) => void;
}

/** Counts the requests of keys by day. They are counted in memory, so that they cost nothing, and written by `flush`. A crash loses what was counted since. */
export function createUsageService({ store, data, clock, onFailure }: UsageServiceOptions) {
  const today = () => Math.floor(clock() / dayMs);
  const counts = new WriteBehind<UsageCount>({
    toKey: ({ day, keyId, kind }) => `${day} ${keyId} ${kind}`,
    merge: (known, { requests, refused }) => ({ ...known, requests: known.requests + requests, refused: known.refused + refused }),
    write: (userId, items) => store.add(userId, items),
    onFailure,
  });

  return {
    /** Today's day of UTC, counted from the epoch. */
    today,

    count({ userId, keyId }: Pick<Principal, "userId" | "keyId">, kind: UsageKind, isRefused: boolean): void {
      counts.add(userId, { day: today(), keyId, kind, requests: 1, refused: isRefused ? 1 : 0 });
    },

    /** What was counted of a user in the last days, today included; a place may have several counts. Other processes write theirs within a minute. */
    async read(userId: string, days: number): Promise<UsageCount[]> {
      const since = today() - days + 1;
      const counted = counts.waiting(userId).filter(({ day }) => day >= since);
      return [...(await store.read(userId, since)), ...counted];
    },

    /** How many contexts were captured on each of the last days, and the bytes of their texts; days without any are left out. */
    stored: (userId: string, days: number) => data.sizesByDay(userId, today() - days + 1),

    /** Writes what was counted, and waits for an earlier call. Never rejects. */
    flush: () => counts.flush(),

    /** Drops what is older than {@link usageDaysMax} days. */
    prune: () => store.prune(today() - usageDaysMax + 1),
  };
}
