import type { PrivacyLevel } from "@periscope/schemas";
import type { Database, Statement } from "better-sqlite3";
import type { ReadScope } from "../../access/access.store.js";
import type { ContextStore, ContextSummary, CurrentFilter, HistoryFilter } from "../../contexts/context.store.js";
import { contextColumns, contextFromRow, type ContextRow, levelsUpTo } from "../context-columns.js";
import { deleteTombstoned } from "./user-data.js";
import type { SqliteWriter } from "./writer.js";

type Value = string | number;

/** Columns of a context as clients read it: the text that is searched is not among them. */
const readColumns = contextColumns.map(({ name }) => (name === "plainText" ? "NULL AS plainText" : name)).join(", ");

/** Reads of contexts as prepared statements, and the removal of one. */
export function createContextStore(reader: Database, writerDb: Database, writer: SqliteWriter): ContextStore {
  const statements = new Map<string, Statement<Value[]>>();
  // The texts differ by the conditions only, of which there are few.
  const prepared = <Row>(sql: string): Statement<Value[], Row> => {
    const known = statements.get(sql) ?? reader.prepare<Value[]>(sql);
    statements.set(sql, known);
    return known as Statement<Value[], Row>;
  };
  const find = reader.prepare<[string, string], ContextRow>(`SELECT ${readColumns} FROM contexts WHERE userId = ? AND contextId = ?`);
  // Each user's keys are looked up, where a search by the id alone would read them all.
  const ofAnyUser = writerDb.prepare<[string]>(
    "SELECT 1 FROM users WHERE EXISTS (SELECT 1 FROM contexts WHERE contexts.userId = users.userId AND contexts.contextId = ?) LIMIT 1",
  );
  const remove = deleteTombstoned(writerDb);

  return {
    async current(scope, filter) {
      for (const byView of [true, false]) {
        const { sql, values } = currentQuery(scope, filter, byView);
        const row = prepared<ContextRow>(sql).get(...values);
        if (row) return contextFromRow(row);
      }
      return null;
    },

    async find({ userId, maxPrivacyLevel }, contextId) {
      const row = find.get(userId, contextId);
      const context = row ? contextFromRow(row) : null;
      return context && levelsUpTo(maxPrivacyLevel).includes(context.privacyLevel) ? context : null;
    },

    async history(scope, filter) {
      const { conditions, values } = historyConditions(scope, filter);
      const after = filter.after;
      // The first bound says nothing new, but lets the index begin at the place instead of reading up to it.
      const place = after ? "AND capturedAt <= ? AND (capturedAt < ? OR contextId > ?)" : "";
      const placeValues = after ? [after.capturedAt, after.capturedAt, after.contextId] : [];
      const contexts = prepared<ContextSummary>(
        `SELECT contextId, type, url, title, capturedAt, privacyLevel FROM contexts WHERE ${conditions} ${place}
         ORDER BY capturedAt DESC, contextId LIMIT ? OFFSET ?`,
      ).all(...values, ...placeValues, filter.limit, filter.offset);
      const total =
        filter.knownTotal ??
        prepared<{ total: number }>(`SELECT count(*) AS total FROM contexts WHERE ${conditions}`).get(...values)?.total ??
        0;
      return { contexts, total };
    },

    remove: (userId, contextId, at) =>
      writer.run(() => {
        if (remove(userId, contextId, at)) return "removed";
        return ofAnyUser.get(contextId) ? "foreign" : "missing";
      }),
  };
}

/** The context that was viewed last; or, where none was, the newest by capture time. */
function currentQuery({ userId, maxPrivacyLevel }: ReadScope, { tabId, extensionId }: CurrentFilter, byView: boolean) {
  const levels: PrivacyLevel[] = maxPrivacyLevel === "restricted" ? [] : levelsUpTo(maxPrivacyLevel);
  const conditions = ["userId = ?"];
  const values: Value[] = [userId];
  const add = (sql: string, ...more: Value[]): void => {
    conditions.push(sql);
    values.push(...more);
  };
  if (levels.length > 0) add(`privacyLevel IN (${levels.map(() => "?").join()})`, ...levels);
  if (tabId !== undefined) add("tabId = ?", tabId);
  // A browser has many tabs: with both given, the plus leaves the choice of the index to the tab.
  if (extensionId !== undefined) add(tabId === undefined ? "extensionId = ?" : "+extensionId = ?", extensionId);
  if (byView) add("viewedAt IS NOT NULL");
  // The row is found by its number first, so that no sorter carries contents.
  const newest = `SELECT seq FROM contexts WHERE ${conditions.join(" AND ")} ORDER BY ${byView ? "viewedAt" : "capturedAt"} DESC, seq DESC LIMIT 1`;
  return { sql: `SELECT ${readColumns} FROM contexts WHERE seq = (${newest})`, values };
}

function historyConditions({ userId, maxPrivacyLevel }: ReadScope, { since, until, type, privacyLevel }: HistoryFilter) {
  const conditions = ["userId = ?"];
  const values: Value[] = [userId];
  const add = (sql: string, value: Value | undefined): void => {
    if (value === undefined) return;
    conditions.push(sql);
    values.push(value);
  };
  add("capturedAt >= ?", since);
  add("capturedAt < ?", until);
  add("type = ?", type);
  add("privacyLevel = ?", privacyLevel);
  if (maxPrivacyLevel !== "restricted") {
    const levels = levelsUpTo(maxPrivacyLevel);
    conditions.push(`privacyLevel IN (${levels.map(() => "?").join()})`);
    values.push(...levels);
  }
  return { conditions: conditions.join(" AND "), values };
}
