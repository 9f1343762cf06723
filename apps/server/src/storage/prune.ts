import type { Prisma } from "./generated/sqlite/client.js";

/** Rows that one transaction removes: a slice of a few milliseconds, after which others get their turn. */
const sliceRows = 1000;

type Write = <T>(work: (tx: Prisma.TransactionClient) => Promise<T>) => Promise<T>;

/** Forgets replay records and tombstones stored before `before`, slice by slice, until none is left or `isClosing`. */
export async function prune(write: Write, before: number, isClosing: () => boolean): Promise<void> {
  const slices: Array<(tx: Prisma.TransactionClient) => Promise<number>> = [
    (tx) => tx.$executeRaw`DELETE FROM processed_messages WHERE ("userId", "extensionId", "messageId") IN
      (SELECT "userId", "extensionId", "messageId" FROM processed_messages WHERE "processedAt" < ${before} LIMIT ${sliceRows})`,
    (tx) => tx.$executeRaw`DELETE FROM tombstones WHERE ("userId", "contextId") IN
      (SELECT "userId", "contextId" FROM tombstones WHERE "storedAt" < ${before} LIMIT ${sliceRows})`,
  ];
  for (const slice of slices) while (!isClosing() && (await write(slice)) === sliceRows);
}
