import { isAtMost } from "@periscope/privacy";
import type { Database, Statement } from "better-sqlite3";
import { levelsUpTo, type ReadBounds } from "../../access/access.store.js";
import {
  type CaptureCount,
  captureSlotMs,
  type ContextStore,
  type ContextSummary,
  type CurrentFilter,
  type HistoryFilter,
} from "../../contexts/context.store.js";
import type { PerUserQueue } from "../../workers/per-user-queue.js";
import { contextColumns, contextFromRow, type ContextRow, headFromRow, type HeadRow } from "../context-columns.js";
import type { SqliteLiveStore } from "./live.js";
import { deleteTombstoned, readNoter } from "./user-data.js";
import type { SqliteWriter } from "./writer.js";

type Value = string | number;

/** Columns of a context as clients read it: the text that is searched is not among them. */
const readColumns = contextColumns.map(({ name }) => (name === "plainText" ? "NULL AS plainText" : name)).join(", ");
const headColumns = `${readColumns.replace(/\bcontent\b/, "'' AS content")}, octet_length(content) AS contentLength`;

/** Reads of a user when it is their turn. */
export type ReadFairly = <T>(userId: string, read: () => T) => Promise<T>;

export interface ContextStoreOptions {
  reader: Database;
  writerDb: Database;
  writer: SqliteWriter;
  live: SqliteLiveStore;
  /** Of one user only one removal waits for the writer. */
  queue: PerUserQueue;
  readFairly: ReadFairly;
}

