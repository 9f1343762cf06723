import type { PrivacyLevel } from "@periscope/schemas";
import type pg from "pg";
import type { ReadScope } from "../../access/scope.js";
import type { ContextStore, ContextSummary, HistoryFilter } from "../../contexts/context.store.js";
import { fromRow, type RawRow } from "../context-row.js";
import { storable } from "../../contexts/storable.js";
import { levelsUpTo } from "../history-query.js";
import { contextGroups, countedMin, groupsOf } from "../context-groups.js";
import { contextColumns, millis } from "./context-columns.js";
import { CountKeeper, recountedAfter } from "./context-counts.js";
import { rowsOf, type Statement } from "./pool.js";
import { removeContext } from "./remove-context.js";
import type { UserTurns } from "./user-turns.js";

const columns = `${contextColumns}, NULL AS "plainText"`;

const find: Statement = { name: "find_context", text: `SELECT ${columns} FROM contexts WHERE "userId" = $1 AND "contextId" = $2` };

/** Reads of contexts as prepared statements, and the removal of one. `counts` writes to the primary, whatever is read. */
export function createContextStore(pool: pg.Pool, turns: UserTurns, counts = new CountKeeper(pool, turns)): ContextStore {
  return {
    async current(scope, { tabId, extensionId }) {
      const query = new Conditions("current", scope);
      if (tabId !== undefined) query.add("t", (value) => `"tabId" = ${value}`, tabId);
      if (extensionId !== undefined) query.add("e", (value) => `"extensionId" = ${value}`, extensionId);
      // By the column and not by what is made of it under the same name, or no index gives the order.
      const order = 'contexts."capturedAt" DESC, seq DESC';
      const statement = query.statement((where) => `SELECT ${columns} FROM contexts ${where} ORDER BY ${order} LIMIT 1`);
      const [row] = await rowsOf<RawRow>(pool, statement, query.values);
      return row ? fromRow(row) : null;
    },

    async find({ userId, maxPrivacyLevel }, contextId) {
      const [row] = await rowsOf<RawRow>(pool, find, [userId, contextId]);
      if (!row) return null;
      const context = fromRow(row);
      return levelsUpTo(maxPrivacyLevel).includes(context.privacyLevel) ? context : null;
    },

    async history(scope, filter) {
      const [contexts, total] = await Promise.all([page(pool, scope, filter), filter.knownTotal ?? totalOf(pool, counts, scope, filter)]);
      return { contexts, total };
    },

    remove: (userId, contextId, at) => turns.take(userId, () => removeContext(pool, { userId, contextId }, at)),
  };
}

async function page(pool: pg.Pool, scope: ReadScope, filter: HistoryFilter): Promise<ContextSummary[]> {
  const query = matching("history", scope, filter);
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
    (where) => `SELECT "contextId", type, url, title, "privacyLevel", ${millis("capturedAt")} FROM contexts ${where}
      ORDER BY contexts."capturedAt" DESC, "contextId" ${bounds}`,
  );
  return await rowsOf<ContextSummary>(pool, statement, query.values);
}

async function totalOf(pool: pg.Pool, counts: CountKeeper, scope: ReadScope, filter: HistoryFilter): Promise<number> {
  const groups = groupsOf(scope, filter);
  if (!groups) return await count(pool, scope, filter);
  const query = matching("total", scope, filter);
  const known = query.value(groups.length);
  // Counted only where no counts are kept.
  const statement = query.statement(
    (where) => `SELECT coalesce(
        (SELECT greatest(0, sum(contexts)) FROM context_counts ${where} HAVING count(*) = ${known}::bigint), (SELECT count(*) FROM contexts ${where})
      )::float8 AS total,
      coalesce((SELECT min("countedAt") > now() - interval '${recountedAfter}' FROM context_counts WHERE "userId" = $1 HAVING count(*) = ${contextGroups.length}), false) AS "isKept",
      (SELECT max(seq) FROM contexts WHERE "userId" = $1)::float8 AS arrivals`,
  );
  const [row] = await rowsOf<{ total: number; isKept: boolean; arrivals: number | null }>(pool, statement, query.values);
  if (row && !row.isKept && (row.arrivals ?? 0) >= countedMin) counts.begin(scope.userId);
  return row?.total ?? 0;
}

async function count(pool: pg.Pool, scope: ReadScope, filter: HistoryFilter): Promise<number> {
  const query = matching("count", scope, filter);
  const statement = query.statement((where) => `SELECT count(*)::float8 AS total FROM contexts ${where}`);
  const [row] = await rowsOf<{ total: number }>(pool, statement, query.values);
  return row?.total ?? 0;
}

function matching(name: string, scope: ReadScope, { since, until, type, privacyLevel }: HistoryFilter): Conditions {
  const query = new Conditions(name, scope);
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
  #name: string;

  constructor(name: string, { userId, maxPrivacyLevel }: ReadScope) {
    this.#name = `${name}_`;
    this.add("", (value) => `"userId" = ${value}`, userId);
    if (maxPrivacyLevel !== "restricted") {
      const levels: PrivacyLevel[] = levelsUpTo(maxPrivacyLevel);
      this.add("l", (value) => `"privacyLevel" = ANY (${value}::text[])`, levels);
    }
  }

  /** Gives a value its place, such as `$3`. */
  value(value: unknown): string {
    return `$${this.values.push(typeof value === "string" ? storable(value) : value)}`;
  }

  where(letter: string, sql: string): void {
    this.#name += letter;
    this.#sql.push(sql);
  }

  add(letter: string, sql: (value: string) => string, value: unknown): void {
    this.where(letter, sql(this.value(value)));
  }

  get sql(): string {
    return this.#sql.join(" AND ");
  }

  statement(text: (where: string) => string): Statement {
    return { name: this.#name, text: text(`WHERE ${this.sql}`) };
  }
}
