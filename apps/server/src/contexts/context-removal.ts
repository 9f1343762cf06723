import type { Clock } from "../deps.js";
import type { UserFilters } from "../privacy/user-filters.js";
import { PerUserQueue } from "../workers/per-user-queue.js";
import { changeUserData, noChanges } from "./change-user-data.js";
import type { ContextSummary, StoredContext, UserDataStore } from "./context.store.js";

/** A context as it was when it was chosen to be deleted. */
export interface ChosenContext extends ContextSummary, Pick<StoredContext, "writtenAt"> {}

/** Contexts that one transaction deletes. */
export const sliceContexts = 500;

/**
 * Deletes chosen contexts of a user: out of the index, with tombstones, and told to who listens. One that was written again since it was
 * chosen stays. Answers how many were deleted.
 */
export type RemoveContexts = (userId: string, chosen: readonly ChosenContext[]) => Promise<number>;

export function createContextRemoval(options: { store: UserDataStore; filters: UserFilters; clock: Clock }): RemoveContexts {
  const { store, filters, clock } = options;
  const queue = new PerUserQueue();
  const remove: RemoveContexts = (userId, chosen) => {
    const byId = new Map(chosen.map((context) => [context.contextId, context]));
    return changeUserData(store, userId, { messages: [], contextIds: [...byId.keys()] }, async (state) => {
      const unchanged = state?.contexts.filter((stored) => isUnchanged(stored, byId.get(stored.contextId))) ?? [];
      if (unchanged.length === 0) return { result: 0 };
      const now = clock();
      // Newer than the message that wrote it, whose clock may be ahead: no replay may bring it back.
      const removed = unchanged.map(({ contextId, writtenAt }) => ({ contextId, deletedAt: Math.max(now, writtenAt + 1) }));
      const { filter } = await filters.of(userId);
      return { result: removed.length, changes: { ...noChanges, removed, now, policy: filter.policyId } };
    });
  };
  return (userId, chosen) => queue.run(userId, () => remove(userId, chosen));
}

/** Whether neither a message nor a new run of the filter has changed it since. */
const isUnchanged = (stored: ChosenContext, chosen: ChosenContext | undefined): boolean =>
  (["writtenAt", "type", "capturedAt", "privacyLevel", "url", "title"] as const).every((name) => stored[name] === chosen?.[name]);
