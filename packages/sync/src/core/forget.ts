import { removeHead } from "./evict.js";
import type { NewMessage } from "./message.js";
import { readState } from "./partition-state.js";
import { type Head, readHead, seqOf } from "./rows.js";
import type { Store } from "./store.js";

/** Messages whose bodies are held in memory together. */
const page = 50;

/**
 * Removes the messages of a partition, waiting and dead, that `matches` says yes to; bodies are overwritten by nothing and read by nobody else.
 * A body that cannot be read is left to the drain. Resolves to how many there were. To be called by the holder of the partition's lock only.
 */
export async function forget(store: Store, partition: string, matches: (message: NewMessage) => boolean): Promise<number> {
  let removed = 0;
  for (const table of ["heads", "dead"] as const) {
    let after: number[] | undefined;
    for (;;) {
      const rows = await store.write(async (tx) => {
        const listing = { index: "bySeq", prefix: [partition], limit: page, ...(after && { after: [partition, ...after] }) } as const;
        const rows = await tx.list(table, listing);
        const state = await readState(tx, partition);
        for (const row of rows) {
          const head = readHead(row);
          if (head === undefined || !matchesBody(await tx.get("bodies", head.seq), matches)) continue;
          await (table === "heads" ? removeHead(tx, state, head) : removeDead(head));
          removed += 1;
        }
        await tx.put("state", state, partition);
        return rows;

        async function removeDead({ seq }: Head): Promise<void> {
          await tx.delete("dead", seq);
          await tx.delete("bodies", seq);
          state.dead -= 1;
        }
      });
      const last = seqOf(rows.at(-1));
      if (rows.length < page || last === undefined) break;
      after = [last];
    }
  }
  return removed;
}

function matchesBody(body: unknown, matches: (message: NewMessage) => boolean): boolean {
  if (typeof body !== "string") return false;
  try {
    return matches(JSON.parse(body) as NewMessage);
  } catch {
    return false;
  }
}
