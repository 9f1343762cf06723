import { removeDead, removeHead } from "./evict.js";
import type { NewMessage } from "./message.js";
import { changeState, type DeadHead, deleteState, readHead, tally } from "./rows.js";
import { turnsKey } from "./site-turns.js";
import type { StoreTransaction } from "./store.js";

/** Removes messages that wait or were given up, of all accounts, and counts them as such. Resolves to how many there were. */
export async function removeMessages(tx: StoreTransaction, where: (message: NewMessage) => boolean): Promise<number> {
  let count = 0;
  for (const table of ["heads", "dead"] as const) {
    for (const row of await tx.all(table)) {
      const head = readHead(row);
      // One by one: all of them are megabytes.
      if (head === undefined || !isMeant(await tx.get("bodies", head.seq), where)) continue;
      await changeState(tx, head.account, async (state) => {
        if (table === "heads") await removeHead(tx, state, head);
        else await removeDead(tx, state, head as DeadHead);
        tally(state, { removed: 1 });
      });
      count += 1;
    }
  }
  // It names sites.
  await tx.delete("state", turnsKey);
  return count;
}

/** A message that cannot be told counts as meant: it is about what must not be kept. */
function isMeant(body: unknown, where: (message: NewMessage) => boolean): boolean {
  try {
    return where(JSON.parse(body as string) as NewMessage);
  } catch {
    return true;
  }
}

/** Removes all that the store has of an account. Resolves to how many messages there were. */
export async function removeAccountRows(tx: StoreTransaction, account: string): Promise<number> {
  let count = 0;
  for (const table of ["heads", "dead"] as const) {
    for (const row of await tx.list(table, { index: "bySeq", prefix: [account] })) {
      const { seq } = row as DeadHead;
      await tx.delete(table, seq);
      await tx.delete("bodies", seq);
      count += 1;
    }
  }
  await deleteState(tx, account);
  await tx.delete("state", turnsKey);
  return count;
}
