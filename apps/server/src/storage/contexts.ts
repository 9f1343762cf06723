import { isAtMost } from "@periscope/privacy";
import { levelsUpTo, type ReadBounds } from "../access/access.store.js";
import {
  type CaptureCount,
  captureSlotMs,
  type ContextRead,
  type ContextStore,
  type ContextSummary,
  type CurrentFilter,
  type HistoryFilter,
} from "../contexts/context.store.js";
import { answerColumns, contextFromRow, type ContextRow, headColumns, headFromRow, type HeadRow } from "./context-columns.js";
import { Conditions, type Sql, timeColumn } from "./sql.js";

/** Last reads that are noted in one transaction. */
const notesMax = 8;

/**
 * Reads of contexts, and who read them last.
 * @param findForeign a statement that has a row when a user other than `$2` has a context with the id `$1`
 */
export function createContextStore(sql: Sql, findForeign: string): ContextStore {
  const [columns, ofHead] = [answerColumns(sql), headColumns(sql)];
  // Made once: statements are looked up by their texts.
  const findOne = `SELECT ${columns} FROM contexts WHERE "userId" = $1 AND "contextId" = $2`;
  const findHeads = `SELECT ${ofHead} FROM contexts WHERE "userId" = $1 AND ${sql.isIn('"contextId"', "$2")}`;

  async function readCurrent<Row extends ContextRow>(read: string, scope: ReadBounds, { tabId, extensionId }: CurrentFilter) {
    const query = new Conditions(scope.userId);
    query.add((value) => `"tabId" = ${value}`, tabId);
    // A browser has many tabs: with both given, the index is chosen by the tab.
    query.add((value) => `${tabId === undefined ? '"extensionId"' : sql.unindexed('"extensionId"')} = ${value}`, extensionId);
    const readFirst = async (condition: string, order: string) => {
      // Of each level by itself: an index then begins with the newest, however many contexts of other levels are newer.
      const firsts = levelsUpTo(scope.maxPrivacyLevel).map(
        (level) => `SELECT * FROM (SELECT seq, "viewedAt", "capturedAt" FROM contexts
          ${query.where} AND "privacyLevel" = '${level}' AND ${condition} ORDER BY ${order} LIMIT 1) AS "${level}"`,
      );
      // The row is found by its number first, so that no sorter carries contents.
      const newest = `SELECT seq FROM (${firsts.join(" UNION ALL ")}) AS firsts ORDER BY ${order} LIMIT 1`;
      const [row] = await sql.read<Row>(
        scope.userId,
        `SELECT ${read} FROM contexts WHERE "userId" = $1 AND seq = (${newest})`,
        query.values,
      );
      return row;
    };
    return (
      (await readFirst('"viewedAt" IS NOT NULL', '"viewedAt" DESC, seq DESC')) ??
      (await readFirst('"viewedAt" IS NULL', '"viewedAt" DESC, "capturedAt" DESC, seq DESC'))
    );
  }

  function matching(scope: ReadBounds, { since, until, type, privacyLevel, extensionId }: Partial<HistoryFilter>): Conditions {
    const query = Conditions.seenBy(scope);
    query.add((value) => `"capturedAt" >= ${sql.time(value)}`, since);
    query.add((value) => `"capturedAt" < ${sql.time(value)}`, until);
    query.add((value) => `type = ${value}`, type);
    query.add((value) => `"privacyLevel" = ${value}`, privacyLevel);
    // The order of capture is kept: the extension's index has another one.
    query.add((value) => `${sql.unindexed('"extensionId"')} = ${value}`, extensionId);
    return query;
  }

  async function readPage(scope: ReadBounds, filter: HistoryFilter): Promise<ContextSummary[]> {
    const query = matching(scope, filter);
    if (filter.after) {
      const time = sql.time(query.value(filter.after.capturedAt));
      // The first condition follows from the second. It is there for the index, which begins at that time instead of reading up to it.
      query.add((id) => `"capturedAt" <= ${time} AND ("capturedAt" < ${time} OR "contextId" > ${id})`, filter.after.contextId);
    }
    // The order names the table's column: what is made of it under the same name has no index.
    const text = `SELECT "contextId", type, url, title, "privacyLevel", ${timeColumn(sql, "capturedAt")} FROM contexts ${query.where}
      ORDER BY contexts."capturedAt" DESC, "contextId" LIMIT ${query.value(filter.limit)} OFFSET ${query.value(filter.offset)}`;
    return await sql.read(scope.userId, text, query.values);
  }

  /** An index alone has all that it needs. */
  async function count(scope: ReadBounds, filter: HistoryFilter): Promise<number> {
    const query = matching(scope, filter);
    const text = `SELECT CAST(count(*) AS float8) AS total FROM contexts ${query.where}`;
    const [row] = await sql.read<{ total: number }>(scope.userId, text, query.values);
    return row?.total ?? 0;
  }

  return {
    async current(scope, filter) {
      const row = await readCurrent(columns, scope, filter);
      return row ? contextFromRow(row) : null;
    },

    async currentHead(scope, filter) {
      const row = await readCurrent<HeadRow>(ofHead, scope, filter);
      return row ? headFromRow(row) : null;
    },

    async find({ userId, maxPrivacyLevel }, contextId) {
      const [row] = await sql.read<ContextRow>(userId, findOne, [userId, contextId]);
      const context = row ? contextFromRow(row) : null;
      return context && isAtMost(context.privacyLevel, maxPrivacyLevel) ? context : null;
    },

    async heads(userId, contextIds) {
      const rows = await sql.read<HeadRow>(userId, findHeads, [userId, sql.list(contextIds)]);
      return new Map(rows.map((row) => [String(row.contextId), headFromRow(row)]));
    },

    async history(scope, filter) {
      const [contexts, total] = await Promise.all([readPage(scope, filter), filter.knownTotal ?? count(scope, filter)]);
      return { contexts, total };
    },

    captures(scope, filter) {
      const query = matching(scope, filter);
      const slot = `floor(${sql.millis('"capturedAt"')} / ${captureSlotMs}.0) * ${captureSlotMs}`;
      const text = `SELECT CAST(${slot} AS float8) AS at, type, CAST(count(*) AS float8) AS count FROM contexts ${query.where} GROUP BY 1, 2`;
      return sql.read<CaptureCount>(scope.userId, text, query.values);
    },

    async noteReads(userId, reads) {
      const rows = sql.records("$2", { contextId: "text", keyId: "text", at: "float8" });
      const text = `UPDATE contexts SET "lastReadAt" = ${sql.time("r.at")}, "lastReadKeyId" = r."keyId" FROM ${rows}
        WHERE contexts."userId" = $1 AND contexts."contextId" = r."contextId" AND coalesce("lastReadAt" <= ${sql.time("r.at")}, TRUE)`;
      // SQLite writes whole rows again, with their content.
      for (let from = 0; from < reads.length; from += notesMax)
        await sql.write(userId, text, [userId, JSON.stringify(reads.slice(from, from + notesMax))]);
    },

    async lastRead(userId, contextId) {
      const text = `SELECT "lastReadKeyId" AS "keyId", ${sql.millis('"lastReadAt"')} AS at FROM contexts
        WHERE "userId" = $1 AND "contextId" = $2 AND "lastReadAt" IS NOT NULL`;
      const [found = null] = await sql.read<Pick<ContextRead, "keyId" | "at">>(userId, text, [userId, contextId]);
      return found;
    },

    isOfAnother: async (userId, contextId) => (await sql.read(userId, findForeign, [contextId, userId])).length > 0,
  };
}
