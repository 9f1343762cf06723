import type pg from "pg";
import type {
  RefilterPage,
  RefilterPosition,
  RefilterProgress,
  RefilterStore,
  StoredConfig,
  StoredError,
  StoredFingerprint,
} from "../../refilter/refilter.store.js";
import type { RulesVersion } from "../../privacy/rules.store.js";
import type { PerUserQueue } from "../../workers/per-user-queue.js";
import { contextFromRow, type ContextRow } from "../context-columns.js";
import { millis, readColumns } from "./context-statements.js";
import { type Query, rowsOf, statement } from "./pool.js";
import { bumpRevisionFrom, readTogether, writeTransaction } from "./transaction.js";
import { contextWrites, readRevision, readRulesVersion } from "./user-data.js";

const readProgress = statement(
  `SELECT policy, run, "checkedTo", counts, ${millis("finishedAt")} FROM privacy_progress WHERE "userId" = $1`,
);

const readContextsPast = statement(
  `SELECT ${readColumns} FROM contexts WHERE "userId" = $1 AND "contextId" > $2 ORDER BY "contextId" LIMIT $3::bigint`,
);

const countContextsPast = statement(`SELECT count(*)::float8 AS count FROM contexts WHERE "userId" = $1 AND "contextId" > $2`);

const readConfigs =
  statement(`SELECT "extensionId", config FROM extensions WHERE "userId" = $1 AND "extensionId" > $2 AND config IS NOT NULL
    ORDER BY "extensionId" LIMIT $3::bigint`);

const readErrors =
  statement(`SELECT seq::float8 AS seq, code, message, details FROM extension_errors WHERE "userId" = $1 AND seq > $2::bigint
    ORDER BY extension_errors.seq LIMIT $3::bigint`);

const readFingerprints = statement(`SELECT "extensionId", "messageId", fingerprint FROM processed_messages
    WHERE "userId" = $1 AND ("extensionId", "messageId") > ($2, $3) ORDER BY "extensionId", "messageId" LIMIT $4::bigint`);

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
export function createRefilterStore(pool: pg.Pool, queue: PerUserQueue): RefilterStore {
  return {
    async countContexts(userId, pastContextId) {
      const [row] = await rowsOf<{ count: number }>(pool, countContextsPast, [userId, pastContextId]);
      return row?.count ?? 0;
    },

    async read(userId, after) {
      const results = await readTogether(pool, [
        [readRevision, [userId]],
        [readRulesVersion, [userId]],
        [readProgress, [userId]],
        ...pageQueries(userId, after),
      ]);
      const [users, rules, progress, ...parts] = results.map(({ rows }) => rows as unknown[]);
      const [user] = (users ?? []) as Array<{ revision: number }>;
      if (!user) return null;
      // Parts that were not asked for have no result.
      const next = <Row>(isAsked: unknown): Row[] => (isAsked === undefined ? [] : ((parts.shift() ?? []) as Row[]));
      const page: RefilterPage = {
        revision: user.revision,
        rulesVersion: ((rules ?? []) as RulesVersion[])[0] ?? null,
        progress: progressOf((progress ?? []) as RawProgress[]),
        contexts: next<ContextRow>(after.contexts).map(contextFromRow),
        configs: next<StoredConfig>(after.configs),
        errors: next<StoredError>(after.errors),
        fingerprints: next<StoredFingerprint>(after.fingerprints),
      };
      return page;
    },

    commit: (userId, changes) =>
      queue.run(userId, async () => {
        const { revision, now, configs, errors, fingerprints, progress } = changes;
        const writes: Query[] = [
          ...contextWrites(userId, changes),
          ...configs.map(({ extensionId, config }): Query => [replaceConfig, [userId, extensionId, config]]),
          ...errors.map(({ seq, code, message, details }): Query => [replaceError, [userId, seq, code, message, details]]),
          ...fingerprints.map((each): Query => [replaceFingerprint, [userId, each.extensionId, each.messageId, each.fingerprint]]),
        ];
        if (progress) {
          const { policy, run, checkedTo, counts, finishedAt } = progress;
          writes.push([saveProgress, [userId, policy, run, checkedTo, JSON.stringify(counts), finishedAt, now]]);
        }
        return (await writeTransaction(pool, [bumpRevisionFrom, [userId, revision]], writes)) !== undefined;
      }),
  };
}

function pageQueries(userId: string, { contexts, configs, errors, fingerprints }: RefilterPosition): Query[] {
  const queries: Query[] = [];
  if (contexts) queries.push([readContextsPast, [userId, contexts.contextId, contexts.limit]]);
  if (configs) queries.push([readConfigs, [userId, configs.extensionId, configs.limit]]);
  if (errors) queries.push([readErrors, [userId, errors.seq, errors.limit]]);
  if (fingerprints) queries.push([readFingerprints, [userId, fingerprints.extensionId, fingerprints.messageId, fingerprints.limit]]);
  return queries;
}

type RawProgress = Omit<RefilterProgress, "counts"> & { counts: string };

function progressOf([row]: RawProgress[]): RefilterProgress | null {
  return row ? { ...row, counts: JSON.parse(row.counts) as RefilterProgress["counts"] } : null;
}
