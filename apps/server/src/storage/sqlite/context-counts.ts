import type { Database, Statement } from "better-sqlite3";
import type { ReadScope } from "../../access/scope.js";
import type { ContextStore, HistoryFilter } from "../../contexts/context.store.js";
import { contextGroups, type ContextGroup, countedMin, groupsOf } from "../context-groups.js";
import type { WriteQueue } from "./write-queue.js";

interface Counted extends ContextGroup {
  contexts: number;
}

/** How many contexts users have by type and level, kept by triggers once they have been counted. */
export class ContextCounts {
  readonly #queue: WriteQueue;
  readonly #counted: Statement<[string], Counted>;
  readonly #contexts: Statement<[string], number>;
  /** Users who are being counted. */
  readonly #busy = new Set<string>();

  /** @param reader whoever opened it closes it */
  constructor(reader: Database, queue: WriteQueue) {
    this.#queue = queue;
    this.#counted = reader.prepare("SELECT type, privacyLevel, contexts FROM context_counts WHERE userId = ?");
    this.#contexts = reader.prepare<[string], number>("SELECT contexts FROM search_owners WHERE userId = ?").pluck();
  }

  /** A page of history by `read`, which counts when its filter has no total. */
  async history(scope: ReadScope, filter: HistoryFilter, read: ContextStore["history"]): ReturnType<ContextStore["history"]> {
    const groups = filter.knownTotal === undefined ? groupsOf(scope, filter) : undefined;
    if (!groups) return await read(scope, filter);
    const knownTotal = this.#total(scope.userId, groups);
    if (knownTotal === undefined) this.#begin(scope.userId);
    return await read(scope, { ...filter, knownTotal });
  }

  /** Undefined when the user has not been counted, or not by all types that there are. */
  #total(userId: string, groups: readonly ContextGroup[]): number | undefined {
    const counted = this.#counted.all(userId);
    if (counted.length === 0) return undefined;
    const counts = new Map(counted.map(({ type, privacyLevel, contexts }) => [`${type} ${privacyLevel}`, contexts]));
    if (contextGroups.some(({ type, privacyLevel }) => !counts.has(`${type} ${privacyLevel}`))) return undefined;
    return groups.reduce((sum, { type, privacyLevel }) => sum + (counts.get(`${type} ${privacyLevel}`) ?? 0), 0);
  }

  /** Counts a user of many contexts, for whoever asks next. */
  #begin(userId: string): void {
    if (this.#busy.has(userId) || (this.#contexts.get(userId) ?? 0) < countedMin) return;
    this.#busy.add(userId);
    const groups = JSON.stringify(contextGroups);
    const counting = this.#queue.run(
      (tx) => tx.$executeRaw`
        INSERT OR REPLACE INTO context_counts (userId, type, privacyLevel, contexts)
        SELECT ${userId}, g.value ->> 'type', g.value ->> 'privacyLevel', coalesce(c.contexts, 0) FROM json_each(${groups}) g
        LEFT JOIN (SELECT type, privacyLevel, count(*) AS contexts FROM contexts WHERE userId = ${userId} GROUP BY type, privacyLevel) c
          ON c.type = g.value ->> 'type' AND c.privacyLevel = g.value ->> 'privacyLevel'
        WHERE EXISTS (SELECT 1 FROM users WHERE userId = ${userId})`,
    );
    // Without it the next page is counted as this one was.
    void counting.catch(() => {}).finally(() => this.#busy.delete(userId));
  }
}
