import { removeHead } from "./evict.js";
import type { NewMessage } from "./message.js";
import { type PartitionState, readState, tally } from "./partition-state.js";
import { readHead } from "./rows.js";
import { turnsKey } from "./site-turns.js";
import type { StoreTransaction } from "./store.js";

/**
 * Deletes messages that wait or were given up, of all accounts, and counts them as blocked. A message that is on its way meanwhile arrives, and its
 * answer finds nothing to do. Resolves to how many there were.
 */
export async function withdraw(tx: StoreTransaction, isMeant: (message: NewMessage) => boolean): Promise<number> {
  const states = new Map<string, PartitionState>();
  let count = 0;
  for (const table of ["heads", "dead"] as const) {
    for (const row of await tx.all(table)) {
      const head = readHead(row);
      // One by one: all of them are megabytes.
      if (head === undefined || !isMeantBody(await tx.get("bodies", head.seq), isMeant)) continue;
      const { partition, seq } = head;
      const state = states.get(partition) ?? (await readState(tx, partition));
      states.set(partition, state);
      if (table === "heads") await removeHead(tx, state, head);
      else {
        await tx.delete("dead", seq);
        await tx.delete("bodies", seq);
        state.dead -= 1;
      }
      tally(state, { blocked: 1 });
      count += 1;
    }
  }
  for (const [partition, state] of states) await tx.put("state", state, partition);
  // It names sites.
  await tx.delete("state", turnsKey);
  return count;
}

/** What is asked of a message that it cannot be told of counts as a yes: it is about what must not be kept. */
function isMeantBody(body: unknown, isMeant: (message: NewMessage) => boolean): boolean {
  try {
    return isMeant(JSON.parse(body as string) as NewMessage);
  } catch {
    return true;
  }
}
