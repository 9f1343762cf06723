import {
  EraseReceipt,
  EraseRequest,
  ExportedContext,
  ExportedExtension,
  ExportedRetention,
  ExportedRules,
  ExportEnd,
  ExportHeader,
  ExportLine,
  ExportQuery,
  ImportFailure,
  ImportQuery,
  ImportReport,
} from "../export.js";
import { sample } from "./example-values.js";
import { describe, describeParameters, type ParameterDocs, type SchemaDoc } from "./schema-doc.js";

const sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const place = `${sample.olderCapturedAt},${sample.olderContextId}`;

const header = {
  kind: "header",
  format: "periscope-export",
  version: 1,
  exportedAt: sample.storedAt,
  userId: sample.userId,
  contexts: 1,
} as const;

const context = {
  kind: "context",
  contextId: sample.contextId,
  type: "page",
  url: sample.url,
  title: sample.title,
  content: sample.content,
  contentFormat: "text",
  tabId: sample.tabId,
  extensionId: sample.extensionId,
  timestamp: sample.capturedAt,
  writtenAt: sample.sentAt,
  privacyLevel: "private",
  tabMetadata: {
    id: sample.tabId,
    url: sample.url,
    title: sample.title,
    isActive: true,
    isLoading: false,
    windowId: 1,
    lastUpdated: sample.capturedAt,
  },
  metadata: { topic: "databases" },
  viewedAt: sample.capturedAt,
  lastSeenAt: sample.capturedAt,
} as const;

const rules = {
  kind: "rules",
  rules: { blockedSites: ["diary.example"], siteRules: [], denyList: ["Ada Lovelace"] },
  updatedAt: sample.storedAt,
} as const;

const extension = {
  kind: "extension",
  extensionId: sample.extensionId,
  lastSeenAt: sample.sentAt,
  config: { captureImages: false },
  configAt: sample.sentAt,
} as const;

const end = { kind: "end", lines: { context: 1, rules: 1 }, sha256 } as const;

const kind = "Which line this is.";

