import { limits, type PrivacyLevel } from "@periscope/schemas";
import type { StoredContext } from "../contexts/context.store.js";
import type { MessageKey, SyncChanges, SyncTransaction, WrittenContext } from "../contexts/sync.store.js";
import type { RulesEdition } from "../privacy/rules.store.js";
import { toRow } from "./context-row.js";
import type { Context, Prisma, ProcessedMessage as ProcessedRow } from "./generated/sqlite/client.js";
import { writeErrors, writeExtension } from "./extension-rows.js";

/** A processed message as a driver gives it. */
export type StoredMessage = Omit<ProcessedRow, "userId" | "processedAt"> & { processedAt: number };

/** The statements of a transaction that every sync makes: how they are fastest differs by engine. */
export interface SyncStatements {
  processed(userId: string, keys: readonly MessageKey[]): Promise<StoredMessage[]>;
  contexts(userId: string, contextIds: readonly string[]): Promise<StoredContext[]>;
  tombstones(userId: string, contextIds: readonly string[]): Promise<Map<string, number>>;
  rulesEdition(userId: string): Promise<RulesEdition | null>;
  /** Forgets how far what is stored has been filtered again under any other policy. */
  forgetProgress(userId: string, policy: string): Promise<void>;
  insertContexts(rows: ReadonlyArray<Omit<Context, "seq">>): Promise<void>;
  insertProcessed(rows: readonly ProcessedRow[]): Promise<void>;
  /** Gives contexts that were written just now their place in the search index. */
  indexContexts(userId: string, contexts: readonly WrittenContext[]): Promise<void>;
}

/** One user's part of an open transaction; `statements` run in the same one. */
export function syncTransaction(tx: Prisma.TransactionClient, statements: SyncStatements, userId: string): SyncTransaction {
  return {
    async processed(keys) {
      const messages = await statements.processed(userId, keys);
      return messages.map((message) => ({ ...message, privacyLevel: message.privacyLevel as PrivacyLevel }));
    },
    contexts: (contextIds) => statements.contexts(userId, contextIds),
    tombstones: (contextIds) => statements.tombstones(userId, contextIds),
    rulesEdition: () => statements.rulesEdition(userId),

    async write(changes, now, policy) {
      await statements.forgetProgress(userId, policy);
      await writeContexts(tx, userId, changes);
      await statements.insertContexts(changes.created.map(toRow));
      const written = [...changes.created, ...changes.replaced];
      if (written.length > 0) await statements.indexContexts(userId, written);
      await writeTombstones(tx, userId, changes, now);
      for (const extension of changes.extensions) await writeExtension(tx, userId, extension);
      if (changes.errors.length > 0) await writeErrors(tx, userId, changes.errors, limits.extensionErrorsMax);
      const processedAt = new Date(now);
      await statements.insertProcessed(changes.processed.map((message) => ({ ...message, userId, processedAt })));
    },
  };
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
