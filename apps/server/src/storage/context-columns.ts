import type { PrivacyLevel, TabMetadata } from "@periscope/schemas";
import { privacyLevels } from "@periscope/privacy";
import type { StoredContext } from "../contexts/context.store.js";

/** How a column is stored: as it stands, as a time (milliseconds in code), or as JSON text. */
export type ColumnKind = "text" | "time" | "json";

export interface ContextColumn {
  name: keyof StoredContext;
  kind: ColumnKind;
  isNullable?: true;
}

/**
 * The columns of a stored context, in the order of the tables: the one list that rows, inserts, reads and the test of both Prisma schemas
 * are made from. The order of arrival (`seq`) is the database's to give.
 */
export const contextColumns = [
  { name: "userId", kind: "text" },
  { name: "contextId", kind: "text" },
  { name: "type", kind: "text" },
  { name: "tabId", kind: "text" },
  { name: "extensionId", kind: "text" },
  { name: "capturedAt", kind: "time" },
  { name: "privacyLevel", kind: "text" },
  { name: "writtenAt", kind: "time" },
  { name: "viewedAt", kind: "time", isNullable: true },
  { name: "lastSeenAt", kind: "time", isNullable: true },
  { name: "contentFormat", kind: "text" },
  { name: "url", kind: "text" },
  { name: "title", kind: "text" },
  { name: "tabMetadata", kind: "json" },
  { name: "metadata", kind: "json" },
  { name: "plainText", kind: "text", isNullable: true },
  { name: "content", kind: "text" },
] as const satisfies readonly ContextColumn[];

/** A row as a driver gives it: times are milliseconds or dates, JSON is text. */
export type ContextRow = Record<(typeof contextColumns)[number]["name"], string | number | Date | null>;

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

/** The levels that a key of this bound may see. */
export function levelsUpTo(bound: PrivacyLevel): PrivacyLevel[] {
  return privacyLevels.slice(0, privacyLevels.indexOf(bound) + 1);
}
