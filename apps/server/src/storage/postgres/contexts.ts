import { isAtMost } from "@periscope/privacy";
import type pg from "pg";
import { levelsUpTo, type ReadBounds } from "../../access/access.store.js";
import {
  type CaptureCount,
  captureSlotMs,
  type ContextStore,
  type ContextSummary,
  type CurrentFilter,
  type HistoryFilter,
  type StoredContext,
} from "../../contexts/context.store.js";
import { storableText } from "../../formats.js";
import type { FairQueue } from "../../workers/fair-queue.js";
import type { PerUserQueue } from "../../workers/per-user-queue.js";
import { contextFromRow, type ContextRow, headFromRow, type HeadRow } from "../context-columns.js";
import { answerColumns, deleteContexts, headColumns, millis, noteReads } from "./context-statements.js";
import { type PostgresLiveStore, recordRemovals } from "./live.js";
import { rowsOf, type Statement, statement } from "./pool.js";
import { removals } from "./search-index.js";
import { bumpRevision, writeTransaction } from "./transaction.js";

const findContext = statement(`SELECT ${answerColumns} FROM contexts WHERE "userId" = $1 AND "contextId" = $2`);

const findHeads = statement(`SELECT ${headColumns} FROM contexts WHERE "userId" = $1 AND "contextId" = ANY ($2::text[])`);

const lastRead = statement(`SELECT "lastReadKeyId" AS "keyId", (extract(epoch FROM "lastReadAt") * 1000)::float8 AS at FROM contexts
    WHERE "userId" = $1 AND "contextId" = $2 AND "lastReadAt" IS NOT NULL`);

/**
 * A tombstone newer than the context, so that no replay brings it back: of a message and a tombstone of one time, the message wins.
 * One row when the user has the context.
 */
const buryContext = statement(`INSERT INTO tombstones ("userId", "contextId", "deletedAt", "storedAt")
    SELECT "userId", "contextId", greatest(to_timestamp($3::float8 / 1000), "writtenAt" + interval '1 ms'), to_timestamp($3::float8 / 1000)
    FROM contexts WHERE "userId" = $1 AND "contextId" = $2
    ON CONFLICT ("userId", "contextId") DO UPDATE SET "deletedAt" = excluded."deletedAt", "storedAt" = excluded."storedAt" RETURNING 1`);

/** One row when another user has the context. The one statement that is not of one user; it runs only when the key sees no such context. */
const findForeign = statement(`SELECT 1 FROM contexts WHERE "contextId" = $1 AND "userId" <> $2 LIMIT 1`);

export interface ContextStoreOptions {
  pool: pg.Pool;
  /** Of one user one write goes at a time. */
  queue: PerUserQueue;
  live: PostgresLiveStore;
  /** Reads have their turns here. */
  reads: FairQueue;
}

/** Reads of contexts as prepared statements, and the removal of one. */
export function createContextStore({ pool, queue, live, reads }: ContextStoreOptions): ContextStore {
  const read: Read = (userId, text, values) => reads.run(userId, () => rowsOf(pool, text, values));
  async function find({ userId, maxPrivacyLevel }: ReadBounds, contextId: string): Promise<StoredContext | null> {
    const [row] = await read<ContextRow>(userId, findContext, [userId, contextId]);
    if (!row) return null;
    const context = contextFromRow(row);
    return isAtMost(context.privacyLevel, maxPrivacyLevel) ? context : null;
  }

  async function readCurrent<Row extends ContextRow>(columns: string, scope: ReadBounds, { tabId, extensionId }: CurrentFilter) {
    const query = new Conditions(scope);
    query.add((value) => `"tabId" = ${value}`, tabId);
    query.add((value) => `"extensionId" = ${value}`, extensionId);
    // The order names the table's columns: those that are made from them under the same name have no index.
    const readFirst = (condition: string, order: string) => {
      const text = `SELECT ${columns} FROM contexts ${query.where}${condition} ORDER BY ${order} LIMIT 1`;
      return read<Row>(scope.userId, statement(text), query.values);
    };
    const [viewed] = await readFirst(' AND "viewedAt" IS NOT NULL', 'contexts."viewedAt" DESC, seq DESC');
    return viewed ?? (await readFirst("", 'contexts."capturedAt" DESC, seq DESC'))[0];
  }

  return {
    find,

    async current(scope, filter) {
      const row = await readCurrent(answerColumns, scope, filter);
      return row ? contextFromRow(row) : null;
    },

    async currentHead(scope, filter) {
      const row = await readCurrent<HeadRow>(headColumns, scope, filter);
      return row ? headFromRow(row) : null;
    },

    async heads(userId, contextIds) {
      const rows = await read<HeadRow>(userId, findHeads, [userId, contextIds]);
      return new Map(rows.map((row) => [String(row.contextId), headFromRow(row)]));
    },

    async history(scope, filter) {
      const [contexts, total] = await Promise.all([readPage(read, scope, filter), filter.knownTotal ?? count(read, scope, filter)]);
      return { contexts, total };
    },

    captures(scope, filter) {
      const query = matching(scope, filter);
      const slot = `floor(extract(epoch FROM "capturedAt") * 1000 / ${captureSlotMs}) * ${captureSlotMs}`;
      const text = `SELECT (${slot})::float8 AS at, type, count(*)::float8 AS count FROM contexts ${query.where} GROUP BY 1, 2`;
      return read<CaptureCount>(scope.userId, statement(text), query.values);
    },

    async noteReads(userId, reads) {
      const columns = (["contextId", "keyId", "at"] as const).map((name) => reads.map((each) => each[name]));
      await queue.run(userId, () => rowsOf(pool, noteReads, [userId, ...columns]));
    },

    async lastRead(userId, contextId) {
      const [found = null] = await rowsOf<{ keyId: string; at: number }>(pool, lastRead, [userId, contextId]);
      return found;
    },

    async remove(scope, contextId, at) {
      const { userId } = scope;
      const results = await queue.run(userId, async () => {
        if (scope.maxPrivacyLevel !== "restricted" && !(await find(scope, contextId))) return undefined;
        return await writeTransaction(
          pool,
          [bumpRevision, [userId]],
          [
            [buryContext, [userId, contextId, at]],
            ...recordRemovals(userId, [storableText(contextId)], at),
            ...removals(userId, [storableText(contextId)]),
            [deleteContexts, [userId, [storableText(contextId)]]],
          ],
        );
      });
      if (results?.[0]?.rowCount) {
        live.announce(userId);
        return "removed";
      }
      return (await rowsOf(pool, findForeign, [contextId, userId])).length > 0 ? "foreign" : "missing";
    },
  };
}

