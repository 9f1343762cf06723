import type { Clock } from "../deps.js";
import type { AccessStore, KeyUses } from "./access.store.js";

export interface FirstUsesOptions {
  store: Pick<AccessStore, "noteUse" | "findUses">;
  clock: Clock;
  /** Called when a first use could not be written; the next use is tried again. */
  onFailure: (error: unknown) => void;
}

/** Uses that this process knows to be written. */
const notedMax = 10_000;

/** What a person's keys have been used for, so that the first steps in the portal are seen to happen. Nothing else depends on it. */
export type FirstUses = ReturnType<typeof createFirstUses>;

export function createFirstUses({ store, clock, onFailure }: FirstUsesOptions) {
  const noted = new Set<string>();
  return {
    /** Notes a use. Only the first one of a user that this process sees is written; no request waits for it. */
    note(userId: string, use: keyof KeyUses): void {
      const place = `${use} ${userId}`;
      if (noted.has(place)) return;
      if (noted.size >= notedMax) noted.clear();
      noted.add(place);
      store.noteUse(userId, use, clock()).catch((error: unknown) => {
        noted.delete(place);
        onFailure(error);
      });
    },
    find: (userId: string): Promise<KeyUses> => store.findUses(userId),
  };
}
