import type { RetentionRule } from "@periscope/schemas";
import type pg from "pg";
import {
  type ChosenContext,
  type DataStore,
  fittingCount,
  pageContexts,
  type ReportedError,
  type StoredExtension,
  type StoredTombstone,
} from "../../data/data.store.js";
import type { FairQueue } from "../../workers/fair-queue.js";
import { contextFromRow, type ContextRow } from "../context-columns.js";
import { answerColumns, millis } from "./context-statements.js";
import { rowsOf, type Statement, statement } from "./pool.js";

const time = (value: string) => `to_timestamp(${value}::float8 / 1000)`;
// Without a value, every one is meant.
const selected = `"userId" = $1 AND "capturedAt" >= coalesce(${time("$2")}, '-infinity') AND "capturedAt" < coalesce(${time("$3")}, 'infinity')
    AND type = coalesce($4::text, type)`;
const page = `FROM contexts WHERE ${selected} AND "capturedAt" >= coalesce(${time("$5")}, '-infinity')
    AND ("capturedAt" > coalesce(${time("$5")}, '-infinity') OR "contextId" < $6::text)
    ORDER BY contexts."capturedAt", "contextId" DESC LIMIT $7::bigint`;

const count = statement(`SELECT count(*)::float8 AS total FROM contexts WHERE ${selected}`);
// The length of a long text is found without reading it.
const sizes = statement(`SELECT octet_length(content) AS bytes ${page}`);
const contexts = statement(`SELECT ${answerColumns} ${page}`);
const heads = statement(
  `SELECT "contextId", type, url, title, "privacyLevel", ${millis("capturedAt")}, ${millis("writtenAt")} ${page.replace(
    "ORDER BY",
    `AND "privacyLevel" = ANY ($8::text[]) AND "extensionId" = coalesce($9::text, "extensionId") ORDER BY`,
  )}`,
);
const findRetention = statement(`SELECT rules, ${millis("updatedAt")} FROM retention_rules WHERE "userId" = $1`);
const replaceRetention = statement(`INSERT INTO retention_rules ("userId", rules, "updatedAt")
    SELECT "userId", $2, ${time("$3")} FROM users WHERE "userId" = $1
    ON CONFLICT ("userId") DO UPDATE SET rules = excluded.rules, "updatedAt" = excluded."updatedAt" RETURNING 1`);
const extensions = statement(`SELECT "extensionId", ${millis("lastSeenAt")}, "keyId", config, ${millis("configAt")} FROM extensions
    WHERE "userId" = $1 AND "extensionId" > $2 ORDER BY "extensionId" LIMIT $3::bigint`);
const errors = statement(`SELECT * FROM (SELECT DISTINCT ON ("extensionId", code) "extensionId", code, message, ${millis("occurredAt")},
      count(*) OVER (PARTITION BY "extensionId", code)::float8 AS times
    FROM extension_errors WHERE "userId" = $1 AND "occurredAt" >= ${time("$2")}
    ORDER BY "extensionId", code, extension_errors."occurredAt" DESC, seq DESC) e ORDER BY "occurredAt" DESC LIMIT $3::bigint`);
const size = statement(`SELECT count(*)::float8 AS contexts, coalesce(sum(octet_length(content)), 0)::float8 AS bytes
    FROM contexts WHERE "userId" = $1`);
const sizesOfDays = statement(`SELECT floor(extract(epoch FROM "capturedAt") / 86400)::float8 AS day, count(*)::float8 AS contexts,
      sum(octet_length(content))::float8 AS bytes
    FROM contexts WHERE "userId" = $1 AND "capturedAt" >= to_timestamp($2::float8 * 86400) GROUP BY 1`);
const tombstones = statement(`SELECT "contextId", ${millis("deletedAt")} FROM tombstones
    WHERE "userId" = $1 AND "contextId" > $2 ORDER BY "contextId" LIMIT $3::bigint`);

/** Reads of a user's whole data. A page has its turn in `reads`. */
export function createDataStore(pool: pg.Pool, reads: FairQueue): DataStore {
  const read = <Row extends pg.QueryResultRow>(userId: string, text: Statement, values: readonly unknown[]) =>
    reads.run(userId, () => rowsOf<Row>(pool, text, [userId, ...values]));
  return {
    async countContexts(userId, { since = null, until = null, type = null }) {
      const [row] = await read<{ total: number }>(userId, count, [since, until, type]);
      return row?.total ?? 0;
    },
    async readContexts(userId, { since = null, until = null, type = null }, after) {
      const query = [since, until, type, after?.capturedAt ?? null, after?.contextId ?? ""];
      const found = await read<{ bytes: number }>(userId, sizes, [...query, pageContexts]);
      const limit = fittingCount(found.map(({ bytes }) => bytes));
      return (await read<ContextRow>(userId, contexts, [...query, limit])).map(contextFromRow);
    },
    readHeads: (userId, { since = null, until = null, type = null, levels, extensionId = null }, after, limit) => {
      const place = [after?.capturedAt ?? null, after?.contextId ?? ""];
      return read<ChosenContext>(userId, heads, [since, until, type, ...place, limit, levels, extensionId]);
    },
    async findRetention(userId) {
      const [row] = await read<{ rules: string; updatedAt: number }>(userId, findRetention, []);
      return row ? { rules: JSON.parse(row.rules) as RetentionRule[], updatedAt: row.updatedAt } : null;
    },
    replaceRetention: async (userId, rules, at) => (await rowsOf(pool, replaceRetention, [userId, JSON.stringify(rules), at])).length > 0,
    readExtensions: (userId, after, limit) => read<StoredExtension>(userId, extensions, [after, limit]),
    reportedErrors: (userId, since, limit) => read<ReportedError>(userId, errors, [since, limit]),
    async storedSize(userId) {
      const [row] = await read<{ contexts: number; bytes: number }>(userId, size, []);
      return row ?? { contexts: 0, bytes: 0 };
    },
    sizesByDay: (userId, sinceDay) => read<{ day: number; contexts: number; bytes: number }>(userId, sizesOfDays, [sinceDay]),
    readTombstones: (userId, after, limit) => read<StoredTombstone>(userId, tombstones, [after, limit]),
  };
}
