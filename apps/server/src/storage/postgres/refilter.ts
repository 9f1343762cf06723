import type { PageQuery, RefilterProgress, RefilterStore, StoredParts } from "../../refilter/refilter.store.js";
import { contextFromRow, type ContextRow } from "../context-columns.js";
import { millis, readColumns } from "./context-statements.js";
import { type Query, rowsOf, statement } from "./pool.js";
import { bumpRevisionFrom, writeTransaction } from "./transaction.js";
import { changesContexts, contextWrites, readOfUser, type UserDataStoreOptions } from "./user-data.js";

const readProgress = statement(
  `SELECT policy, run, "checkedTo", counts, ${millis("finishedAt")} FROM privacy_progress WHERE "userId" = $1`,
);

/** For each part, its next rows past the values of the keys, and how many at most. */
const pages = {
  contexts: {
    keys: ["contextId"],
    rows: statement(`SELECT ${readColumns} FROM contexts WHERE "userId" = $1 AND "contextId" > $2 ORDER BY "contextId" LIMIT $3::bigint`),
  },
  configs: {
    keys: ["extensionId"],
    rows: statement(`SELECT "extensionId", config FROM extensions WHERE "userId" = $1 AND "extensionId" > $2 AND config IS NOT NULL
      ORDER BY "extensionId" LIMIT $3::bigint`),
  },
  errors: {
    keys: ["seq"],
    rows: statement(`SELECT seq::float8 AS seq, code, message, details FROM extension_errors WHERE "userId" = $1 AND seq > $2::bigint
      ORDER BY extension_errors.seq LIMIT $3::bigint`),
  },
  fingerprints: {
    keys: ["extensionId", "messageId"],
    rows: statement(`SELECT "extensionId", "messageId", fingerprint FROM processed_messages
      WHERE "userId" = $1 AND ("extensionId", "messageId") > ($2, $3) ORDER BY "extensionId", "messageId" LIMIT $4::bigint`),
  },
};

const countContextsPast = statement(`SELECT count(*)::float8 AS count FROM contexts WHERE "userId" = $1 AND "contextId" > $2`);

const replaceConfig = statement(`UPDATE extensions SET config = $3 WHERE "userId" = $1 AND "extensionId" = $2`);

const replaceError = statement(
  `UPDATE extension_errors SET code = $3, message = $4, details = $5 WHERE "userId" = $1 AND seq = $2::bigint`,
);

const replaceFingerprint = statement(
  `UPDATE processed_messages SET fingerprint = $4 WHERE "userId" = $1 AND "extensionId" = $2 AND "messageId" = $3`,
);

const saveProgress = statement(`INSERT INTO privacy_progress ("userId", policy, run, "checkedTo", counts, "finishedAt", "updatedAt")
    SELECT "userId", $2, $3, $4, $5, to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000) FROM users WHERE "userId" = $1
    ON CONFLICT ("userId") DO UPDATE SET policy = excluded.policy, run = excluded.run, "checkedTo" = excluded."checkedTo", counts = excluded.counts,
      "finishedAt" = excluded."finishedAt", "updatedAt" = excluded."updatedAt"`);

/** Stored data that is filtered again. What becomes of removed rows is PostgreSQL's own: its vacuum, its log and its backups. */
export function createRefilterStore({ pool, queue, live }: UserDataStoreOptions): RefilterStore {
  return {
    async countContexts(userId, pastContextId) {
      const [row] = await rowsOf<{ count: number }>(pool, countContextsPast, [userId, pastContextId]);
      return row?.count ?? 0;
    },

    async read<Part extends keyof StoredParts>(userId: string, query?: PageQuery<Part>) {
      const read = await readOfUser(pool, userId, [[readProgress, [userId]], ...(query ? [pageQuery(userId, query)] : [])]);
      if (!read) return null;
      const { revision, rulesVersion } = read;
      const [progress, rows = []] = read.rows as [RawProgress[], unknown[]?];
      return {
        revision,
        rulesVersion,
        progress: progressOf(progress),
        rows: (query?.part === "contexts" ? (rows as ContextRow[]).map(contextFromRow) : rows) as Array<StoredParts[Part]>,
      };
    },

    commit: (userId, changes) =>
      queue.run(userId, async () => {
        const { revision, now, configs, errors, fingerprints, progress } = changes;
        const writes: Query[] = [
          ...(await contextWrites(userId, changes)),
          ...configs.map(({ extensionId, config }): Query => [replaceConfig, [userId, extensionId, config]]),
          ...errors.map(({ seq, code, message, details }): Query => [replaceError, [userId, seq, code, message, details]]),
          ...fingerprints.map((each): Query => [replaceFingerprint, [userId, each.extensionId, each.messageId, each.fingerprint]]),
        ];
        if (progress) {
          const { policy, run, checkedTo, counts, finishedAt } = progress;
          writes.push([saveProgress, [userId, policy, run, checkedTo, JSON.stringify(counts), finishedAt, now]]);
        }
        if (!(await writeTransaction(pool, [bumpRevisionFrom, [userId, revision]], writes))) return false;
        if (changesContexts(changes)) live.announce(userId);
        return true;
      }),
  };
}

function pageQuery(userId: string, { part, after, limit }: PageQuery): Query {
  const { keys, rows } = pages[part];
  const place: Record<string, unknown> = { ...after };
  return [rows, [userId, ...keys.map((key) => place[key]), limit]];
}

type RawProgress = Omit<RefilterProgress, "counts"> & { counts: string };

function progressOf([row]: RawProgress[]): RefilterProgress | null {
  return row ? { ...row, counts: JSON.parse(row.counts) as RefilterProgress["counts"] } : null;
}
