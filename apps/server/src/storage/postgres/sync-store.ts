import { limits } from "@periscope/schemas";
import type pg from "pg";
import type { ProcessedMessage, SyncChanges, SyncStore, SyncTransaction } from "../../contexts/sync.store.js";
import { DomainError } from "../../domain-error.js";
import type { RulesEdition } from "../../privacy/rules.store.js";
import { fromRow, type RawRow } from "../context-row.js";
import { forgetProgress } from "./apply-statements.js";
import { binaryArray } from "./binary-array.js";
import { toArrays } from "./context-columns.js";
import { addedToCounts, addToCounts, takeFromCounts } from "./context-counts.js";
import { type Connection, rowsOf, type Statement } from "./pool.js";
import { additions, removals } from "./search-index.js";
import * as statements from "./sync-statements.js";
import { transact, type Transaction } from "./transaction.js";
import type { UserTurns } from "./user-turns.js";

/**
 * Syncs of a user queue, in this process and by a lock on the user's row in all others: each sees what the one before has left.
 * Flushes to disk are shared among users by PostgreSQL itself.
 */
export function createSyncStore(pool: pg.Pool, turns: UserTurns): SyncStore {
  return {
    transact: (userId, work) =>
      turns.take(userId, () => transact(pool, lockOf(userId), (transaction) => work(syncTransaction(transaction, userId)))),
  };
}

/** What a transaction of a user's writer starts with. Throws `unauthorized` when the user was deleted meanwhile. */
export function lockOf(userId: string): Parameters<typeof transact>[1] {
  return {
    statement: statements.lockUser,
    values: [userId],
    check(found) {
      if (!found) throw new DomainError("unauthorized", "The user of this key has been deleted; use the key of another.");
    },
  };
}

function syncTransaction({ connection, send }: Transaction, userId: string): SyncTransaction {
  return {
    processed: (keys) =>
      rowsOf<ProcessedMessage>(connection, statements.readProcessed, [
        userId,
        keys.map(({ extensionId }) => extensionId),
        keys.map(({ messageId }) => messageId),
      ]),
    contexts: async (contextIds) => (await rowsOf<RawRow>(connection, statements.readContexts, [userId, contextIds])).map(fromRow),
    async tombstones(contextIds) {
      const rows = await rowsOf<{ contextId: string; deletedAt: number }>(connection, statements.readTombstones, [userId, contextIds]);
      return new Map(rows.map(({ contextId, deletedAt }) => [contextId, deletedAt]));
    },
    rulesEdition: () => rulesEditionOf(connection, userId),
    async write(changes, now, policy) {
      send(forgetProgress, [userId, policy]);
      const { created, replaced, removed } = changes;
      const ids = [...replaced, ...removed].map(({ contextId }) => contextId);
      if (ids.length > 0) send(takeFromCounts, [userId, ids]);
      for (const [statement, values] of removals(userId, ids)) send(statement, values);
      for (const [statement, ...values] of writesOf(changes, now)) send(statement, [userId, ...values]);
      const written = [...replaced, ...created];
      for (const [statement, values] of additions(userId, written)) send(statement, values);
      if (written.length > 0) send(addToCounts, addedToCounts(userId, written));
    },
  };
}

/** Which rules the user has, read in the transaction of the connection or as of now. */
export async function rulesEditionOf(connection: pg.Pool | Connection, userId: string): Promise<RulesEdition | null> {
  const [row] = await rowsOf<RulesEdition>(connection, statements.readRulesEdition, [userId]);
  return row ?? null;
}

type Write = readonly [statement: Statement, ...values: unknown[]];

/** The statements that make the changes, in their order; the user goes first among the values of each. */
function* writesOf(changes: SyncChanges, now: number): Generator<Write> {
  const { created, replaced, removed, revived, viewed, processed, extensions, errors } = changes;
  const removedIds = removed.map(({ contextId }) => contextId);
  if (removed.length > 0) yield [statements.deleteContexts, removedIds];
  if (replaced.length > 0) yield [statements.replaceContexts, ...toArrays(replaced)];
  if (viewed.length > 0)
    yield [statements.markViewed, viewed.map(({ contextId }) => contextId), viewed.map(({ lastSeenAt }) => lastSeenAt)];
  if (created.length > 0) yield [statements.insertContexts, ...toArrays(created)];
  if (revived.length > 0) yield [statements.deleteTombstones, revived];
  if (removed.length > 0) yield [statements.writeTombstones, removedIds, removed.map(({ deletedAt }) => deletedAt), now];
  if (extensions.length > 0)
    yield [
      statements.writeExtensions,
      extensions.map(({ extensionId }) => extensionId),
      extensions.map(({ lastSeenAt }) => lastSeenAt),
      extensions.map(({ config }) => config?.json ?? null),
      extensions.map(({ config }) => config?.at ?? null),
    ];
  if (errors.length > 0) {
    yield [
      statements.insertErrors,
      errors.map(({ extensionId }) => extensionId),
      errors.map(({ code }) => code),
      errors.map(({ message }) => message),
      errors.map(({ details }) => details),
      errors.map(({ occurredAt }) => occurredAt),
    ];
    yield [statements.trimErrors, limits.extensionErrorsMax];
  }
  if (processed.length > 0)
    yield [
      statements.insertProcessed,
      ...[
        processed.map(({ extensionId }) => extensionId),
        processed.map(({ messageId }) => messageId),
        processed.map(({ fingerprint }) => fingerprint),
        processed.map(({ privacyLevel }) => privacyLevel),
        processed.map(({ result }) => result),
      ].map((column) => binaryArray("text[]", column)),
      now,
    ];
}
