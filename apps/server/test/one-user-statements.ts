/** Tables whose rows are spread over the machines of a cluster, by user. */
const spread =
  "users|contexts|tombstones|processed_messages|extensions|extension_errors|privacy_rules|retention_rules|usage_by_day|privacy_progress|rate_windows|search_terms|key_uses|live_changes|live_tickets";

/** Where a statement names such a table to read or to write it, in the driver's SQL or in Prisma's. */
const named = new RegExp(`\\b(?:FROM|JOIN|UPDATE|USING|INTO)\\s+(?:"public"\\.)?"?(?:${spread})\\b`, "g");

/** An equality of a user's column with a value, or with the user's column of another table. */
const equality = /"userId" = (?:\$\d+|\w+\."userId")/g;

/**
 * A row that is written with a value as its user, or rows with the user of rows that are of one. Rows of a SELECT with the value itself are
 * made by the machine that was asked, and copied from there to the user's.
 */
const ofOneUser =
  /^INSERT INTO (?:"public"\.)?"?\w+"? (?:AS \w+ )?\("userId"[^)]*\)\s+(?:SELECT\s+(?:\w+\.)?"userId",|VALUES \(\s*\$1\b)(?!.*\), \()/s;

/** Statements of requests that are not of one user, each with why it may be so where users are spread over machines. */
const ofRequests: ReadonlyArray<readonly [what: RegExp, why: string]> = [
  [/^(?:BEGIN|COMMIT|ROLLBACK|SET LOCAL|SAVEPOINT|RELEASE|SELECT 1$)\b/, "a transaction"],
  [
    /^SELECT [^;]* FROM api_keys k\s+WHERE "keyId" = (?:\$1 AND NOT EXISTS \(SELECT 1 FROM auth_users|ANY \(\$1)|^SELECT 1 FROM api_keys LIMIT 1$/,
    "every machine has the keys",
  ],
  [
    /^SELECT 1 FROM contexts WHERE "contextId" = \$1 AND "userId" <> \$2 LIMIT 1$/,
    "whether anybody else has a context that the user has not",
  ],
  [
    /^(?:SELECT [^;()]* FROM|SELECT count\(\*\)\S* (?:AS \w+ )?FROM|INSERT INTO|UPDATE|DELETE FROM) (?:"public"\.)?"?(?:auth_\w+|invites)\b(?!.*\b(?:FROM|JOIN|USING)\b)/s,
    "every machine has accounts, their sessions and invites",
  ],
  [/^SELECT [^;]* FROM auth_tokens t JOIN api_keys k ON [^;]* WHERE t\."tokenId" = \$1 /, "every machine has the keys, and their tokens"],
  [
    /^DELETE FROM auth_clients WHERE "clientId" IN \(SELECT "clientId" FROM auth_clients c\s+WHERE NOT EXISTS \(SELECT 1 FROM auth_tokens t /,
    "every machine has the programs, and their tokens",
  ],
  [/^SELECT pg_is_in_recovery\(\) OR [^;]* EXISTS \(SELECT FROM api_keys\)$/, "whether the database can be read and written"],
  [
    /^WITH room AS MATERIALIZED \(SELECT repeat\([^;]* FROM room$|^SELECT set_config\('work_mem', '64kB', true\)/,
    "whether its disk has space",
  ],
  [/^SELECT pg_notify\(|^LISTEN /, "the notifications of the live channel"],
  [
    /^SELECT "userId", revision::float8 AS revision FROM users WHERE "userId" = ANY \(\$1::text\[\]\)$/,
    "whether users of the live channel have new changes",
  ],
  [/^SELECT coalesce\(\$1::float8, extract\(epoch FROM now\(\)\)::float8 \* 1000\) AS at$/, "the clock by which requests are counted"],
];

/** Statements beside requests: of the start, of the hourly cleaning, of commands about users and keys, and of the proof that a user is erased. */
const besideRequests: readonly RegExp[] = [
  /pg_(?:try_)?advisory_(?:xact_)?(?:un)?lock|extract\(epoch FROM min\(|^DELETE FROM (?:rate_windows|processed_messages|tombstones|live_changes|live_tickets|auth_\w+|invites|usage_by_day) WHERE "?(?:window|processedAt|storedAt|at|expiresAt|day)"? </,
  /^DELETE FROM auth_clients c WHERE "createdAt" < [^;]* FROM auth_tokens t /,
  /"api_keys"|FROM key_uses$|^UPDATE api_keys\b/,
  /^SELECT "userId", [^;]* FROM users ORDER BY users\."createdAt"$|^SELECT 1 FROM users LIMIT 1$|^SELECT "public"\."users"\."userId" FROM "public"\."users" WHERE 1=1 (?:ORDER BY [^;]*)?LIMIT/,
  /^SELECT table_name AS name FROM information_schema\.columns\b|^SELECT count\(DISTINCT t\.text\)/,
];

/**
 * Whether a statement is of one user, named by a value, so that it runs on one machine of many: wherever it names a table that is spread
 * by user, it compares the user's column, or writes rows of one user.
 */
export function isOfOneUser(sql: string): boolean {
  const tables = sql.match(named)?.length ?? 0;
  const equalities = sql.match(equality)?.length ?? 0;
  return tables > 0 && equalities + (ofOneUser.test(sql) ? 1 : 0) >= tables;
}

/** Whether a request may send a statement: it is of one user, or there is a reason. */
export function isOfARequest(sql: string): boolean {
  return isOfOneUser(sql) || ofRequests.some(([what]) => what.test(sql));
}

/** A cluster refuses these: a function in RETURNING, and a clock within coalesce or CASE of an UPDATE or DELETE. */
const refused = [/\bRETURNING\b.*\w\(/s, /^(?:UPDATE|DELETE)\b.*\b(?:coalesce|CASE)\b.*\bnow\(/s];

/** Whether the service may send a statement, for a request or beside them. */
export function isOfTheService(sql: string): boolean {
  if (refused.some((what) => what.test(sql))) return false;
  return isOfARequest(sql) || besideRequests.some((what) => what.test(sql));
}
