import type { NewMessage } from "./message.js";
import type { Limits } from "./options.js";
import { type AccountState, changeState, countRows, type DeadHead, deleteState, type Head, isHead, sumBytes, tally } from "./rows.js";
import { turnsKey } from "./site-turns.js";
import type { StoreTransaction } from "./store.js";

export async function removeHead(tx: StoreTransaction, state: AccountState, head: Head): Promise<void> {
  await tx.delete("heads", head.seq);
  await tx.delete("bodies", head.seq);
  state.waiting -= 1;
  state.bytes -= head.bytes;
}

/** The part of the queue that messages from pages of one site may take. */
const siteShare = 1 / 4;

/**
 * Makes room, first within the share of `site`, the site of the page that the added message came from. The lowest rank goes first, then the oldest. Messages
 * that were never sent go before those that were, so that what is counted as lost is not on the service.
 */
export async function evict(
  tx: StoreTransaction,
  state: AccountState,
  { account, limits, site }: { account: string; limits: Limits; site: string | undefined },
): Promise<Head[]> {
  const share = { items: limits.items * siteShare, bytes: limits.bytes * siteShare };
  const least = site === undefined ? limits : share;
  if (state.waiting <= least.items && state.bytes <= least.bytes) return [];
  const evicted: Head[] = [];
  const heads = await countHeads(tx, state, account);
  heads.sort((one, other) => one.rank - other.rank || Number(one.attempts > 0) - Number(other.attempts > 0) || one.seq - other.seq);
  // The last one of a site stays, however small its share is.
  const own = heads.filter((head) => site !== undefined && head.site === site);
  await shrink(own, share, 1);
  await shrink(
    heads.filter((head) => !evicted.includes(head)),
    limits,
    0,
  );
  if (evicted.length > 0) tally(state, { full: evicted.length });
  return evicted;

  async function shrink(from: Head[], bounds: Pick<Limits, "items" | "bytes">, countMin: number): Promise<void> {
    let bytes = sumBytes(from);
    while (from.length > countMin && (from.length > bounds.items || bytes > bounds.bytes)) {
      const head = from.shift() as Head;
      await removeHead(tx, state, head);
      bytes -= head.bytes;
      evicted.push(head);
    }
  }
}

/** Counts what waits: after damage the rows are what there is. */
async function countHeads(tx: StoreTransaction, state: AccountState, account: string): Promise<Head[]> {
  const heads = (await tx.list("heads", { index: "bySeq", prefix: [account] })) as Head[];
  state.waiting = heads.length;
  state.bytes = sumBytes(heads);
  return heads;
}

/** Removes rows that cannot be understood, so that the rest moves on. Resolves to how many there were. */
export async function sweep(tx: StoreTransaction, account: string): Promise<number> {
  const damaged: Head[] = [];
  for (const table of ["heads", "dead"] as const)
    for (const row of (await tx.all(table)).filter((each) => !isHead(each)) as Head[]) {
      await tx.delete(table, row.seq);
      await tx.delete("bodies", row.seq);
      damaged.push(row);
    }
  for (const row of damaged) {
    const of = typeof row.account === "string" ? row.account : account;
    await changeState(tx, of, async (state) => {
      Object.assign(state, await countRows(tx, of));
      tally(state, { corrupt: 1 });
    });
  }
  return damaged.length;
}

/** Puts a message to the dead letters; its body stays where it is. */
export async function bury(
  tx: StoreTransaction,
  state: AccountState,
  { head, code, message, now }: { head: Head; code: string; message: string; now: number },
): Promise<DeadHead> {
  const { wait: _, ...rest } = head;
  const dead: DeadHead = { ...rest, code, message: message.slice(0, 500), diedAt: now };
  await tx.delete("heads", head.seq);
  await tx.put("dead", dead);
  state.waiting -= 1;
  state.bytes -= head.bytes;
  state.dead += 1;
  return dead;
}

export async function removeDead(tx: StoreTransaction, state: AccountState, { seq }: DeadHead): Promise<void> {
  await tx.delete("dead", seq);
  await tx.delete("bodies", seq);
  state.dead -= 1;
}

/** Removes messages that wait or were given up, of all accounts, and counts them as such. Resolves to how many there were. */
export async function removeMessages(tx: StoreTransaction, where: (message: NewMessage) => boolean): Promise<number> {
  let count = 0;
  for (const table of ["heads", "dead"] as const) {
    for (const head of (await tx.all(table)) as Head[]) {
      // One by one: all of them are megabytes.
      if (!isHead(head) || !isMeant(await tx.get("bodies", head.seq), where)) continue;
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

/** A message that cannot be read is removed too: it may be about what must not be kept. */
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
