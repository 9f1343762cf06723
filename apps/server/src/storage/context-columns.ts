import type { TabMetadata } from "@periscope/schemas";
import type { ContextHead, StoredContext } from "../contexts/context.store.js";
import { type Sql, timeColumn } from "./sql.js";

/** How a column is stored: as it stands, as a time (milliseconds in code), or as JSON text. */
export type ColumnKind = "text" | "time" | "json";

export interface ContextColumn {
  name: keyof StoredContext;
  kind: ColumnKind;
  isNullable?: true;
}

type KindOf<Value> = NonNullable<Value> extends number ? "time" : NonNullable<Value> extends string ? "text" : "json";

/** In the order of the tables. A field of a stored context that is missing here, or of another kind, does not compile. */
const columns: { readonly [Name in keyof StoredContext]: Omit<ContextColumn, "name"> & { kind: KindOf<StoredContext[Name]> } } = {
  userId: { kind: "text" },
  contextId: { kind: "text" },
  type: { kind: "text" },
  tabId: { kind: "text" },
  extensionId: { kind: "text" },
  capturedAt: { kind: "time" },
  privacyLevel: { kind: "text" },
  writtenAt: { kind: "time" },
  viewedAt: { kind: "time", isNullable: true },
  lastSeenAt: { kind: "time", isNullable: true },
  contentFormat: { kind: "text" },
  url: { kind: "text" },
  title: { kind: "text" },
  tabMetadata: { kind: "json" },
  metadata: { kind: "json" },
  levelReasons: { kind: "json" },
  plainText: { kind: "text", isNullable: true },
  content: { kind: "text" },
};

/**
 * The columns of a stored context: the one list that rows, inserts, reads and the test of both Prisma schemas are made from. The order of
 * arrival (`seq`) is the database's to give, and who read a context last is written beside what a sync writes.
 */
export const contextColumns: readonly ContextColumn[] = Object.entries(columns).map(([name, column]) => ({
  name: name as keyof StoredContext,
  ...column,
}));

/** The columns as they are read; some can be read as other expressions. */
export function readColumns(sql: Pick<Sql, "millis">, others: { [Name in keyof StoredContext]?: string } = {}): string {
  const read = ({ name, kind }: ContextColumn) => (kind === "time" ? timeColumn(sql, name) : `"${name}"`);
  return contextColumns.map((column) => (others[column.name] ? `${others[column.name]} AS "${column.name}"` : read(column))).join(", ");
}

/** The same for answers, which do not need the text that is searched: it can be as large as the content. */
export const answerColumns = (sql: Pick<Sql, "millis">): string => readColumns(sql, { plainText: "NULL" });

/** The same without the content, but its length. */
export const headColumns = (sql: Pick<Sql, "millis">): string =>
  `${readColumns(sql, { plainText: "NULL", content: "''" })}, CAST(octet_length(content) AS float8) AS "contentLength"`;

/** A row as a driver gives it: times are milliseconds or dates, JSON is text. */
export type ContextRow = Record<keyof StoredContext, string | number | Date | null>;

/** What is stored in a column of a context. Of the tab's metadata, URL and title are left out where they are the context's own. */
export function columnValue(context: StoredContext, { name, kind }: ContextColumn): string | number | null {
  const value = name === "tabMetadata" ? ownMetadata(context) : context[name];
  return kind === "json" ? JSON.stringify(value) : (value as string | number | null);
}

function ownMetadata({ tabMetadata, url, title }: StoredContext): object {
  return {
    ...tabMetadata,
    url: tabMetadata.url === url ? undefined : tabMetadata.url,
    title: tabMetadata.title === title ? undefined : tabMetadata.title,
  };
}

function wholeMetadata(stored: Partial<TabMetadata>, row: ContextRow): object {
  return { ...stored, url: stored.url ?? row.url, title: stored.title ?? row.title };
}

/** A row without its text, with the length of the content in a column of its own. */
export type HeadRow = ContextRow & { contentLength: number };

export const headFromRow = ({ contentLength, ...row }: HeadRow): ContextHead => ({ context: contextFromRow(row), contentLength });

/** The stored context of a row. Enums and JSON were checked, and text was filtered, before they were written. */
export function contextFromRow(row: ContextRow): StoredContext {
  const fields = contextColumns.map(({ name, kind }) => {
    const value = row[name];
    if (kind === "time") return [name, value === null ? null : Number(value)];
    const given: unknown = kind === "json" ? JSON.parse(String(value)) : value;
    return [name, name === "tabMetadata" ? wholeMetadata(given as Partial<TabMetadata>, row) : given];
  });
  return Object.fromEntries(fields) as StoredContext;
}