export const exportDocs: readonly SchemaDoc[] = [
  describe(ExportLine, {
    id: "ExportLine",
    description: "One line of an export. Ignore lines of a kind that you do not know.",
    examples: {
      header: { summary: "The first line", value: header },
      context: { summary: "A context", value: context },
      end: { summary: "The last line", value: end },
    },
  }),
  describe(ExportHeader, {
    id: "ExportHeader",
    description: "First line of an export.",
    examples: [header],
    fields: {
      kind,
      format: "Always `periscope-export`.",
      version: "Version of the format. It is raised only when older importers could not read an export.",
      exportedAt: "When the export began.",
      userId: "Whose data it is. Absent in an export of a whole installation.",
      contexts: "Contexts that matched when the export began, for showing progress.",
      since: "As in the query.",
      until: "As in the query.",
      type: "As in the query.",
      after: "As in the query: this export continues one that was cut off.",
      continues: "SHA-256 of what was received before, as in the query.",
    },
  }),
  describe(ExportedContext, {
    id: "ExportedContext",
    description: "A context with everything stored of it, except which key read it last.",
    examples: [context],
    fields: {
      kind,
      contextId: "The context's id.",
      type: "What part of the page it is a snapshot of.",
      url: "Address of the page, filtered.",
      title: "Title of the page, filtered.",
      content: "The text, filtered.",
      contentFormat: "How `content` is written.",
      tabId: "The tab it was captured in.",
      extensionId: "The extension instance that captured it.",
      timestamp: "When it was captured.",
      writtenAt: "Timestamp of the message that wrote it last. Of two states of a context, the one with the later time is newer.",
      privacyLevel: "The level it is stored at.",
      levelReasons:
        "Why it has this level, such as `category:banking`; empty where it is the one that was asked for. An import keeps them.",
      tabMetadata: "State of the tab at capture time.",
      metadata: "What the sender attached.",
      viewedAt: "When it was last viewed, if ever.",
      lastSeenAt: "Time of its last heartbeat, if there was one.",
    },
  }),
  describe(ExportedRules, {
    id: "ExportedRules",
    description: "The user's own privacy rules.",
    examples: [rules],
    fields: { kind, rules: "The rules.", updatedAt: "When they were last set." },
  }),
  describe(ExportedRetention, {
    id: "ExportedRetention",
    description: "The user's own retention rules.",
    examples: [{ kind: "retention", rules: [{ keepDays: 365 }], updatedAt: sample.storedAt }],
    fields: { kind, rules: "The rules.", updatedAt: "When they were last set." },
  }),
  describe(ExportedExtension, {
    id: "ExportedExtension",
    description: "Settings of an extension instance.",
    examples: [extension],
    fields: {
      kind,
      extensionId: "The extension instance.",
      lastSeenAt: "When it was last seen.",
      config: "Its settings, filtered, if it has synced some.",
      configAt: "Timestamp of the message that set them.",
    },
  }),
  describe(ExportEnd, {
    id: "ExportEnd",
    description: "Last line of an export. Without it, the export was cut off.",
    examples: [end],
    fields: {
      kind,
      lines: "How many lines there are of each kind between the header and this line.",
      sha256: "SHA-256 of all bytes before this line, from the header on, in hexadecimal.",
    },
  }),
  describe(ImportReport, {
    id: "ImportReport",
    description: "What an import did.",
    examples: {
      report: {
        summary: "Some contexts were stored already, and one site is blocked now",
        value: {
          created: 1204,
          updated: 2,
          unchanged: 310,
          newer: 1,
          deleted: 0,
          rejected: 1,
          failed: 0,
          settings: 1,
          failures: [{ line: 7, contextId: sample.contextId, message: "This page is not captured (blocked-site)." }],
        },
      },
    },
    fields: {
      created: "Contexts that were stored as new.",
      updated: "Contexts that replaced an older state.",
      unchanged: "Contexts that were stored in exactly this state.",
      newer: "Contexts that were left alone, because a newer state is stored.",
      deleted: "Contexts that were left out, because they were deleted after they were written.",
      rejected: "Contexts that the privacy policy or rules do not let in.",
      failed: "Lines that are not valid.",
      settings: "Privacy rules, retention rules and settings of extensions that were taken over.",
      failures: "The first 100 contexts and lines that were rejected or failed.",
    },
  }),
  describe(EraseRequest, {
    id: "EraseRequest",
    description: "Confirms that everything of the user is to be erased.",
    examples: { confirm: { summary: "The user's own id", value: { confirm: sample.userId } } },
    fields: { confirm: { description: "The id of the key's user, as `GET /key` answers it.", examples: [sample.userId] } },
  }),
  describe(EraseReceipt, {
    id: "EraseReceipt",
    description: "Proof that a user's data is gone.",
    examples: {
      receipt: {
        summary: "Erased from SQLite",
        value: {
          erasedAt: sample.storedAt,
          counts: { contexts: 1204, tombstones: 3, replayRecords: 40, extensions: 1, privacyRules: 1, keys: 2 },
          verified: { method: "files", filesSearched: 3, tablesSearched: 0, found: 0 },
        },
      },
    },
    fields: {
      erasedAt: "When everything was erased and verified.",
      counts: "Rows that were deleted, by what they are.",
      verified: {
        description: "How it was verified.",
        fields: {
          method:
            "`files`: the files of the SQLite database were searched byte by byte; for an id of fewer than 8 characters, which other bytes can have by chance, its tables. `tables`: every table of PostgreSQL was searched.",
          filesSearched: "Files that were searched.",
          tablesSearched: "Tables that were searched.",
          found:
            "How many of the user's id and 20 random strings of the deleted text were found. Text that another user has stored, too, does not count.",
        },
      },
    },
  }),
  describe(ImportFailure, {
    id: "ImportFailure",
    description: "A line of an import that was not stored.",
    examples: [{ line: 12, message: "is not valid JSON" }],
    fields: { line: "Number of the line, from 1 on.", contextId: "Its context, where it names one.", message: "Why it was not stored." },
  }),
];

export const exportParameterDocs: readonly ParameterDocs[] = [
  describeParameters(ExportQuery, {
    since: { description: "Only contexts captured at this time or later.", examples: [sample.olderCapturedAt] },
    until: { description: "Only contexts captured before this time.", examples: [sample.capturedAt] },
    type: { description: "Only contexts of this type.", examples: ["page"] },
    after: {
      description: "Goes on after this context: its `timestamp` and its `contextId`, with a comma between.",
      examples: [place],
    },
    sha256: {
      description: "With `after`: SHA-256 of the bytes that were received before. An import then checks both parts.",
      examples: [sha256],
    },
  }),
  describeParameters(ImportQuery, {
    allowPartial: {
      description: "Whether to take what is there of an export that was cut off or changed.",
      examples: ["true"],
    },
  }),
];
