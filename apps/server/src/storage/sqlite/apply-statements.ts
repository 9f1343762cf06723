import type Database from "better-sqlite3";
import type { ApplyCounts } from "../../privacy-apply/apply-counts.js";
import type {
  ApplyProgress,
  ApplyRows,
  ApplyTransaction,
  StoredConfig,
  StoredError,
  StoredFingerprint,
} from "../../privacy-apply/apply.store.js";
import type { RulesEdition } from "../../privacy/rules.store.js";
import { fromRow, type RawRow, toRow } from "../context-row.js";
import { SearchIndex } from "./search-index.js";

/** Whatever is written under a policy, named last, has not passed any other. */
export const forgetProgressSql = "DELETE FROM privacy_progress WHERE userId = ? AND policy <> ?";

interface RawProgress {
  policy: string;
  run: string;
  seq: number;
  counts: string;
  finishedAt: number | null;
}

/** Reads of what is filtered again, prepared on one connection. */
export function applyReads(connection: Database.Database): (userId: string) => ApplyRows {
  const rulesEdition = connection.prepare<[string], RulesEdition>("SELECT version, updatedAt FROM privacy_rules WHERE userId = ?");
  const progress = connection.prepare<[string], RawProgress>(
    "SELECT policy, run, seq, counts, finishedAt FROM privacy_progress WHERE userId = ?",
  );
  // The plus leaves the choice of the index to the user: by the number alone, everybody's contexts would be read.
  const arrivals = connection
    .prepare<[string, number], number>("SELECT seq FROM contexts WHERE userId = ? AND +seq > ? ORDER BY +seq")
    .pluck();
  const context = connection.prepare<[number, string], RawRow>("SELECT * FROM contexts WHERE seq = ? AND userId = ?");
  const configs = connection.prepare<[string, string, number], StoredConfig>(
    "SELECT extensionId, config FROM extensions WHERE userId = ? AND extensionId > ? AND config IS NOT NULL ORDER BY extensionId LIMIT ?",
  );
  const errors = connection.prepare<[string, number, number], StoredError>(
    "SELECT seq, code, message, details FROM extension_errors WHERE userId = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  const fingerprints = connection.prepare<[string, string, string, number], StoredFingerprint>(
    `SELECT extensionId, messageId, fingerprint FROM processed_messages
     WHERE userId = ? AND (extensionId, messageId) > (?, ?) ORDER BY extensionId, messageId LIMIT ?`,
  );
  // Prisma's adapter has integers read as BigInt; these are counts, places and times, and safe as numbers.
  for (const statement of [rulesEdition, progress, arrivals, context, errors]) statement.safeIntegers(false);

  return (userId) => ({
    rulesEdition: async () => rulesEdition.get(userId) ?? null,
    async progress() {
      const row = progress.get(userId);
      return row ? { ...row, counts: JSON.parse(row.counts) as ApplyCounts } : null;
    },
    arrivals: async (after) => arrivals.all(userId, after),
    async context(seq) {
      const row = context.get(seq, userId);
      return row ? fromRow(row) : null;
    },
    configs: async (after, limit) => configs.all(userId, after, limit),
    errors: async (after, limit) => errors.all(userId, after, limit),
    fingerprints: async ({ extensionId, messageId }, limit) => fingerprints.all(userId, extensionId, messageId, limit),
  });
}

/** Writes of what was filtered again, prepared on the connection that transactions have. */
export function applyWrites(connection: Database.Database): (userId: string) => Omit<ApplyTransaction, keyof ApplyRows | "removeContext"> {
  const filtered = ["privacyLevel", "contentFormat", "url", "title", "tabMetadata", "metadata", "plainText", "content"] as const;
  const replaceContext = connection.prepare(
    `UPDATE contexts SET ${filtered.map((column) => `"${column}" = ?`).join(", ")} WHERE seq = ? AND userId = ?`,
  );
  const replaceConfig = connection.prepare("UPDATE extensions SET config = ? WHERE userId = ? AND extensionId = ?");
  const replaceError = connection.prepare("UPDATE extension_errors SET code = ?, message = ?, details = ? WHERE userId = ? AND seq = ?");
  const replaceFingerprint = connection.prepare(
    "UPDATE processed_messages SET fingerprint = ? WHERE userId = ? AND extensionId = ? AND messageId = ?",
  );
  const saveProgress = connection.prepare(
    `INSERT INTO privacy_progress (userId, policy, run, seq, counts, finishedAt, updatedAt)
     SELECT userId, ?, ?, ?, ?, ?, ? FROM users WHERE userId = ?
     ON CONFLICT (userId) DO UPDATE SET policy = excluded.policy, run = excluded.run, seq = excluded.seq, counts = excluded.counts,
       finishedAt = excluded.finishedAt, updatedAt = excluded.updatedAt`,
  );
  const forgetProgress = connection.prepare<[string, string]>(forgetProgressSql);
  const index = new SearchIndex(connection);

  return (userId) => ({
    async replaceContext(seq, context) {
      const row = toRow(context);
      replaceContext.run(...filtered.map((column) => row[column]), seq, userId);
      index.put(userId, [context]);
    },
    replaceConfig: async ({ extensionId, config }) => void replaceConfig.run(config, userId, extensionId),
    replaceError: async ({ seq, code, message, details }) => void replaceError.run(code, message, details, userId, seq),
    replaceFingerprint: async ({ extensionId, messageId, fingerprint }) =>
      void replaceFingerprint.run(fingerprint, userId, extensionId, messageId),
    saveProgress: async ({ policy, run, seq, counts, finishedAt }: ApplyProgress, at) =>
      void saveProgress.run(policy, run, seq, JSON.stringify(counts), finishedAt, at, userId),
    forgetProgress: async (policy) => void forgetProgress.run(userId, policy),
  });
}
