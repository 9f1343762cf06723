import type pg from "pg";
import type { ApplyCounts } from "../../privacy-apply/apply-counts.js";
import type {
  ApplyProgress,
  ApplyRows,
  ApplyStore,
  ApplyTransaction,
  StoredConfig,
  StoredError,
  StoredFingerprint,
} from "../../privacy-apply/apply.store.js";
import { fromRow, type RawRow } from "../context-row.js";
import * as statements from "./apply-statements.js";
import { addedToCounts, addToCounts, takeFromCounts } from "./context-counts.js";
import { type Connection, rowsOf } from "./pool.js";
import { removeStored } from "./remove-context.js";
import { lockUser } from "./sync-statements.js";
import { additions, removals } from "./search-index.js";
import { rulesEditionOf } from "./sync-store.js";
import { transact, type Transaction } from "./transaction.js";
import type { UserTurns } from "./user-turns.js";

/** What is stored, to be filtered again. What becomes of removed rows is PostgreSQL's own: its vacuum, its log and its backups. */
export function createApplyStore(pool: pg.Pool, turns: UserTurns): ApplyStore {
  return {
    rows: (userId) => rows(pool, userId),
    transact: (userId, work) =>
      turns.take(userId, () => {
        const lock = { statement: lockUser, values: [userId], check: () => {} };
        return transact(pool, lock, (tx) => work({ ...rows(tx.connection, userId), ...writes(tx, userId) }));
      }),
    scrub: async () => {},
  };
}

type RawProgress = Omit<ApplyProgress, "counts"> & { counts: string };

function rows(connection: pg.Pool | Connection, userId: string): ApplyRows {
  return {
    rulesEdition: () => rulesEditionOf(connection, userId),
    async progress() {
      const [row] = await rowsOf<RawProgress>(connection, statements.readProgress, [userId]);
      return row ? { ...row, counts: JSON.parse(row.counts) as ApplyCounts } : null;
    },
    async arrivals(after) {
      const found = await rowsOf<{ seq: number }>(connection, statements.readArrivals, [userId, after]);
      return found.map(({ seq }) => seq);
    },
    async context(seq) {
      const [row] = await rowsOf<RawRow>(connection, statements.readArrived, [userId, seq]);
      return row ? fromRow(row) : null;
    },
    configs: (after, limit) => rowsOf<StoredConfig>(connection, statements.readConfigs, [userId, after, limit]),
    errors: (after, limit) => rowsOf<StoredError>(connection, statements.readErrors, [userId, after, limit]),
    fingerprints: ({ extensionId, messageId }, limit) =>
      rowsOf<StoredFingerprint>(connection, statements.readFingerprints, [userId, extensionId, messageId, limit]),
  };
}

/** None waits: what comes after in the transaction is run after. */
function writes({ connection, send }: Transaction, userId: string): Omit<ApplyTransaction, keyof ApplyRows> {
  return {
    async replaceContext(seq, context) {
      send(takeFromCounts, [userId, [context.contextId]]);
      send(statements.refilterContext, [userId, seq, ...statements.refilteredColumns.map(({ of }) => of(context))]);
      for (const [statement, values] of [...removals(userId, [context.contextId]), ...additions(userId, [context])])
        send(statement, values);
      send(addToCounts, addedToCounts(userId, [context]));
    },
    removeContext: async (contextId, at) => void (await removeStored({ connection, send }, { userId, contextId }, at)),
    replaceConfig: async ({ extensionId, config }) => send(statements.replaceConfig, [userId, extensionId, config]),
    replaceError: async ({ seq, code, message, details }) => send(statements.replaceError, [userId, seq, code, message, details]),
    replaceFingerprint: async ({ extensionId, messageId, fingerprint }) =>
      send(statements.replaceFingerprint, [userId, extensionId, messageId, fingerprint]),
    saveProgress: async ({ policy, run, seq, counts, finishedAt }, at) =>
      send(statements.saveProgress, [userId, policy, run, seq, JSON.stringify(counts), finishedAt, at]),
    forgetProgress: async (policy) => send(statements.forgetProgress, [userId, policy]),
  };
}
