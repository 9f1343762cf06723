import { limits } from "@periscope/schemas";
import type pg from "pg";
import { levelsUpTo } from "../../access/access.store.js";
import type { ProcessedMessage, UserChanges, UserDataStore } from "../../contexts/context.store.js";
import type { RulesVersion } from "../../privacy/rules.store.js";
import type { PerUserQueue } from "../../workers/per-user-queue.js";
import { contextFromRow, type ContextRow, readColumns } from "../context-columns.js";
import {
  arrayOf,
  deleteContexts,
  insertContexts,
  markViewed,
  millis,
  replaceContexts,
  toArrays,
  writeTombstones,
} from "./context-statements.js";
import { type PostgresLiveStore, recordRemovals, recordWrites } from "./live.js";
import { type Query, rowsOf, statement, bumpRevisionFrom, readTogether, writeTransaction } from "./pool.js";
import { dialect } from "./sql.js";
import { additions, removals } from "./search-index.js";

const readRevision = statement(`SELECT revision::float8 AS revision FROM users WHERE "userId" = $1`);
const readRulesVersion = statement(`SELECT version, ${millis("updatedAt")} FROM privacy_rules WHERE "userId" = $1`);

const readProcessed = statement(`SELECT p."extensionId", p."messageId", p.fingerprint, p."privacyLevel", p.result, ${millis("processedAt")}
    FROM unnest($2::text[], $3::text[]) AS k("extensionId", "messageId")
    JOIN processed_messages p ON p."userId" = $1 AND p."extensionId" = k."extensionId" AND p."messageId" = k."messageId"`);

const loadedColumns = readColumns(dialect, {
  plainText: 'CASE WHEN "contextId" = ANY ($3::text[]) THEN "plainText" END',
  content: `CASE WHEN "contextId" = ANY ($3::text[]) THEN content ELSE '' END`,
});
const readContexts = statement(`SELECT ${loadedColumns} FROM contexts WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`);

const readTextBytes = statement(`SELECT coalesce(sum(octet_length(content) + coalesce(octet_length("plainText"), 0)), 0)::float8 AS bytes
    FROM contexts WHERE "userId" = $1 AND "contextId" = ANY ($2::text[]) AND "privacyLevel" = ANY ($3::text[])`);

const readTombstones = statement(
  `SELECT "contextId", ${millis("deletedAt")} FROM tombstones WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`,
);

const deleteTombstones = statement(`DELETE FROM tombstones WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`);

/** The later time it was seen, the newer config. */
const writeExtensions = statement(`INSERT INTO extensions AS e ("userId", "extensionId", "lastSeenAt", config, "configAt", "keyId")
    SELECT u."userId", r."extensionId", to_timestamp(r.seen / 1000), r.config, to_timestamp(r.at / 1000), r."keyId"
    FROM users u, unnest($2::text[], $3::float8[], $4::text[], $5::float8[], $6::text[]) AS r("extensionId", seen, config, at, "keyId")
    WHERE u."userId" = $1
    ON CONFLICT ("userId", "extensionId") DO UPDATE SET "keyId" = coalesce(excluded."keyId", e."keyId"),
      "lastSeenAt" = greatest(e."lastSeenAt", excluded."lastSeenAt"),
      config = CASE WHEN excluded."configAt" >= coalesce(e."configAt", excluded."configAt") THEN excluded.config ELSE e.config END,
      "configAt" = greatest(e."configAt", excluded."configAt")`);

const insertErrors = statement(`INSERT INTO extension_errors ("userId", seq, "extensionId", code, message, details, "occurredAt")
    SELECT u."userId", r.place + coalesce((SELECT max(seq) FROM extension_errors WHERE "userId" = $1), 0),
      r."extensionId", r.code, r.message, r.details, to_timestamp(r.at / 1000)
    FROM users u,
      unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::float8[]) WITH ORDINALITY AS r("extensionId", code, message, details, at, place)
    WHERE u."userId" = $1`);

/** Drops all but the newest `$2`. */
const trimErrors = statement(`DELETE FROM extension_errors WHERE "userId" = $1
    AND seq <= (SELECT seq FROM extension_errors WHERE "userId" = $1 ORDER BY seq DESC OFFSET $2 LIMIT 1)`);

const insertProcessed =
  statement(`INSERT INTO processed_messages ("userId", "extensionId", "messageId", fingerprint, "privacyLevel", result, "processedAt")
    SELECT u."userId", r."extensionId", r."messageId", r.fingerprint, r.level, r.result, to_timestamp(r.at / 1000)
    FROM users u, unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[])
      AS r("extensionId", "messageId", fingerprint, level, result, at) WHERE u."userId" = $1`);

/** What is written under a policy, `$2`, has not passed any other. */
const dropProgress = statement(`DELETE FROM privacy_progress WHERE "userId" = $1 AND policy <> $2`);

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

export interface UserDataStoreOptions {
  pool: pg.Pool;
  /** Of one user one write goes at a time. */
  queue: PerUserQueue;
  live: PostgresLiveStore;
}

