import type { Database } from "better-sqlite3";
import { setImmediate as soon } from "node:timers/promises";
import {
  type CapturePlace,
  type ContextSelection,
  type DataStore,
  fittingCount,
  pageContexts,
  type StoredExtension,
  type StoredTombstone,
} from "../../data/data.store.js";
import type { FairQueue } from "../../workers/fair-queue.js";
import { contextColumns, contextFromRow, type ContextRow } from "../context-columns.js";

const readColumns = contextColumns.map(({ name }) => (name === "plainText" ? "NULL AS plainText" : name)).join(", ");
const everything = Number.MAX_SAFE_INTEGER;

/** Reads of a user's whole data. A page has its turn in `turns`. */
export function createDataStore(reader: Database, turns: FairQueue): DataStore {
  // Without a value for the type, every type is meant.
  const selected = "userId = @userId AND capturedAt >= @since AND capturedAt < @until AND type = ifnull(@type, type)";
  const page = `FROM contexts WHERE ${selected}
    AND capturedAt >= @from AND (capturedAt > @from OR contextId < @beforeId) ORDER BY capturedAt, contextId DESC LIMIT @limit`;
  const count = reader.prepare<[object], number>(`SELECT count(*) FROM contexts WHERE ${selected}`).pluck();
  // The length of a text stands before it: what lies on other pages is not read.
  const sizes = reader.prepare<[object], number>(`SELECT octet_length(content) ${page}`).pluck();
  const contexts = reader.prepare<[object], ContextRow>(`SELECT ${readColumns} ${page}`);
  const extensions = reader.prepare<[string, string, number], StoredExtension>(
    "SELECT extensionId, lastSeenAt, config, configAt FROM extensions WHERE userId = ? AND extensionId > ? ORDER BY extensionId LIMIT ?",
  );
  const tombstones = reader.prepare<[string, string, number], StoredTombstone>(
    "SELECT contextId, deletedAt FROM tombstones WHERE userId = ? AND contextId > ? ORDER BY contextId LIMIT ?",
  );
  const inTurn = <T>(userId: string, read: () => T): Promise<T> =>
    turns.run(userId, async () => {
      const found = read();
      await soon();
      return found;
    });
  const selection = (userId: string, { since = -everything, until = everything, type }: ContextSelection) => ({
    userId,
    since,
    until,
    type: type ?? null,
  });

  return {
    countContexts: (userId, wanted) => inTurn(userId, () => count.get(selection(userId, wanted)) ?? 0),
    readContexts: (userId, wanted, after?: CapturePlace) =>
      inTurn(userId, () => {
        const place = { from: after?.capturedAt ?? -everything, beforeId: after?.contextId ?? "" };
        const query = { ...selection(userId, wanted), ...place };
        const limit = fittingCount(sizes.all({ ...query, limit: pageContexts }));
        return contexts.all({ ...query, limit }).map(contextFromRow);
      }),
    readExtensions: (userId, after, limit) => inTurn(userId, () => extensions.all(userId, after, limit)),
    readTombstones: (userId, after, limit) => inTurn(userId, () => tombstones.all(userId, after, limit)),
  };
}
