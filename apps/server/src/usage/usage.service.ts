import type { Principal } from "../access/access.service.js";
import type { DataStore } from "../data/data.store.js";
import type { Clock } from "../deps.js";
import type { UsageCount, UsageKind, UsageStore } from "./usage.store.js";

/** How long usage is kept, in days. */
export const usageDaysMax = 90;

const dayMs = 86_400_000;

export interface UsageServiceOptions {
  store: UsageStore;
  data: Pick<DataStore, "sizesByDay">;
  clock: Clock;
  /** Called when counts could not be written. They are kept, and written with the next ones. */
  onFailure: (error: unknown) => void;
}

/** Counts the requests of keys by day. */
export type UsageService = ReturnType<typeof createUsageService>;

/** Requests are counted in memory, so that they cost nothing, and written by `flush`. A crash loses what was counted since. */
export function createUsageService({ store, data, clock, onFailure }: UsageServiceOptions) {
  /** By user, then by day, key and kind. */
  let waiting = new Map<string, Map<string, UsageCount>>();
  let writing = Promise.resolve();
  const today = () => Math.floor(clock() / dayMs);

  const add = (userId: string, { day, keyId, kind, requests, refused }: UsageCount) => {
    let counts = waiting.get(userId);
    if (!counts) waiting.set(userId, (counts = new Map()));
    const place = `${day} ${keyId} ${kind}`;
    const count = counts.get(place);
    if (!count) return void counts.set(place, { day, keyId, kind, requests, refused });
    count.requests += requests;
    count.refused += refused;
  };

  const write = async (): Promise<void> => {
    const taken = waiting;
    waiting = new Map();
    for (const [userId, counts] of taken) {
      const values = [...counts.values()];
      await store.add(userId, values).catch((error: unknown) => {
        for (const count of values) add(userId, count);
        onFailure(error);
      });
    }
  };

  return {
    /** Today's day of UTC, counted from the epoch. */
    today,

    /** Counts one request. */
    count({ userId, keyId }: Pick<Principal, "userId" | "keyId">, kind: UsageKind, isRefused: boolean): void {
      add(userId, { day: today(), keyId, kind, requests: 1, refused: isRefused ? 1 : 0 });
    },

    /** What was counted of a user in the last days, today included; a place may have several counts. Other processes write theirs within a minute. */
    async read(userId: string, days: number): Promise<UsageCount[]> {
      const since = today() - days + 1;
      const counted = [...(waiting.get(userId)?.values() ?? [])].map((count) => ({ ...count }));
      return [...(await store.read(userId, since)), ...counted.filter(({ day }) => day >= since)];
    },

    /** How many contexts were captured on each of the last days, and the bytes of their texts; days without any are left out. */
    stored: (userId: string, days: number) => data.sizesByDay(userId, today() - days + 1),

    /** Writes what was counted, and waits for an earlier call. Never rejects. */
    flush: () => (writing = writing.then(write)),

    /** Drops what is older than {@link usageDaysMax} days. */
    prune: () => store.prune(today() - usageDaysMax + 1),
  };
}
