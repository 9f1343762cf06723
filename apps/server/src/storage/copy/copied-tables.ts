import type { Filtered } from "../../privacy/privacy-filter.js";
import { storable } from "../../contexts/storable.js";

/**
 * What a column holds: text; a time in milliseconds since the epoch; a number; or a place in the user's order of arrival, which is
 * counted from 1, since engines number arrivals each in their own way.
 */
export type ColumnKind = "text" | "time" | "number" | "place";

/** A table that belongs to an installation, whatever engine it is on. */
export interface CopiedTable {
  name: string;
  /** In the order of the row as it is hashed. */
  columns: Readonly<Record<string, ColumnKind>>;
  /** What makes a row one of its kind and the rows an order. Where it ends in `seq`, that is the order of arrival, and is counted anew. */
  key: readonly string[];
}

/** A value of a row: filtered before it was stored where it was read. */
export type Cell = Filtered<string> | number | null;

/** A row as it was read, its columns by name. */
export type CopiedRow = Readonly<Record<string, Cell>>;

const level = { privacyLevel: "text" } as const;
const owner = { userId: "text" } as const;

/**
 * The tables in the order in which they are copied. Progress counts contexts, so it comes after them. Users and keys come last: until
 * then nobody can use what is half there.
 */
export const copiedTables: readonly CopiedTable[] = [
  {
    name: "contexts",
    columns: {
      ...owner,
      contextId: "text",
      type: "text",
      tabId: "text",
      extensionId: "text",
      capturedAt: "time",
      ...level,
      writtenAt: "time",
      lastSeenAt: "time",
      contentFormat: "text",
      url: "text",
      title: "text",
      tabMetadata: "text",
      metadata: "text",
      plainText: "text",
      content: "text",
    },
    key: ["userId", "seq"],
  },
  {
    name: "tombstones",
    columns: { ...owner, contextId: "text", deletedAt: "time", storedAt: "time" },
    key: ["userId", "contextId"],
  },
  {
    name: "processed_messages",
    columns: {
      ...owner,
      extensionId: "text",
      messageId: "text",
      fingerprint: "text",
      ...level,
      result: "text",
      processedAt: "time",
    },
    key: ["userId", "extensionId", "messageId"],
  },
  {
    name: "extensions",
    columns: { ...owner, extensionId: "text", lastSeenAt: "time", config: "text", configAt: "time" },
    key: ["userId", "extensionId"],
  },
  {
    name: "extension_errors",
    columns: { ...owner, extensionId: "text", code: "text", message: "text", details: "text", occurredAt: "time" },
    key: ["userId", "seq"],
  },
  { name: "privacy_rules", columns: { ...owner, version: "number", rules: "text", updatedAt: "time" }, key: ["userId"] },
  {
    name: "privacy_progress",
    columns: { ...owner, policy: "text", run: "text", seq: "place", counts: "text", finishedAt: "time", updatedAt: "time" },
    key: ["userId"],
  },
  { name: "users", columns: { ...owner, createdAt: "time" }, key: ["userId"] },
  {
    name: "api_keys",
    columns: {
      keyId: "text",
      ...owner,
      name: "text",
      hash: "text",
      scopes: "text",
      maxPrivacyLevel: "text",
      createdAt: "time",
      expiresAt: "time",
      lastUsedAt: "time",
      revokedAt: "time",
    },
    key: ["keyId"],
  },
];

/** The other tables of both engines, and why they stay behind. */
export const tablesLeftBehind: Readonly<Record<string, string>> = {
  _prisma_migrations: "says what the target itself has had",
  context_counts: "counted anew when somebody asks",
  access_changes: "tells processes on one database of each other's changes",
  key_uses: "when keys of a PostgreSQL were last used, which their next use says again",
  rate_windows: "counts the requests of the current minute",
  search_index: "made anew of each context",
  search_pairs: "made anew of each context",
  search_terms: "made anew of each context",
  search_vectors: "made anew of each context",
  search_owners: "kept by triggers",
  search_pending: "kept by triggers; the target has nothing pending",
};

/** Whether rows stand in the order of arrival, and are numbered by it. */
export function hasArrivals({ key }: CopiedTable): boolean {
  return key.at(-1) === "seq";
}

/** A row as the driver gives it, in the form that is the same on both engines. Text that PostgreSQL cannot hold becomes what the service makes of it. */
export function copiedRow({ columns }: CopiedTable, given: Readonly<Record<string, unknown>>): CopiedRow {
  const row: Record<string, Cell> = {};
  for (const [name, kind] of Object.entries(columns)) {
    row[name] = cellOf(kind, given[name]);
  }
  return row;
}

function cellOf(kind: ColumnKind, value: unknown): Cell {
  if (value === null || value === undefined) return null;
  return kind === "text" ? (storable(value as string) as Filtered<string>) : Number(value);
}