/** Reads of contexts as prepared statements, and the removal of one. */
export function createContextStore({ reader, writerDb, writer, live, queue, readFairly }: ContextStoreOptions): ContextStore {
  const statements = new Map<string, Statement<Value[]>>();
  // The texts differ by the conditions only, of which there are few.
  const prepared = <Row>(sql: string): Statement<Value[], Row> => {
    const known = statements.get(sql) ?? reader.prepare<Value[]>(sql);
    statements.set(sql, known);
    return known as Statement<Value[], Row>;
  };
  const find = reader.prepare<[string, string], ContextRow>(`SELECT ${readColumns} FROM contexts WHERE userId = ? AND contextId = ?`);
  // Each user's keys are looked up, where a search by the id alone would read them all.
  const ofAnother = reader.prepare<[string, string]>(
    `SELECT 1 FROM users WHERE userId <> ?
       AND EXISTS (SELECT 1 FROM contexts WHERE contexts.userId = users.userId AND contexts.contextId = ?) LIMIT 1`,
  );
  const heads = reader.prepare<[string, string], HeadRow>(
    `SELECT ${headColumns} FROM contexts WHERE userId = ? AND contextId IN (SELECT value FROM json_each(?))`,
  );
  const noteReads = readNoter(writerDb);
  const lastRead = reader.prepare<[string, string], { keyId: string; at: number }>(
    "SELECT lastReadKeyId AS keyId, lastReadAt AS at FROM contexts WHERE userId = ? AND contextId = ? AND lastReadAt IS NOT NULL",
  );
  const remove = deleteTombstoned(writerDb);
  const findSeen = ({ userId, maxPrivacyLevel }: ReadBounds, contextId: string) => {
    const row = find.get(userId, contextId);
    const context = row ? contextFromRow(row) : null;
    return context && isAtMost(context.privacyLevel, maxPrivacyLevel) ? context : null;
  };

  const readCurrent = <Row>(columns: string, scope: ReadBounds, { tabId, extensionId }: CurrentFilter): Promise<Row | undefined> =>
    readFairly(scope.userId, () => {
      // A browser has many tabs: with both given, the plus leaves the choice of the index to the tab.
      const ofExtension = tabId === undefined ? "extensionId = ?" : "+extensionId = ?";
      const { conditions, values } = conditionsOf(scope, [
        ["tabId = ?", tabId],
        [ofExtension, extensionId],
      ]);
      const first = (more: string, time: string) => {
        // The row is found by its number first, so that no sorter carries contents.
        const newest = `SELECT seq FROM contexts WHERE ${conditions}${more} ORDER BY ${time} DESC, seq DESC LIMIT 1`;
        return prepared<Row>(`SELECT ${columns} FROM contexts WHERE seq = (${newest})`).get(...values);
      };
      return first(" AND viewedAt IS NOT NULL", "viewedAt") ?? first("", "capturedAt");
    });

  return {
    async current(scope, filter) {
      const row = await readCurrent<ContextRow>(readColumns, scope, filter);
      return row ? contextFromRow(row) : null;
    },

    async currentHead(scope, filter) {
      const row = await readCurrent<HeadRow>(headColumns, scope, filter);
      return row ? headFromRow(row) : null;
    },

    find: (scope, contextId) => readFairly(scope.userId, () => findSeen(scope, contextId)),

    heads: (userId, contextIds) =>
      readFairly(
        userId,
        () => new Map(heads.all(userId, JSON.stringify(contextIds)).map((row) => [String(row.contextId), headFromRow(row)])),
      ),

    history: (scope, filter) =>
      readFairly(scope.userId, () => {
        const { after } = filter;
        const { conditions, values } = matching(scope, filter);
        // The first bound says nothing new, but lets the index begin at the place instead of reading up to it.
        const place = after ? "AND capturedAt <= ? AND (capturedAt < ? OR contextId > ?)" : "";
        const placeValues = after ? [after.capturedAt, after.capturedAt, after.contextId] : [];
        const contexts = prepared<ContextSummary>(
          `SELECT contextId, type, url, title, capturedAt, privacyLevel FROM contexts WHERE ${conditions} ${place}
         ORDER BY capturedAt DESC, contextId LIMIT ? OFFSET ?`,
        ).all(...values, ...placeValues, filter.limit, filter.offset);
        const total =
          filter.knownTotal ??
          prepared<{ total: number }>(`SELECT count(*) AS total FROM contexts WHERE ${conditions}`).get(...values)?.total ??
          0;
        return { contexts, total };
      }),

    captures: (scope, filter) =>
      readFairly(scope.userId, () => {
        const { conditions, values } = matching(scope, filter);
        // Whole numbers: SQLite's division rounds towards zero.
        const slot = `capturedAt - ((capturedAt % ${captureSlotMs}) + ${captureSlotMs}) % ${captureSlotMs}`;
        return prepared<CaptureCount>(`SELECT ${slot} AS at, type, count(*) AS count FROM contexts WHERE ${conditions} GROUP BY 1, 2`).all(
          ...values,
        );
      }),

    noteReads: (userId, reads) => writer.run(() => noteReads(userId, reads)),

    lastRead: async (userId, contextId) => lastRead.get(userId, contextId) ?? null,

    async remove(scope, contextId, at) {
      const { userId } = scope;
      const removed = await queue.run(userId, () =>
        writer.run(
          () => findSeen(scope, contextId) && remove(userId, contextId, at),
          (found) => found && live.record(userId, found.revision, [found.change], at),
        ),
      );
      if (removed) return "removed";
      return ofAnother.get(userId, contextId) ? "foreign" : "missing";
    },
  };
}

/** Conditions of a filter of history, but for its place. */
const matching = (scope: ReadBounds, { since, until, type, privacyLevel, extensionId }: Partial<HistoryFilter>) =>
  conditionsOf(scope, [
    ["capturedAt >= ?", since],
    ["capturedAt < ?", until],
    ["type = ?", type],
    ["privacyLevel = ?", privacyLevel],
    // The plus keeps the order of capture: the extension's index has another one.
    ["+extensionId = ?", extensionId],
  ]);

/** Conditions on a user's contexts, with their values. One whose value is undefined is left out. */
function conditionsOf({ userId, maxPrivacyLevel }: ReadBounds, wanted: ReadonlyArray<readonly [sql: string, value: Value | undefined]>) {
  const given = wanted.filter(([, value]) => value !== undefined);
  const levels = maxPrivacyLevel === "restricted" ? [] : levelsUpTo(maxPrivacyLevel);
  const ofLevels = levels.length === 0 ? [] : [`privacyLevel IN (${levels.map(() => "?").join()})`];
  return {
    conditions: ["userId = ?", ...given.map(([sql]) => sql), ...ofLevels].join(" AND "),
    values: [userId, ...given.map(([, value]) => value ?? ""), ...levels],
  };
}