/** Reads and writes of one user's data. PostgreSQL shares flushes to disk among users by itself. */
export function createUserDataStore({ pool, queue, live }: UserDataStoreOptions): UserDataStore {
  return {
    async load(userId, { messages, contextIds, updatedIds = [] }) {
      const keys = [messages.map(({ extensionId }) => extensionId), messages.map(({ messageId }) => messageId)];
      const results = await readTogether(pool, [
        [readRevision, [userId]],
        [readRulesVersion, [userId]],
        [readProcessed, [userId, ...keys]],
        [readContexts, [userId, contextIds, updatedIds]],
        [readTombstones, [userId, contextIds]],
      ]);
      const [users, rules, processed, contexts, tombstones] = results.map(({ rows }) => rows) as [
        Array<{ revision: number }>,
        RulesVersion[],
        ProcessedMessage[],
        ContextRow[],
        Array<{ contextId: string; deletedAt: number }>,
      ];
      const [user] = users;
      if (!user) return null;
      return {
        revision: user.revision,
        rulesVersion: rules[0] ?? null,
        processed,
        contexts: contexts.map(contextFromRow),
        tombstones: new Map(tombstones.map(({ contextId, deletedAt }) => [contextId, deletedAt])),
      };
    },

    async textBytes({ userId, maxPrivacyLevel }, contextIds) {
      const [row] = await rowsOf<{ bytes: number }>(pool, readTextBytes, [userId, contextIds, levelsUpTo(maxPrivacyLevel)]);
      return row?.bytes ?? 0;
    },

    commit: (userId, changes) =>
      queue.run(userId, async () => {
        const first: Query = [bumpRevisionFrom, [userId, changes.revision]];
        const writes = [
          ...(await contextWrites(userId, changes)),
          ...[...otherWrites(changes), ...refilteredWrites(changes)].map(([statement, values]): Query => [statement, [userId, ...values]]),
        ];
        if (!(await writeTransaction(pool, first, writes))) return false;
        if (changesContexts(changes)) live.announce(userId);
        return true;
      }),
  };
}

/** Whether a write changes contexts, of which the live channel tells. */
function changesContexts({ created, replaced, viewed, removed }: UserChanges): boolean {
  return created.length + replaced.length + viewed.length + removed.length > 0;
}

/** The statements that change contexts and their entries in the search index, and record the changes for the live channel. */
async function contextWrites(userId: string, { policy, now, replaced, removed, created, viewed }: UserChanges): Promise<Query[]> {
  const removedIds = removed.map(({ contextId }) => contextId);
  const writes: Query[] = [[dropProgress, [userId, policy]]];
  const reindexed = replaced.flatMap((context) => (context.search ? [{ ...context, search: context.search }] : []));
  writes.push(...recordRemovals(userId, removedIds, now), ...recordWrites(userId, { created, replaced, viewed, removed, now }));
  writes.push(...removals(userId, [...reindexed.map(({ contextId }) => contextId), ...removedIds]));
  if (removed.length > 0) {
    writes.push([deleteContexts, [userId, removedIds]]);
    writes.push([writeTombstones, [userId, removedIds, removed.map(({ deletedAt }) => deletedAt), now]]);
  }
  if (replaced.length > 0) writes.push([replaceContexts, [userId, ...toArrays(replaced)]]);
  if (viewed.length > 0) {
    const times = [viewed.map(({ viewedAt }) => viewedAt), viewed.map(({ lastSeenAt }) => lastSeenAt)];
    writes.push([markViewed, [userId, viewed.map(({ contextId }) => contextId), ...times]]);
  }
  if (created.length > 0) writes.push([insertContexts, [userId, ...toArrays(created)]]);
  writes.push(...(await additions(userId, [...reindexed, ...created])));
  return writes;
}

/** The other statements of a request; their values follow the user. */
function otherWrites({ revived, extensions, errors, processed }: UserChanges): Query[] {
  const writes: Query[] = [];
  if (revived.length > 0) writes.push([deleteTombstones, [revived]]);
  if (extensions.length > 0)
    writes.push([
      writeExtensions,
      [
        extensions.map(({ extensionId }) => extensionId),
        extensions.map(({ lastSeenAt }) => lastSeenAt),
        extensions.map(({ config }) => config?.json ?? null),
        extensions.map(({ config }) => config?.at ?? null),
        extensions.map(({ keyId }) => keyId ?? null),
      ],
    ]);
  if (errors.length > 0) {
    const names = ["extensionId", "code", "message", "details", "occurredAt"] as const;
    const columns = names.map((name) => errors.map((error) => error[name]));
    writes.push([insertErrors, columns], [trimErrors, [limits.extensionErrorsMax]]);
  }
  if (processed.length > 0) {
    const names = ["extensionId", "messageId", "fingerprint", "privacyLevel", "result"] as const;
    const columns = names.map((name) => arrayOf("text[]", processed, (message) => message[name]));
    writes.push([insertProcessed, [...columns, processed.map(({ processedAt }) => processedAt)]]);
  }
  return writes;
}

/** The statements of data that is filtered again, beside contexts; their values follow the user. */
function refilteredWrites({ refiltered, now }: UserChanges): Query[] {
  if (!refiltered) return [];
  const { configs, errors, fingerprints, progress } = refiltered;
  const writes: Query[] = [
    ...configs.map(({ extensionId, config }): Query => [replaceConfig, [extensionId, config]]),
    ...errors.map(({ seq, code, message, details }): Query => [replaceError, [seq, code, message, details]]),
    ...fingerprints.map(({ extensionId, messageId, fingerprint }): Query => [replaceFingerprint, [extensionId, messageId, fingerprint]]),
  ];
  if (progress) {
    const { policy, run, checkedTo, counts, finishedAt } = progress;
    writes.push([saveProgress, [policy, run, checkedTo, JSON.stringify(counts), finishedAt, now]]);
  }
  return writes;
}
