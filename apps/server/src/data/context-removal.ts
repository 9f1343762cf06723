import { setTimeout as wait } from "node:timers/promises";
import type { UserDataStore } from "../contexts/context.store.js";
import type { Clock } from "../deps.js";
import { unavailable } from "../domain-error.js";
import type { UserFilters } from "../privacy/user-filters.js";
import type { ChosenContext } from "./data.store.js";

/** Contexts that one transaction deletes. */
export const sliceContexts = 500;
const attemptsMax = 50;
const waitMsMax = 50;

/**
 * Deletes chosen contexts of a user as DELETE does: out of the index, with tombstones, and told to who listens. One that was written again
 * since it was chosen stays. Answers how many were deleted.
 */
export type RemoveContexts = (userId: string, chosen: readonly ChosenContext[]) => Promise<number>;

export function createContextRemoval(options: { store: UserDataStore; filters: UserFilters; clock: Clock }): RemoveContexts {
  const { store, filters, clock } = options;
  return async (userId, chosen) => {
    const byId = new Map(chosen.map((context) => [context.contextId, context]));
    const contextIds = [...byId.keys()];
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const state = await store.load(userId, { messages: [], contextIds });
      const unchanged = state?.contexts.filter((stored) => isUnchanged(stored, byId.get(stored.contextId))) ?? [];
      if (!state || unchanged.length === 0) return 0;
      const now = clock();
      // Newer than the message that wrote it, whose clock may be ahead: no replay may bring it back.
      const removed = unchanged.map(({ contextId, writtenAt }) => ({ contextId, deletedAt: Math.max(now, writtenAt + 1) }));
      const { filter } = await filters.of(userId);
      const none = { created: [], replaced: [], viewed: [], revived: [], processed: [], extensions: [], errors: [] };
      if (await store.commit(userId, { ...none, removed, revision: state.revision, now, policy: filter.policyId })) return removed.length;
      await wait(Math.min(10 * (attempt + 1), waitMsMax) * Math.random());
    }
    throw unavailable("Other requests keep changing this user's data; try again shortly.", 1);
  };
}

/** Whether neither a message nor a new run of the filter has changed it since. */
const isUnchanged = (stored: ChosenContext, chosen: ChosenContext | undefined): boolean =>
  (["writtenAt", "type", "capturedAt", "privacyLevel", "url", "title"] as const).every((name) => stored[name] === chosen?.[name]);
