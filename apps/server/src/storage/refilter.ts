import type { RefilterCounts, RefilterProgress } from "../contexts/refiltered.js";
import type { PageQuery, RefilterPage, RefilterStore, StoredParts } from "../refilter/refilter.store.js";
import { contextFromRow, type ContextRow, readColumns } from "./context-columns.js";
import { type Sql, timeColumn } from "./sql.js";

export function createRefilterStore(sql: Sql): RefilterStore {
  const readVersions = `SELECT CAST(u.revision AS float8) AS revision, r.version, ${sql.millis('r."updatedAt"')} AS "updatedAt"
    FROM users u LEFT JOIN privacy_rules r ON r."userId" = u."userId" WHERE u."userId" = $1`;
  const readProgress = `SELECT policy, run, "checkedTo", counts, ${timeColumn(sql, "finishedAt")} FROM privacy_progress WHERE "userId" = $1`;
  /** For each part: its rows past the values of the keys. The order names the table's columns: others under the same name have no index. */
  const pages = {
    contexts: {
      keys: ["contextId"],
      rows: `SELECT ${readColumns(sql)} FROM contexts WHERE "userId" = $1 AND "contextId" > $2 ORDER BY contexts."contextId" LIMIT $3`,
    },
    configs: {
      keys: ["extensionId"],
      rows: `SELECT "extensionId", config FROM extensions WHERE "userId" = $1 AND "extensionId" > $2 AND config IS NOT NULL
        ORDER BY "extensionId" LIMIT $3`,
    },
    errors: {
      keys: ["seq"],
      rows: `SELECT CAST(seq AS float8) AS seq, code, message, details FROM extension_errors WHERE "userId" = $1 AND seq > $2
        ORDER BY extension_errors.seq LIMIT $3`,
    },
    fingerprints: {
      keys: ["extensionId", "messageId"],
      rows: `SELECT "extensionId", "messageId", fingerprint FROM processed_messages
        WHERE "userId" = $1 AND ("extensionId", "messageId") > ($2, $3) ORDER BY "extensionId", "messageId" LIMIT $4`,
    },
  };

  async function readPage(userId: string, { part, after, limit }: PageQuery): Promise<unknown[]> {
    const { keys, rows } = pages[part];
    const place: Record<string, unknown> = { ...after };
    const found = await sql.read(userId, rows, [userId, ...keys.map((key) => place[key]), limit]);
    return part === "contexts" ? (found as ContextRow[]).map(contextFromRow) : found;
  }

  return {
    async countContexts(userId, pastContextId) {
      const text = `SELECT CAST(count(*) AS float8) AS count FROM contexts WHERE "userId" = $1 AND "contextId" > $2`;
      const [row] = await sql.read<{ count: number }>(userId, text, [userId, pastContextId]);
      return row?.count ?? 0;
    },

    async read<Part extends keyof StoredParts>(userId: string, query?: PageQuery<Part>): Promise<RefilterPage<Part> | null> {
      // The revision first: should anything change after it, a commit finds that out.
      const [versions] = await sql.read<{ revision: number; version: number | null; updatedAt: number }>(userId, readVersions, [userId]);
      if (!versions) return null;
      const { revision, version, updatedAt } = versions;
      const [progress] = await sql.read<RefilterProgress & { counts: string }>(userId, readProgress, [userId]);
      return {
        revision,
        rulesVersion: version === null ? null : { version, updatedAt },
        progress: progress ? { ...progress, counts: JSON.parse(progress.counts) as RefilterCounts } : null,
        rows: (query ? await readPage(userId, query) : []) as Array<StoredParts[Part]>,
      };
    },
  };
}
