import { contextColumns, millis, writtenColumns } from "./context-columns.js";
import type { Statement } from "./pool.js";

// Every statement names the user first, and takes any number of rows as arrays: one text each, prepared once a connection.
// Rows that are made of arrays take their user from the user's row, which the transaction has locked: so a cluster sees where they
// belong, and has them made there; with the value itself it makes them on the coordinator and copies them.

const sentNames = writtenColumns.map(({ name }) => `"${name}"`).join(", ");
const sentArrays = writtenColumns.map(({ sentAs }, index) => `$${index + 2}::${sentAs}`).join(", ");
const made = writtenColumns.map(({ name, made: make }) => (make ? make(`r."${name}"`) : `r."${name}"`));

/** Holds up every other writer of the user until the transaction ends. One row when there is such a user. */
export const lockUser: Statement = { name: "lock_user", text: `SELECT 1 FROM users WHERE "userId" = $1 FOR NO KEY UPDATE` };

export const readProcessed: Statement = {
  name: "read_processed",
  text: `SELECT p."extensionId", p."messageId", p.fingerprint, p."privacyLevel", p.result, ${millis("processedAt")}
    FROM unnest($2::text[], $3::text[]) AS k("extensionId", "messageId")
    JOIN processed_messages p ON p."userId" = $1 AND p."extensionId" = k."extensionId" AND p."messageId" = k."messageId"`,
};

export const readContexts: Statement = {
  name: "read_contexts",
  text: `SELECT ${contextColumns}, "plainText" FROM contexts WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`,
};

export const readTombstones: Statement = {
  name: "read_tombstones",
  text: `SELECT "contextId", ${millis("deletedAt")} FROM tombstones WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`,
};

export const readRulesEdition: Statement = {
  name: "read_rules_edition",
  text: `SELECT version, ${millis("updatedAt")} FROM privacy_rules WHERE "userId" = $1`,
};

/** The order of arrival goes on from the user's last: no other writer of the user is at work. */
export const insertContexts: Statement = {
  name: "insert_contexts",
  text: `INSERT INTO contexts ("userId", seq, ${sentNames})
    SELECT u."userId", r.place + coalesce((SELECT max(seq) FROM contexts WHERE "userId" = $1), 0), ${made.join(", ")}
    FROM users u, unnest(${sentArrays}) WITH ORDINALITY AS r(${sentNames}, place) WHERE u."userId" = $1`,
};

export const replaceContexts: Statement = {
  name: "replace_contexts",
  text: `UPDATE contexts c SET ${writtenColumns.map(({ name }, index) => `"${name}" = ${made[index]}`).join(", ")}
    FROM unnest(${sentArrays}) AS r(${sentNames}) WHERE c."userId" = $1 AND c."contextId" = r."contextId"`,
};

export const markViewed: Statement = {
  name: "mark_viewed",
  text: `UPDATE contexts c SET "lastSeenAt" = to_timestamp(r.at / 1000)
    FROM unnest($2::text[], $3::float8[]) AS r("contextId", at) WHERE c."userId" = $1 AND c."contextId" = r."contextId"`,
};

export const deleteContexts: Statement = {
  name: "delete_contexts",
  text: `DELETE FROM contexts WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`,
};

export const deleteTombstones: Statement = {
  name: "delete_tombstones",
  text: `DELETE FROM tombstones WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`,
};

export const writeTombstones: Statement = {
  name: "write_tombstones",
  text: `INSERT INTO tombstones ("userId", "contextId", "deletedAt", "storedAt")
    SELECT u."userId", r."contextId", to_timestamp(r.at / 1000), to_timestamp($4::float8 / 1000)
    FROM users u, unnest($2::text[], $3::float8[]) AS r("contextId", at) WHERE u."userId" = $1
    ON CONFLICT ("userId", "contextId") DO UPDATE SET "deletedAt" = excluded."deletedAt", "storedAt" = excluded."storedAt"`,
};

/** The later time it was seen, the newer config. */
export const writeExtensions: Statement = {
  name: "write_extensions",
  text: `INSERT INTO extensions AS e ("userId", "extensionId", "lastSeenAt", config, "configAt")
    SELECT u."userId", r."extensionId", to_timestamp(r.seen / 1000), r.config, to_timestamp(r.at / 1000)
    FROM users u, unnest($2::text[], $3::float8[], $4::text[], $5::float8[]) AS r("extensionId", seen, config, at) WHERE u."userId" = $1
    ON CONFLICT ("userId", "extensionId") DO UPDATE SET
      "lastSeenAt" = greatest(e."lastSeenAt", excluded."lastSeenAt"),
      config = CASE WHEN excluded."configAt" >= coalesce(e."configAt", excluded."configAt") THEN excluded.config ELSE e.config END,
      "configAt" = greatest(e."configAt", excluded."configAt")`,
};

export const insertErrors: Statement = {
  name: "insert_errors",
  text: `INSERT INTO extension_errors ("userId", seq, "extensionId", code, message, details, "occurredAt")
    SELECT u."userId", r.place + coalesce((SELECT max(seq) FROM extension_errors WHERE "userId" = $1), 0),
      r."extensionId", r.code, r.message, r.details, to_timestamp(r.at / 1000)
    FROM users u,
      unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::float8[]) WITH ORDINALITY AS r("extensionId", code, message, details, at, place)
    WHERE u."userId" = $1`,
};

/** Forgets all but the newest `$2`. */
export const trimErrors: Statement = {
  name: "trim_errors",
  text: `DELETE FROM extension_errors WHERE "userId" = $1
    AND seq <= (SELECT seq FROM extension_errors WHERE "userId" = $1 ORDER BY seq DESC OFFSET $2 LIMIT 1)`,
};

export const insertProcessed: Statement = {
  name: "insert_processed",
  text: `INSERT INTO processed_messages ("userId", "extensionId", "messageId", fingerprint, "privacyLevel", result, "processedAt")
    SELECT u."userId", r.*, to_timestamp($7::float8 / 1000)
    FROM users u, unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS r WHERE u."userId" = $1`,
};
