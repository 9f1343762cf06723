import { Prisma } from "./generated/sqlite/client.js";

/** Removes a user's context and leaves a tombstone newer than what it removes, so that no replay brings it back. */
export async function removeContext(
  tx: Prisma.TransactionClient,
  { userId, contextId }: { userId: string; contextId: string },
  at: number,
): Promise<"removed" | "missing" | "foreign"> {
  const id = { userId_contextId: { userId, contextId } };
  const stored = await tx.context.findUnique({ where: id, select: { writtenAt: true } });
  if (!stored) {
    const found = await tx.$queryRaw<unknown[]>(ofAnyUser(contextId));
    return found.length > 0 ? "foreign" : "missing";
  }
  await tx.context.delete({ where: id, select: { seq: true } });
  // A message of the tombstone's own time is newer than it: one of the time that wrote the context must not be.
  const deletedAt = new Date(Math.max(at, stored.writtenAt.getTime() + 1));
  const times = { deletedAt, storedAt: new Date(at) };
  await tx.tombstone.upsert({ where: id, create: { userId, contextId, ...times }, update: times });
  return "removed";
}

/** One row when any user has the context: each user's keys are looked up, where a search by the id alone would read them all. */
export function ofAnyUser(contextId: string): Prisma.Sql {
  return Prisma.sql`SELECT 1 AS found FROM users WHERE EXISTS
    (SELECT 1 FROM contexts WHERE contexts."userId" = users."userId" AND contexts."contextId" = ${contextId}) LIMIT 1`;
}
