import type pg from "pg";
import type { ReadScope } from "../../access/access.store.js";
import type { ContextStore, ContextSummary, HistoryFilter } from "../../contexts/context.store.js";
import { storableText } from "../../contexts/capture.js";
import type { PerUserQueue } from "../../workers/per-user-queue.js";
import { contextFromRow, type ContextRow, levelsUpTo } from "../context-columns.js";
import { answerColumns, deleteContexts, millis } from "./context-statements.js";
import { rowsOf, type Statement } from "./pool.js";
import { removals } from "./search-index.js";
import { bumpRevision, writeTransaction } from "./transaction.js";

const findContext: Statement = {
  name: "find_context",
  text: `SELECT ${answerColumns} FROM contexts WHERE "userId" = $1 AND "contextId" = $2`,
};

/**
 * A tombstone newer than the context, so that no replay brings it back: of a message and a tombstone of one time, the message wins.
 * One row when the user has the context.
 */
const buryContext: Statement = {
  name: "bury_context",
  text: `INSERT INTO tombstones ("userId", "contextId", "deletedAt", "storedAt")
    SELECT "userId", "contextId", greatest(to_timestamp($3::float8 / 1000), "writtenAt" + interval '1 ms'), to_timestamp($3::float8 / 1000)
    FROM contexts WHERE "userId" = $1 AND "contextId" = $2
    ON CONFLICT ("userId", "contextId") DO UPDATE SET "deletedAt" = excluded."deletedAt", "storedAt" = excluded."storedAt" RETURNING 1`,
};

/** One row when any user has the context. The one statement that is not of one user; it runs only when the user has no such context. */
const findForeign: Statement = { name: "find_foreign", text: `SELECT 1 FROM contexts WHERE "contextId" = $1 LIMIT 1` };

/** Reads of contexts as prepared statements, and the removal of one. */
export function createContextStore(pool: pg.Pool, queue: PerUserQueue): ContextStore {
  return {
    async current(scope, { tabId, extensionId }) {
      const query = new Conditions(scope);
      if (tabId !== undefined) query.add("t", (value) => `"tabId" = ${value}`, tabId);
      if (extensionId !== undefined) query.add("e", (value) => `"extensionId" = ${value}`, extensionId);
      // The order names the table's columns: those that are made from them under the same name have no index.
      const read = (name: string, condition: string, order: string) =>
        rowsOf<ContextRow>(
          pool,
          query.statement(name, (where) => `SELECT ${answerColumns} FROM contexts ${where}${condition} ORDER BY ${order} LIMIT 1`),
          query.values,
        );
      const [viewed] = await read("viewed", ' AND "viewedAt" IS NOT NULL', 'contexts."viewedAt" DESC, seq DESC');
      const [row] = viewed ? [viewed] : await read("newest", "", 'contexts."capturedAt" DESC, seq DESC');
      return row ? contextFromRow(row) : null;
    },

    async find({ userId, maxPrivacyLevel }, contextId) {
      const [row] = await rowsOf<ContextRow>(pool, findContext, [userId, contextId]);
      if (!row) return null;
      const context = contextFromRow(row);
      return levelsUpTo(maxPrivacyLevel).includes(context.privacyLevel) ? context : null;
    },

    async history(scope, filter) {
      const [contexts, total] = await Promise.all([readPage(pool, scope, filter), filter.knownTotal ?? count(pool, scope, filter)]);
      return { contexts, total };
    },

    async remove(userId, contextId, at) {
      const results = await queue.run(userId, () =>
        writeTransaction(
          pool,
          [bumpRevision, [userId]],
          [
            [buryContext, [userId, contextId, at]],
            ...removals(userId, [storableText(contextId)]),
            [deleteContexts, [userId, [storableText(contextId)]]],
          ],
        ),
      );
      if (results?.[0]?.rowCount) return "removed";
      return (await rowsOf(pool, findForeign, [contextId])).length > 0 ? "foreign" : "missing";
    },
  };
}

async function readPage(pool: pg.Pool, scope: ReadScope, filter: HistoryFilter): Promise<ContextSummary[]> {
  const query = matching(scope, filter);
  if (filter.after) {
    const { capturedAt, contextId } = filter.after;
    const at = query.value(capturedAt);
    const id = query.value(contextId);
    const time = `to_timestamp(${at}::float8 / 1000)`;
    // The first bound says nothing new, but lets the index begin at the place instead of reading up to it.
    query.where("a", `"capturedAt" <= ${time} AND ("capturedAt" < ${time} OR "contextId" > ${id})`);
  }
  const bounds = `LIMIT ${query.value(filter.limit)}::bigint OFFSET ${query.value(filter.offset)}::bigint`;
  const statement = query.statement(
    "history",
    (where) => `SELECT "contextId", type, url, title, "privacyLevel", ${millis("capturedAt")} FROM contexts ${where}
      ORDER BY contexts."capturedAt" DESC, "contextId" ${bounds}`,
  );
  return await rowsOf<ContextSummary>(pool, statement, query.values);
}

/** An index alone has all that it needs. */
async function count(pool: pg.Pool, scope: ReadScope, filter: HistoryFilter): Promise<number> {
  const query = matching(scope, filter);
  const statement = query.statement("count", (where) => `SELECT count(*)::float8 AS total FROM contexts ${where}`);
  const [row] = await rowsOf<{ total: number }>(pool, statement, query.values);
  return row?.total ?? 0;
}

function matching(scope: ReadScope, { since, until, type, privacyLevel }: HistoryFilter): Conditions {
  const query = new Conditions(scope);
  if (since !== undefined) query.add("s", (value) => `"capturedAt" >= to_timestamp(${value}::float8 / 1000)`, since);
  if (until !== undefined) query.add("u", (value) => `"capturedAt" < to_timestamp(${value}::float8 / 1000)`, until);
  if (type !== undefined) query.add("k", (value) => `type = ${value}`, type);
  if (privacyLevel !== undefined) query.add("p", (value) => `"privacyLevel" = ${value}`, privacyLevel);
  return query;
}

/** Conditions on a user's contexts, with their values; statements of the same conditions share a name. */
class Conditions {
  readonly values: unknown[] = [];
  readonly #sql: string[] = [];
  #letters = "";

  constructor({ userId, maxPrivacyLevel }: ReadScope) {
    this.add("", (value) => `"userId" = ${value}`, userId);
    if (maxPrivacyLevel !== "restricted") this.add("l", (value) => `"privacyLevel" = ANY (${value}::text[])`, levelsUpTo(maxPrivacyLevel));
  }

  /** Gives a value its place, such as `$3`. */
  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  where(letter: string, sql: string): void {
    this.#letters += letter;
    this.#sql.push(sql);
  }

  add(letter: string, sql: (value: string) => string, value: unknown): void {
    this.where(letter, sql(this.value(value)));
  }

  statement(name: string, text: (where: string) => string): Statement {
    return { name: `${name}_${this.#letters}`, text: text(`WHERE ${this.#sql.join(" AND ")}`) };
  }
}
