import { countRows, inLedger, drop, stateKey, tally, type Report } from "./ledger.js";
import type { NewMessage } from "./message.js";
import { type DeadHead, type Head, isHead } from "./rows.js";
import { turnsKey } from "./site-turns.js";
import type { StoreTransaction } from "./store.js";

/** Rows of messages that wait or were given up. */
const tables = ["heads", "dead"] as const;

/**
 * Removes rows that cannot be understood, so that the rest moves on, and messages from before `oldest`, of whatever account. Resolves to how many rows were
 * damaged.
 */
export async function sweep(
  tx: StoreTransaction,
  reports: Report[],
  { account, oldest }: { account: string; oldest: number },
): Promise<number> {
  const damaged: Head[] = [];
  for (const table of tables)
    for (const row of await tx.all(table)) {
      if (!isHead(row)) {
        const { seq } = row as Head;
        await tx.delete(table, seq);
        await tx.delete("bodies", seq);
        damaged.push(row as Head);
      } else if (row.queuedAt < oldest) {
        const reason = table === "dead" ? "rejected-by-server" : "expired";
        await inLedger(tx, row.account, reports, (ledger) => drop(ledger, row, reason));
      }
    }
  for (const row of damaged) {
    await inLedger(tx, typeof row.account === "string" ? row.account : account, [], async (ledger) => {
      await countRows(ledger);
      tally(ledger.state, { corrupt: 1 });
    });
  }
  return damaged.length;
}

/** Removes messages that wait or were given up, of all accounts, and counts them as such. Resolves to how many there were. */
export async function removeMessages(tx: StoreTransaction, reports: Report[], where: (message: NewMessage) => boolean): Promise<number> {
  let count = 0;
  for (const table of tables) {
    for (const head of await tx.all(table)) {
      // One by one: all of them are megabytes.
      if (!isHead(head)) continue;
      const body = await tx.get("bodies", head.seq);
      if (!isMeant(where, () => JSON.parse(body as string) as NewMessage)) continue;
      await inLedger(tx, head.account, reports, (ledger) => drop(ledger, head, "removed"));
      count += 1;
    }
  }
  // It names sites.
  await tx.delete("state", turnsKey);
  return count;
}

/** Whether a message is one to be removed. One that cannot be told, as when it is damaged, is: it may be about what must not be kept. */
export function isMeant(where: (message: NewMessage) => boolean, read: () => NewMessage): boolean {
  try {
    return where(read());
  } catch {
    return true;
  }
}

/** Removes all that the store has of an account. Resolves to how many messages there were. */
export async function removeAccountRows(tx: StoreTransaction, account: string): Promise<number> {
  let count = 0;
  for (const table of tables) {
    for (const row of await tx.list(table, { index: "bySeq", prefix: [account] })) {
      const { seq } = row as DeadHead;
      await tx.delete(table, seq);
      await tx.delete("bodies", seq);
      count += 1;
    }
  }
  await tx.delete("state", stateKey(account));
  await tx.delete("state", turnsKey);
  return count;
}
