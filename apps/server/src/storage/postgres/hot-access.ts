import type pg from "pg";
import type { KeyRecord } from "../../access/access.store.js";
import type { StoredRules } from "../../privacy/rules.store.js";
import { keyFromRow, type RawKey } from "../access.prisma-store.js";
import { type RawRules, rulesFromRow } from "../rules.prisma-store.js";
import { millis } from "./context-columns.js";
import { rowsOf, type Statement } from "./pool.js";

const key: Statement = {
  name: "find_key",
  text: `SELECT "keyId", "userId", name, hash, scopes, "maxPrivacyLevel", ${["createdAt", "expiresAt", "lastUsedAt", "revokedAt"].map(millis).join(", ")}
    FROM api_keys WHERE "keyId" = $1`,
};

const rules: Statement = {
  name: "find_rules",
  text: `SELECT version, rules, ${millis("updatedAt")} FROM privacy_rules WHERE "userId" = $1`,
};

/** One row when the key has been used before. */
const touchAgain: Statement = {
  name: "touch_key",
  text: `UPDATE key_uses SET "lastUsedAt" = to_timestamp($3::float8 / 1000) WHERE "userId" = $1 AND "keyId" = $2 RETURNING 1`,
};

/** Without effect when the user is gone. */
const touchFirst: Statement = {
  name: "touch_key_first",
  text: `INSERT INTO key_uses AS u ("userId", "keyId", "lastUsedAt")
    SELECT "userId", $2, to_timestamp($3::float8 / 1000) FROM users WHERE "userId" = $1
    ON CONFLICT ("userId", "keyId") DO UPDATE SET "lastUsedAt" = greatest(u."lastUsedAt", excluded."lastUsedAt")`,
};

const usesOfAll: Statement = { name: "read_key_uses", text: `SELECT "keyId", ${millis("lastUsedAt")} FROM key_uses` };
const usesOfUser: Statement = { name: "read_key_uses_of_user", text: `${usesOfAll.text} WHERE "userId" = $1` };

/** What requests do with keys and rules, as prepared statements. */
export function hotAccess(pool: pg.Pool): {
  findKey(keyId: string): Promise<KeyRecord | null>;
  touchKey(key: Pick<KeyRecord, "keyId" | "userId">, at: number): Promise<void>;
  /** The keys with their last uses, which are not kept with them. */
  withUses(keys: readonly KeyRecord[], userId: string | undefined): Promise<KeyRecord[]>;
  findRules(userId: string): Promise<StoredRules | null>;
} {
  return {
    async findKey(keyId) {
      const [row] = await rowsOf<RawKey>(pool, key, [keyId]);
      return row ? keyFromRow(row) : null;
    },
    async touchKey({ userId, keyId }, at) {
      const values = [userId, keyId, at];
      const again = await rowsOf(pool, touchAgain, values);
      // Costlier where users are spread over machines.
      if (again.length === 0) await rowsOf(pool, touchFirst, values);
    },
    async withUses(keys, userId) {
      const [statement, values] = userId === undefined ? [usesOfAll, []] : [usesOfUser, [userId]];
      const uses = await rowsOf<{ keyId: string; lastUsedAt: number }>(pool, statement, values);
      const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
      return keys.map((record) => ({ ...record, lastUsedAt: lastUses.get(record.keyId) ?? record.lastUsedAt }));
    },
    async findRules(userId) {
      const [row] = await rowsOf<RawRules>(pool, rules, [userId]);
      return row ? rulesFromRow(row) : null;
    },
  };
}
