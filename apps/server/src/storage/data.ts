import type { RetentionRule } from "@periscope/schemas";
import type { ChosenContext } from "../contexts/context-removal.js";
import {
  type CapturePlace,
  type ContextSelection,
  type DataStore,
  type DaySize,
  fittingCount,
  pageContexts,
  type ReportedError,
  type StoredExtension,
  type StoredTombstone,
} from "../data/data.store.js";
import { answerColumns, contextFromRow, type ContextRow } from "./context-columns.js";
import { Conditions, type Sql, timeColumn } from "./sql.js";
import { dayMs } from "../formats.js";

/** The tables whose rows of a user a receipt of erasure counts, by their names in the receipt. */
const erasedTables = {
  contexts: "contexts",
  tombstones: "tombstones",
  replayRecords: "processed_messages",
  extensions: "extensions",
  extensionErrors: "extension_errors",
  privacyRules: "privacy_rules",
  retentionRules: "retention_rules",
  usage: "usage_by_day",
  keys: "api_keys",
  accounts: "auth_users",
  sessions: "auth_sessions",
  signInMethods: "auth_accounts",
  passkeys: "auth_passkeys",
  agentTokens: "auth_tokens",
};

/** Reads how much was captured on each day, on all of them without `sinceDay`. */
type ReadSizes = (userId: string, sinceDay?: number) => Promise<DaySize[]>;

/**
 * Reads of a user's whole data, page by page, and retention rules.
 * @param readSizes {@link sizesAtOnce}, or {@link sizesInSlices}
 */
export function createDataStore(sql: Sql, readSizes: ReadSizes): DataStore {
  const times = `${timeColumn(sql, "lastSeenAt")}, ${timeColumn(sql, "configAt")}`;
  const ofExtensions = `SELECT "extensionId", "keyId", config, ${times} FROM extensions`;

  return {
    async countContexts(userId, wanted) {
      const query = selecting(sql, userId, wanted);
      const text = `SELECT CAST(count(*) AS float8) AS total FROM contexts ${query.where}`;
      const [row] = await sql.read<{ total: number }>(userId, text, query.values);
      return row?.total ?? 0;
    },

    async readContexts(userId, wanted, after) {
      const read = <Row>(columns: string, limit: number) => {
        const query = selecting(sql, userId, wanted, after);
        return sql.read<Row>(userId, `SELECT ${columns} ${pageOf(query, limit)}`, query.values);
      };
      // The length of a long text is found without reading it.
      const sizes = await read<{ bytes: number }>("octet_length(content) AS bytes", pageContexts);
      const rows = await read<ContextRow>(answerColumns(sql), fittingCount(sizes.map(({ bytes }) => bytes)));
      return rows.map(contextFromRow);
    },

    readHeads(userId, { levels, extensionId, ...wanted }, after, limit) {
      const query = selecting(sql, userId, wanted, after);
      query.add((list) => sql.isIn('"privacyLevel"', list), sql.list(levels));
      query.add((value) => `"extensionId" = ${value}`, extensionId);
      const times = `${timeColumn(sql, "capturedAt")}, ${timeColumn(sql, "writtenAt")}`;
      const text = `SELECT "contextId", type, url, title, "privacyLevel", ${times} ${pageOf(query, limit)}`;
      return sql.read<ChosenContext>(userId, text, query.values);
    },

    async findRetention(userId) {
      const text = `SELECT rules, ${timeColumn(sql, "updatedAt")} FROM retention_rules WHERE "userId" = $1`;
      const [row] = await sql.read<{ rules: string; updatedAt: number }>(userId, text, [userId]);
      return row ? { rules: JSON.parse(row.rules) as RetentionRule[], updatedAt: row.updatedAt } : null;
    },

    async replaceRetention(userId, rules, at) {
      const text = `INSERT INTO retention_rules ("userId", rules, "updatedAt")
        SELECT "userId", $2, ${sql.time("$3")} FROM users WHERE "userId" = $1
        ON CONFLICT ("userId") DO UPDATE SET rules = excluded.rules, "updatedAt" = excluded."updatedAt"`;
      return (await sql.write(userId, text, [userId, JSON.stringify(rules), at])) > 0;
    },

    readExtensions(userId, after, limit) {
      const text = `${ofExtensions} WHERE "userId" = $1 AND "extensionId" > $2 ORDER BY "extensionId" LIMIT $3`;
      return sql.read<StoredExtension>(userId, text, [userId, after, limit]);
    },

    latestExtensions(userId, limit) {
      const text = `${ofExtensions} WHERE "userId" = $1 ORDER BY extensions."lastSeenAt" DESC, "extensionId" LIMIT $2`;
      return sql.read<StoredExtension>(userId, text, [userId, limit]);
    },

    async findExtension(userId, extensionId) {
      const text = `${ofExtensions} WHERE "userId" = $1 AND "extensionId" = $2`;
      const [found = null] = await sql.read<StoredExtension>(userId, text, [userId, extensionId]);
      return found;
    },

    reportedErrors(userId, since, limit) {
      const ofOne = 'PARTITION BY "extensionId", code';
      const text = `SELECT "extensionId", code, message, "occurredAt", times
        FROM (SELECT "extensionId", code, message, ${timeColumn(sql, "occurredAt")}, CAST(count(*) OVER (${ofOne}) AS float8) AS times,
            row_number() OVER (${ofOne} ORDER BY extension_errors."occurredAt" DESC, seq DESC) AS place
          FROM extension_errors WHERE "userId" = $1 AND "occurredAt" >= ${sql.time("$2")}) AS e
        WHERE place = 1 ORDER BY "occurredAt" DESC LIMIT $3`;
      return sql.read<ReportedError>(userId, text, [userId, since, limit]);
    },

    async storedSize(userId) {
      const days = await readSizes(userId);
      const sum = (of: "contexts" | "bytes") => days.reduce((total, day) => total + day[of], 0);
      return { contexts: sum("contexts"), bytes: sum("bytes") };
    },

    sizesByDay: readSizes,

    readTombstones(userId, after, limit) {
      const text = `SELECT "contextId", ${timeColumn(sql, "deletedAt")} FROM tombstones
        WHERE "userId" = $1 AND "contextId" > $2 ORDER BY "contextId" LIMIT $3`;
      return sql.read<StoredTombstone>(userId, text, [userId, after, limit]);
    },

    async countRows(userId) {
      const counts = Object.entries(erasedTables).map(
        ([name, table]) => `CAST((SELECT count(*) FROM ${table} WHERE "userId" = $1) AS float8) AS "${name}"`,
      );
      const [row = {}] = await sql.read<Record<string, number>>(userId, `SELECT ${counts.join(", ")}`, [userId]);
      return row;
    },

    async sampleTexts(userId, limit) {
      const text = `SELECT CASE WHEN content = '' THEN title ELSE substr(content, 1, 65536) END AS text FROM contexts
        WHERE "userId" = $1 AND "contextId" IN (SELECT "contextId" FROM contexts WHERE "userId" = $1 ORDER BY random() LIMIT $2)`;
      return (await sql.read<{ text: string }>(userId, text, [userId, limit])).map((row) => row.text);
    },
  };
}

