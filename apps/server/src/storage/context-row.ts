import type { StoredContext } from "../contexts/context.store.js";
import type { WrittenContext } from "../contexts/sync.store.js";
import type { Context } from "./generated/sqlite/client.js";

/** A row of `contexts` as it is written; arrival order is the database's to give. */
export function toRow({ search: _search, ...context }: WrittenContext): Omit<Context, "seq"> {
  return {
    ...context,
    capturedAt: new Date(context.capturedAt),
    writtenAt: new Date(context.writtenAt),
    lastSeenAt: context.lastSeenAt === null ? null : new Date(context.lastSeenAt),
    tabMetadata: JSON.stringify(context.tabMetadata),
    metadata: JSON.stringify(context.metadata),
  };
}

/** A row with its times as a driver gives them: milliseconds, or dates. */
export type RawRow = Omit<Context, "seq" | "capturedAt" | "writtenAt" | "lastSeenAt"> & {
  capturedAt: number | Date;
  writtenAt: number | Date;
  lastSeenAt: number | Date | null;
};

/** The stored context of a row: enums and JSON were checked, and text was filtered, before they were written. */
export function fromRow(row: RawRow): StoredContext {
  return {
    userId: row.userId,
    contextId: row.contextId,
    type: row.type as StoredContext["type"],
    tabId: row.tabId,
    extensionId: row.extensionId,
    capturedAt: Number(row.capturedAt),
    privacyLevel: row.privacyLevel as StoredContext["privacyLevel"],
    writtenAt: Number(row.writtenAt),
    lastSeenAt: row.lastSeenAt === null ? null : Number(row.lastSeenAt),
    contentFormat: row.contentFormat as StoredContext["contentFormat"],
    url: row.url as StoredContext["url"],
    title: row.title as StoredContext["title"],
    tabMetadata: JSON.parse(row.tabMetadata) as StoredContext["tabMetadata"],
    metadata: JSON.parse(row.metadata) as StoredContext["metadata"],
    content: row.content as StoredContext["content"],
    plainText: row.plainText as StoredContext["plainText"],
  };
}

/** The stored context of a row that other hands may have written: JSON in it that is none counts as empty. */
export function fromForeignRow(row: RawRow): StoredContext {
  try {
    return fromRow(row);
  } catch {
    return fromRow({ ...row, tabMetadata: "{}", metadata: "{}" });
  }
}
