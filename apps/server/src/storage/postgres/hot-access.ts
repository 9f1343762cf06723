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

const touch: Statement = {
  name: "touch_key",
  text: `UPDATE api_keys SET "lastUsedAt" = to_timestamp($2::float8 / 1000) WHERE "keyId" = $1`,
};

/** What requests do with keys and rules, as prepared statements. */
export function hotAccess(pool: pg.Pool): {
  findKey(keyId: string): Promise<KeyRecord | null>;
  touchKey(keyId: string, at: number): Promise<void>;
  findRules(userId: string): Promise<StoredRules | null>;
} {
  return {
    async findKey(keyId) {
      const [row] = await rowsOf<RawKey>(pool, key, [keyId]);
      return row ? keyFromRow(row) : null;
    },
    async touchKey(keyId, at) {
      await rowsOf(pool, touch, [keyId, at]);
    },
    async findRules(userId) {
      const [row] = await rowsOf<RawRules>(pool, rules, [userId]);
      return row ? rulesFromRow(row) : null;
    },
  };
}