/** Conditions on the contexts of a selection that come after a place in the order of capture. */
function selecting(sql: Pick<Sql, "time">, userId: string, { since, until, type }: ContextSelection, after?: CapturePlace): Conditions {
  const query = new Conditions(userId);
  if (after && after.capturedAt >= (since ?? -Infinity)) {
    // One lower bound of the time: of two, SQLite seeks the first and walks to the second.
    const time = sql.time(query.value(after.capturedAt));
    query.add((id) => `"capturedAt" >= ${time} AND ("capturedAt" > ${time} OR "contextId" < ${id})`, after.contextId);
  } else query.add((value) => `"capturedAt" >= ${sql.time(value)}`, since);
  query.add((value) => `"capturedAt" < ${sql.time(value)}`, until);
  query.add((value) => `type = ${value}`, type);
  return query;
}

/** The next of them, as the index has them. */
const pageOf = (query: Conditions, limit: number): string =>
  `FROM contexts ${query.where} ORDER BY contexts."capturedAt", "contextId" DESC LIMIT ${query.value(limit)}`;

/** Contexts that are measured before others have their turn. */
const sliceRows = 500;

/** Sizes by one statement, for a database that runs in a process of its own. */
export const sizesAtOnce =
  (sql: Sql): ReadSizes =>
  (userId, sinceDay) => {
    const query = selecting(sql, userId, { since: sinceDay === undefined ? undefined : sinceDay * dayMs });
    const sums = "CAST(count(*) AS float8) AS contexts, CAST(sum(octet_length(content)) AS float8) AS bytes";
    const text = `SELECT floor(${sql.millis('"capturedAt"')} / ${dayMs}.0) AS day, ${sums} FROM contexts ${query.where} GROUP BY 1`;
    return sql.read<DaySize>(userId, text, query.values);
  };

/** Sizes read in slices, for a database that holds up this process meanwhile. */
export const sizesInSlices =
  (sql: Sql): ReadSizes =>
  async (userId, sinceDay) => {
    const days = new Map<number, DaySize>();
    for (let after: CapturePlace | undefined; ;) {
      const query = selecting(sql, userId, { since: sinceDay === undefined ? undefined : sinceDay * dayMs }, after);
      // The length of a text stands before it: what lies on other pages is not read.
      const text = `SELECT "capturedAt", "contextId", octet_length(content) AS bytes ${pageOf(query, sliceRows)}`;
      const rows = await sql.read<CapturePlace & { bytes: number }>(userId, text, query.values);
      for (const { capturedAt, bytes } of rows) {
        const day = Math.floor(capturedAt / dayMs);
        const { contexts, bytes: sum } = days.get(day) ?? { contexts: 0, bytes: 0 };
        days.set(day, { day, contexts: contexts + 1, bytes: sum + bytes });
      }
      if (rows.length < sliceRows) return [...days.values()];
      after = rows.at(-1);
    }
  };