/** Runs one read of a user. */
type Read = <Row extends pg.QueryResultRow>(userId: string, statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

async function readPage(read: Read, scope: ReadBounds, filter: HistoryFilter): Promise<ContextSummary[]> {
  const query = matching(scope, filter);
  if (filter.after) {
    const at = query.value(filter.after.capturedAt);
    const time = `to_timestamp(${at}::float8 / 1000)`;
    // The first bound says nothing new, but lets the index begin at the place instead of reading up to it.
    query.add((id) => `"capturedAt" <= ${time} AND ("capturedAt" < ${time} OR "contextId" > ${id})`, filter.after.contextId);
  }
  const text = `SELECT "contextId", type, url, title, "privacyLevel", ${millis("capturedAt")} FROM contexts ${query.where}
    ORDER BY contexts."capturedAt" DESC, "contextId" LIMIT ${query.value(filter.limit)}::bigint OFFSET ${query.value(filter.offset)}::bigint`;
  return await read<ContextSummary>(scope.userId, statement(text), query.values);
}

/** An index alone has all that it needs. */
async function count(read: Read, scope: ReadBounds, filter: HistoryFilter): Promise<number> {
  const query = matching(scope, filter);
  const text = `SELECT count(*)::float8 AS total FROM contexts ${query.where}`;
  const [row] = await read<{ total: number }>(scope.userId, statement(text), query.values);
  return row?.total ?? 0;
}

function matching(scope: ReadBounds, { since, until, type, privacyLevel, extensionId }: Partial<HistoryFilter>): Conditions {
  const query = new Conditions(scope);
  query.add((value) => `"capturedAt" >= to_timestamp(${value}::float8 / 1000)`, since);
  query.add((value) => `"capturedAt" < to_timestamp(${value}::float8 / 1000)`, until);
  query.add((value) => `type = ${value}`, type);
  query.add((value) => `"privacyLevel" = ${value}`, privacyLevel);
  query.add((value) => `"extensionId" = ${value}`, extensionId);
  return query;
}

/** Conditions on a user's contexts, with their values. */
class Conditions {
  readonly values: unknown[] = [];
  readonly #sql: string[] = [];

  constructor({ userId, maxPrivacyLevel }: ReadBounds) {
    this.add((value) => `"userId" = ${value}`, userId);
    if (maxPrivacyLevel !== "restricted") this.add((value) => `"privacyLevel" = ANY (${value}::text[])`, levelsUpTo(maxPrivacyLevel));
  }

  /** Gives a value its place, such as `$3`. */
  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** Adds a condition, unless its value is undefined. */
  add(sql: (value: string) => string, value: unknown): void {
    if (value !== undefined) this.#sql.push(sql(this.value(value)));
  }

  get where(): string {
    return `WHERE ${this.#sql.join(" AND ")}`;
  }
}
