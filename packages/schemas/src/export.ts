import * as z from "zod/mini";
import { ContentFormat, ContextType, metadataUpTo, TabMetadata } from "./context.js";
import { ExtensionId, SentContextId, TabId, UserId } from "./ids.js";
import { limits } from "./limits.js";
import { PrivacyLevel } from "./privacy-level.js";
import { PrivacyRules } from "./privacy-rules.js";
import { RetentionRules } from "./retention.js";
import { StoredConfig } from "./sync-message.js";
import { fitsUtf8 } from "./text.js";
import { Timestamp } from "./timestamp.js";

const count = z.int().check(z.minimum(0));
const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits"));
const Place = z.string().check(z.regex(/^\S{20,40},[A-Za-z0-9_.:-]{1,128}$/, "must be the timestamp and the id of a context"));

// What the filter puts in the place of a value can be longer than the value.
const storedText = (bytesMax: number) =>
  z.string().check(z.refine((text) => fitsUtf8(text, 4 * bytesMax), `must be at most ${4 * bytesMax} bytes of UTF-8`));

/** Query of `GET /data/export`. `after` is the timestamp and the id of the last context that arrived, with a comma between. */
export const ExportQuery = z.object({
  since: z.optional(Timestamp),
  until: z.optional(Timestamp),
  type: z.optional(ContextType),
  after: z.optional(Place),
  /** SHA-256 of what arrived of the download before; the rest then names it, so that both parts together can be checked. */
  sha256: z.optional(Sha256),
});
export type ExportQuery = z.infer<typeof ExportQuery>;

/** First line of an export. */
export const ExportHeader = z.object({
  kind: z.literal("header"),
  format: z.literal("periscope-export"),
  version: z.literal(1),
  exportedAt: Timestamp,
  /** Whose data it is; absent in an export of a whole installation. */
  userId: z.optional(UserId),
  /** Contexts in this export, as counted when it began. */
  contexts: count,
  since: z.optional(Timestamp),
  until: z.optional(Timestamp),
  type: z.optional(ContextType),
  after: z.optional(Place),
  /** SHA-256 of everything before this part. */
  continues: z.optional(Sha256),
});
export type ExportHeader = z.infer<typeof ExportHeader>;

/** A context as it is stored, oldest first. */
export const ExportedContext = z.object({
  kind: z.literal("context"),
  contextId: SentContextId,
  type: ContextType,
  url: storedText(limits.urlBytesMax),
  title: storedText(limits.titleBytesMax),
  content: storedText(limits.contentBytesMax),
  contentFormat: ContentFormat,
  tabId: TabId,
  extensionId: ExtensionId,
  timestamp: Timestamp,
  /** Timestamp of the message that wrote it last. */
  writtenAt: Timestamp,
  privacyLevel: PrivacyLevel,
  /** Why it has this level: names that the filter gives, never text of the page. */
  levelReasons: z.optional(z.array(z.string().check(z.regex(/^[a-z][a-z0-9_:-]{0,63}$/, "must name a reason"))).check(z.maxLength(100))),
  tabMetadata: TabMetadata,
  metadata: metadataUpTo(4 * limits.metadataBytesMax),
  viewedAt: z.optional(Timestamp),
  lastSeenAt: z.optional(Timestamp),
});
export type ExportedContext = z.infer<typeof ExportedContext>;

/** The user's own privacy rules. */
export const ExportedRules = z.object({ kind: z.literal("rules"), rules: PrivacyRules, updatedAt: Timestamp });
export type ExportedRules = z.infer<typeof ExportedRules>;

/** The user's own retention rules. */
export const ExportedRetention = z.object({ kind: z.literal("retention"), ...RetentionRules.shape, updatedAt: Timestamp });
export type ExportedRetention = z.infer<typeof ExportedRetention>;

/** Settings of an extension instance. */
export const ExportedExtension = z.object({
  kind: z.literal("extension"),
  extensionId: ExtensionId,
  lastSeenAt: Timestamp,
  config: z.optional(StoredConfig),
  configAt: z.optional(Timestamp),
});
export type ExportedExtension = z.infer<typeof ExportedExtension>;

/** Last line of an export: how many lines of each kind, and the SHA-256 of everything before it, from the header on. */
export const ExportEnd = z.object({ kind: z.literal("end"), lines: z.record(z.string(), count), sha256: Sha256 });
export type ExportEnd = z.infer<typeof ExportEnd>;

/** One line of an export. */
export const ExportLine = z.discriminatedUnion("kind", [
  ExportHeader,
  ExportedContext,
  ExportedRules,
  ExportedRetention,
  ExportedExtension,
  ExportEnd,
]);
export type ExportLine = z.infer<typeof ExportLine>;

/** Query of `POST /data/import`. */
export const ImportQuery = z.object({ allowPartial: z._default(z.enum(["true", "false"]), "false") });
export type ImportQuery = z.infer<typeof ImportQuery>;

/** A line that was not imported. */
export const ImportFailure = z.object({ line: count, contextId: z.optional(z.string()), message: z.string() });
export type ImportFailure = z.infer<typeof ImportFailure>;

/** What an import did. */
export const ImportReport = z.object({
  /** Contexts that were not there. */
  created: count,
  /** Contexts of which an older state was stored. */
  updated: count,
  /** Contexts that were stored in this state already. */
  unchanged: count,
  /** Contexts of which a newer state is stored. */
  newer: count,
  /** Contexts that were deleted here later than they were written. */
  deleted: count,
  /** Contexts that the privacy policy or rules keep out. */
  rejected: count,
  /** Lines that are not as they must be. */
  failed: count,
  /** Privacy rules, retention rules and settings of extensions that were taken over. */
  settings: count,
  /** The first 100 of what was rejected or failed. */
  failures: z.array(ImportFailure),
});
export type ImportReport = z.infer<typeof ImportReport>;

/** Body of `DELETE /data`. */
export const EraseRequest = z.object({
  /** The id of the key's user. */
  confirm: z.string(),
});
export type EraseRequest = z.infer<typeof EraseRequest>;

/** Proof that a user's data is gone. */
export const EraseReceipt = z.object({
  erasedAt: Timestamp,
  /** Rows that were deleted, by what they are. */
  counts: z.record(z.string(), count),
  verified: z.object({
    /** Whether the files of the database were searched, or its tables. */
    method: z.enum(["files", "tables"]),
    filesSearched: count,
    tablesSearched: count,
    /** What was found of the user's id and of strings of the deleted text. */
    found: z.literal(0),
  }),
});
export type EraseReceipt = z.infer<typeof EraseReceipt>;
