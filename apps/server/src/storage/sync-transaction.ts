import { limits, type PrivacyLevel } from "@periscope/schemas";
import type { MessageKey, SyncChanges, SyncTransaction } from "../contexts/sync.store.js";
import { fromRow, toRow } from "./context-row.js";
import type { Context, Prisma, ProcessedMessage as ProcessedRow } from "./generated/sqlite/client.js";
import { writeErrors, writeExtension } from "./extension-rows.js";

/** Inserts of many rows at once: how differs by engine. */
export interface BulkInserts {
  contexts(tx: Prisma.TransactionClient, rows: ReadonlyArray<Omit<Context, "seq">>): Promise<void>;
  processedMessages(tx: Prisma.TransactionClient, rows: readonly ProcessedRow[]): Promise<void>;
}

/** One user's part of an open transaction. */
export function syncTransaction(tx: Prisma.TransactionClient, userId: string, bulk: BulkInserts): SyncTransaction {
  return {
    async processed(keys) {
      const rows = await tx.processedMessage.findMany({ where: { userId, OR: groupByExtension(keys) } });
      return rows.map((row) => ({ ...row, privacyLevel: row.privacyLevel as PrivacyLevel, processedAt: row.processedAt.getTime() }));
    },

    async contexts(contextIds) {
      const rows = await tx.context.findMany({ where: { userId, contextId: { in: [...contextIds] } } });
      return rows.map(fromRow);
    },

    async tombstones(contextIds) {
      const rows = await tx.tombstone.findMany({ where: { userId, contextId: { in: [...contextIds] } } });
      return new Map(rows.map(({ contextId, deletedAt }) => [contextId, deletedAt.getTime()]));
    },

    async write(changes, now) {
      await writeContexts(tx, userId, changes);
      await bulk.contexts(tx, changes.created.map(toRow));
      await writeTombstones(tx, userId, changes, now);
      for (const extension of changes.extensions) await writeExtension(tx, userId, extension);
      if (changes.errors.length > 0) await writeErrors(tx, userId, changes.errors, limits.extensionErrorsMax);
      const processedAt = new Date(now);
      await bulk.processedMessages(
        tx,
        changes.processed.map((message) => ({ ...message, userId, processedAt })),
      );
    },
  };
}

function groupByExtension(keys: readonly MessageKey[]): Prisma.ProcessedMessageWhereInput[] {
  return [...Map.groupBy(keys, ({ extensionId }) => extensionId)].map(([extensionId, group]) => ({
    extensionId,
    messageId: { in: group.map(({ messageId }) => messageId) },
  }));
}

async function writeContexts(tx: Prisma.TransactionClient, userId: string, changes: SyncChanges): Promise<void> {
  const { replaced, viewed, removed } = changes;
  if (removed.length > 0) await tx.context.deleteMany({ where: { userId, contextId: { in: removed.map(({ contextId }) => contextId) } } });
  for (const context of replaced) {
    const { userId: _user, contextId, ...data } = toRow(context);
    await tx.context.update({ where: { userId_contextId: { userId, contextId } }, data, select: { seq: true } });
  }
  for (const { contextId, lastSeenAt } of viewed)
    await tx.context.updateMany({ where: { userId, contextId }, data: { lastSeenAt: new Date(lastSeenAt) } });
}

async function writeTombstones(
  tx: Prisma.TransactionClient,
  userId: string,
  { removed, revived }: SyncChanges,
  now: number,
): Promise<void> {
  const gone = [...revived, ...removed.map(({ contextId }) => contextId)];
  if (gone.length === 0) return;
  await tx.tombstone.deleteMany({ where: { userId, contextId: { in: gone } } });
  const storedAt = new Date(now);
  if (removed.length > 0)
    await tx.tombstone.createMany({
      data: removed.map(({ contextId, deletedAt }) => ({ userId, contextId, deletedAt: new Date(deletedAt), storedAt })),
    });
}
