import type { RetentionRule } from "@periscope/schemas";
import type { Database } from "better-sqlite3";
import {
  type CapturePlace,
  type ChosenContext,
  type ContextSelection,
  type DataStore,
  fittingCount,
  pageContexts,
  type ReportedError,
  type StoredExtension,
  type StoredTombstone,
} from "../../data/data.store.js";
import { contextColumns, contextFromRow, type ContextRow } from "../context-columns.js";
import type { ReadFairly } from "./contexts.js";
import type { SqliteWriter } from "./writer.js";

const readColumns = contextColumns.map(({ name }) => (name === "plainText" ? "NULL AS plainText" : name)).join(", ");
const everything = Number.MAX_SAFE_INTEGER;
const dayMs = 86_400_000;
/** Contexts that are measured before others have their turn. */
const sliceRows = 500;

export interface DataStoreOptions {
  reader: Database;
  writerDb: Database;
  writer: SqliteWriter;
  readFairly: ReadFairly;
}

/** Reads of a user's whole data, page by page, and retention rules. */
export function createDataStore({ reader, writerDb, writer, readFairly }: DataStoreOptions): DataStore {
  // Without a value for the type, every type is meant. One lower bound of the time: of two, SQLite seeks the first and walks to the second.
  const selected =
    "userId = @userId AND capturedAt >= @from AND (capturedAt > @from OR contextId < @beforeId) AND capturedAt < @until AND type = ifnull(@type, type)";
  const page = (more = "") => `FROM contexts WHERE ${selected} ${more} ORDER BY capturedAt, contextId DESC LIMIT @limit`;
  const count = reader.prepare<[object], number>(`SELECT count(*) FROM contexts WHERE ${selected}`).pluck();
  // The length of a text stands before it: what lies on other pages is not read.
  const sizes = reader.prepare<[object], number>(`SELECT octet_length(content) ${page()}`).pluck();
  const contexts = reader.prepare<[object], ContextRow>(`SELECT ${readColumns} ${page()}`);
  const chosen = "AND privacyLevel IN (SELECT value FROM json_each(@levels)) AND extensionId = ifnull(@extensionId, extensionId)";
  const heads = reader.prepare<[object], ChosenContext>(
    `SELECT contextId, type, url, title, capturedAt, privacyLevel, writtenAt ${page(chosen)}`,
  );
  const findRetention = reader.prepare<[string], { rules: string; updatedAt: number }>(
    "SELECT rules, updatedAt FROM retention_rules WHERE userId = ?",
  );
  const replaceRetention = writerDb.prepare<[string, number, string]>(
    `INSERT INTO retention_rules (userId, rules, updatedAt) SELECT userId, ?, ? FROM users WHERE userId = ?
     ON CONFLICT (userId) DO UPDATE SET rules = excluded.rules, updatedAt = excluded.updatedAt`,
  );
  const extensions = reader.prepare<[string, string, number], StoredExtension>(
    "SELECT extensionId, lastSeenAt, keyId, config, configAt FROM extensions WHERE userId = ? AND extensionId > ? ORDER BY extensionId LIMIT ?",
  );
  const errors = reader.prepare<[string, number, number], ReportedError>(
    // Of the row with the largest time, SQLite takes the other columns.
    `SELECT extensionId, code, message, max(occurredAt) AS occurredAt, count(*) AS times FROM extension_errors
     WHERE userId = ? AND occurredAt >= ? GROUP BY extensionId, code ORDER BY occurredAt DESC LIMIT ?`,
  );
  const measured = reader.prepare<[object], CapturePlace & { bytes: number }>(
    `SELECT capturedAt, contextId, octet_length(content) AS bytes ${page()}`,
  );
  const tombstones = reader.prepare<[string, string, number], StoredTombstone>(
    "SELECT contextId, deletedAt FROM tombstones WHERE userId = ? AND contextId > ? ORDER BY contextId LIMIT ?",
  );
  const selection = (userId: string, { since = -everything, until = everything, type }: ContextSelection, after?: CapturePlace) => {
    const { capturedAt, contextId } = after && after.capturedAt >= since ? after : { capturedAt: since - 1, contextId: "" };
    return { userId, from: capturedAt, beforeId: contextId, until, type: type ?? null };
  };

  /** The sizes of contexts in the order of capture, read in slices between which others have their turn. */
  async function* measure(userId: string, wanted: ContextSelection) {
    for (let after: CapturePlace | undefined; ;) {
      const rows = await readFairly(userId, () => measured.all({ ...selection(userId, wanted, after), limit: sliceRows }));
      yield* rows;
      if (rows.length < sliceRows) return;
      after = rows.at(-1);
    }
  }

  return {
    countContexts: (userId, wanted) => readFairly(userId, () => count.get(selection(userId, wanted)) ?? 0),
    readHeads: (userId, wanted, after, limit) =>
      readFairly(userId, () => {
        const { levels, extensionId = null } = wanted;
        return heads.all({ ...selection(userId, wanted, after), levels: JSON.stringify(levels), extensionId, limit });
      }),
    async findRetention(userId) {
      const row = findRetention.get(userId);
      return row ? { rules: JSON.parse(row.rules) as RetentionRule[], updatedAt: row.updatedAt } : null;
    },
    replaceRetention: (userId, rules, at) => writer.run(() => replaceRetention.run(JSON.stringify(rules), at, userId).changes > 0),
    readContexts: (userId, wanted, after) =>
      readFairly(userId, () => {
        const query = selection(userId, wanted, after);
        const limit = fittingCount(sizes.all({ ...query, limit: pageContexts }));
        return contexts.all({ ...query, limit }).map(contextFromRow);
      }),
    readExtensions: (userId, after, limit) => readFairly(userId, () => extensions.all(userId, after, limit)),
    reportedErrors: (userId, since, limit) => readFairly(userId, () => errors.all(userId, since, limit)),
    async storedSize(userId) {
      const size = { contexts: 0, bytes: 0 };
      for await (const { bytes } of measure(userId, {})) {
        size.contexts += 1;
        size.bytes += bytes;
      }
      return size;
    },
    async sizesByDay(userId, sinceDay) {
      const days = new Map<number, { day: number; contexts: number; bytes: number }>();
      for await (const { capturedAt, bytes } of measure(userId, { since: sinceDay * dayMs })) {
        const day = Math.floor(capturedAt / dayMs);
        const { contexts, bytes: sum } = days.get(day) ?? { contexts: 0, bytes: 0 };
        days.set(day, { day, contexts: contexts + 1, bytes: sum + bytes });
      }
      return [...days.values()];
    },
    readTombstones: (userId, after, limit) => readFairly(userId, () => tombstones.all(userId, after, limit)),
  };
}
