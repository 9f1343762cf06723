import { isAtMost } from "@periscope/privacy";
import type { ReadBounds } from "../access/access.store.js";
import type { Clock } from "../deps.js";
import type { UserFilters } from "../privacy/user-filters.js";
import type { PerUserQueue } from "../workers/per-user-queue.js";
import { changeUserData, noChanges } from "./change-user-data.js";
import type { ContextSummary, StoredContext, UserDataStore } from "./context.store.js";

/** A context as it was when it was chosen to be deleted. */
export interface ChosenContext extends ContextSummary, Pick<StoredContext, "writtenAt"> {}

/** Contexts that one transaction deletes. */
export const sliceContexts = 500;

/** Deletes contexts of a user: out of the index, with tombstones, and announced on the live channel. */
export type ContextRemoval = ReturnType<typeof createContextRemoval>;

export interface ContextRemovalOptions {
  store: UserDataStore;
  filters: UserFilters;
  /** In which the syncs and deletions of a user take turns. */
  queue: Pick<PerUserQueue, "run">;
  clock: Clock;
}

export function createContextRemoval({ store, filters, queue, clock }: ContextRemovalOptions) {
  /** Deletes the contexts that match now. Returns how many. */
  const remove = (userId: string, contextIds: string[], shouldRemove: (stored: StoredContext) => boolean): Promise<number> =>
    queue.run(userId, () =>
      changeUserData(store, userId, { messages: [], contextIds }, async (state) => {
        const found = state?.contexts.filter(shouldRemove) ?? [];
        if (found.length === 0) return { result: 0 };
        const now = clock();
        // Newer than the message that wrote it, whose clock may be ahead: no replay may bring it back.
        const removed = found.map(({ contextId, writtenAt }) => ({ contextId, deletedAt: Math.max(now, writtenAt + 1) }));
        const { filter } = await filters.of(userId);
        return { result: removed.length, changes: { ...noChanges, removed, now, policy: filter.policyId } };
      }),
    );
  return {
    /** Deletes one context, however it has changed. Answers whether there was one that the key may see. */
    removeOne: async ({ userId, maxPrivacyLevel }: ReadBounds, contextId: string): Promise<boolean> =>
      (await remove(userId, [contextId], ({ privacyLevel }) => isAtMost(privacyLevel, maxPrivacyLevel))) > 0,

    /** Deletes chosen contexts. One that was written again since it was chosen stays. Answers how many were deleted. */
    removeUnchanged(userId: string, chosen: readonly ChosenContext[]): Promise<number> {
      const byId = new Map(chosen.map((context) => [context.contextId, context]));
      return remove(userId, [...byId.keys()], (stored) => isUnchanged(stored, byId.get(stored.contextId)));
    },
  };
}

/** Whether neither a message nor a new run of the filter has changed it since. */
const isUnchanged = (stored: ChosenContext, chosen: ChosenContext | undefined): boolean =>
  (["writtenAt", "type", "capturedAt", "privacyLevel", "url", "title"] as const).every((name) => stored[name] === chosen?.[name]);
