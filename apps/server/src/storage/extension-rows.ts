import type { ExtensionErrorRecord, ExtensionState } from "../contexts/sync.store.js";
import type { Prisma } from "./generated/sqlite/client.js";

/** Moves an extension instance forward: the later time it was seen, the newer config. */
export async function writeExtension(tx: Prisma.TransactionClient, userId: string, state: ExtensionState): Promise<void> {
  const { extensionId, config } = state;
  const id = { userId_extensionId: { userId, extensionId } };
  const stored = await tx.extension.findUnique({ where: id });
  const lastSeenAt = new Date(Math.max(state.lastSeenAt, stored?.lastSeenAt.getTime() ?? state.lastSeenAt));
  const isNewer = config && config.at >= (stored?.configAt?.getTime() ?? config.at);
  const data = { lastSeenAt, ...(isNewer && { config: config.json, configAt: new Date(config.at) }) };
  if (stored) await tx.extension.update({ where: id, data });
  else await tx.extension.create({ data: { userId, extensionId, ...data } });
}

/** Appends errors, and forgets the user's oldest past `keepMax`. */
export async function writeErrors(
  tx: Prisma.TransactionClient,
  userId: string,
  errors: readonly ExtensionErrorRecord[],
  keepMax: number,
): Promise<void> {
  await tx.extensionError.createMany({ data: errors.map((error) => ({ ...error, userId, occurredAt: new Date(error.occurredAt) })) });
  const [oldestKept] = await tx.extensionError.findMany({
    where: { userId },
    orderBy: { seq: "desc" },
    skip: keepMax - 1,
    take: 1,
    select: { seq: true },
  });
  if (oldestKept) await tx.extensionError.deleteMany({ where: { userId, seq: { lt: oldestKept.seq } } });
}
