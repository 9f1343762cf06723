import type { AccessStore } from "../access/access.store.js";
import type { RulesStore } from "../privacy/rules.store.js";
import { keyFromRow, type RawKey, type RawRules, rulesFromRow } from "./access.prisma-store.js";
import { type Sql, timeColumn } from "./sql.js";

/** Keys of people whom the owner has disabled are refused. */
const ofNoDisabledUser = `NOT EXISTS (SELECT 1 FROM auth_users a WHERE a."userId" = k."userId" AND a."disabledAt" IS NOT NULL)`;

/** Which column says since when a user's keys are used for something. */
const useColumns = { agent: '"agentUsedAt"', api: '"apiUsedAt"' } as const;

/** What is asked of users and keys for each request and at every start: Prisma takes longer, and 12 MB from its first use on. */
export function createAccessReads(sql: Sql) {
  const time = (column: string) => timeColumn(sql, column);
  const columnsOf = (hash: string) => `k."keyId", k."userId", k.name, ${hash}, k.scopes, k."maxPrivacyLevel"`;
  const ofKey = ["createdAt", "lastUsedAt", "revokedAt"].map(time).join(", ");
  const findKey = `SELECT ${columnsOf("k.hash")}, ${ofKey}, ${time("expiresAt")} FROM api_keys k WHERE "keyId" = $1 AND ${ofNoDisabledUser}`;
  const expiresFirst = `CASE WHEN k."expiresAt" < t."expiresAt" THEN k."expiresAt" ELSE t."expiresAt" END`;
  const findKeyOfToken = `SELECT ${columnsOf("t.hash")}, ${ofKey}, ${sql.millis(expiresFirst)} AS "expiresAt"
    FROM auth_tokens t JOIN api_keys k ON k."keyId" = t."keyId" WHERE t."tokenId" = $1 AND t.kind = 'access' AND ${ofNoDisabledUser}`;
  const validKeys = `SELECT "keyId" FROM api_keys k WHERE ${sql.isIn('"keyId"', "$1")} AND "revokedAt" IS NULL
    AND coalesce("expiresAt" > ${sql.time("$2")}, TRUE) AND ${ofNoDisabledUser}`;
  const findUses = `SELECT ${useColumns.agent} IS NOT NULL AS agent, ${useColumns.api} IS NOT NULL AS api FROM users WHERE "userId" = $1`;

  async function readKey(text: string, id: string, turnOf: string) {
    const [row] = await sql.read<RawKey>(turnOf, text, [id]);
    return row ? keyFromRow(row) : null;
  }

  return {
    findKey: (keyId, turnOf = keyId) => readKey(findKey, keyId, turnOf),
    findKeyOfToken: (tokenId, turnOf = tokenId) => readKey(findKeyOfToken, tokenId, turnOf),
    async validKeys(keyIds, now) {
      const rows = await sql.read<{ keyId: string }>("", validKeys, [sql.list(keyIds), now]);
      return new Set(rows.map(({ keyId }) => keyId));
    },
    async noteUse(userId, use, at) {
      const column = useColumns[use];
      await sql.write(userId, `UPDATE users SET ${column} = ${sql.time("$2")} WHERE "userId" = $1 AND ${column} IS NULL`, [userId, at]);
    },
    async findUses(userId) {
      // SQLite has numbers for true and false.
      const [uses] = await sql.read<Record<"agent" | "api", boolean | number>>(userId, findUses, [userId]);
      return { agent: Boolean(uses?.agent), api: Boolean(uses?.api) };
    },
    hasUser: async (userId) => (await sql.read(userId, 'SELECT 1 FROM users WHERE "userId" = $1', [userId])).length > 0,
    listUsers: () => sql.read("", `SELECT "userId", ${time("createdAt")} FROM users ORDER BY users."createdAt"`, []),
  } satisfies Partial<AccessStore>;
}

/** Whether there is any user or key. Keys first: every machine of a cluster has them, while a user may be on one that is down. */
export async function hasAnybody(sql: Sql): Promise<boolean> {
  const isAny = async (table: string) => (await sql.read("", `SELECT 1 FROM ${table} LIMIT 1`, [])).length > 0;
  return (await isAny("api_keys")) || (await isAny("users"));
}

/** A user's own privacy rules. */
export function findRules(sql: Sql): RulesStore["find"] {
  const text = `SELECT version, rules, ${timeColumn(sql, "updatedAt")} FROM privacy_rules WHERE "userId" = $1`;
  return async (userId) => {
    const [row] = await sql.read<RawRules>(userId, text, [userId]);
    return row ? rulesFromRow(row) : null;
  };
}
