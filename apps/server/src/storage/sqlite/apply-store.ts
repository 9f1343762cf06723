import type Database from "better-sqlite3";
import type { ApplyStore } from "../../privacy-apply/apply.store.js";
import { removeContext } from "../remove-context.js";
import { applyReads, applyWrites } from "./apply-statements.js";
import type { WriteQueue } from "./write-queue.js";

export interface ApplyStoreOptions {
  /** For reads; it cannot write. */
  reader: Database.Database;
  /** The connection that the queue's transactions have. */
  writer: Database.Database;
  queue: WriteQueue;
  scrub: ApplyStore["scrub"];
}

/** What is stored, to be filtered again. Its statements are prepared when first wanted: a server never does. */
export function createApplyStore({ reader, writer, queue, scrub }: ApplyStoreOptions): ApplyStore {
  let outside: ReturnType<typeof applyReads> | undefined;
  let inside: { rows: ReturnType<typeof applyReads>; writes: ReturnType<typeof applyWrites> } | undefined;

  return {
    rows: (userId) => (outside ??= applyReads(reader))(userId),
    transact: (userId, work) =>
      queue.run((tx) => {
        const { rows, writes } = (inside ??= { rows: applyReads(writer), writes: applyWrites(writer) });
        return work({
          ...rows(userId),
          ...writes(userId),
          removeContext: async (contextId, at) => void (await removeContext(tx, { userId, contextId }, at)),
        });
      }),
    scrub,
  };
}
