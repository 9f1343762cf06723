import { HistoryItem, HistoryPage, HistoryQuery } from "../history.js";
import { limits } from "../limits.js";
import { sample } from "./example-values.js";
import { describe, describeParameters, type ParameterDocs, type SchemaDoc } from "./schema-doc.js";

const newer = {
  contextId: sample.contextId,
  type: "page",
  url: sample.url,
  title: sample.title,
  timestamp: sample.capturedAt,
  privacyLevel: "private",
} as const;

const older = {
  contextId: sample.olderContextId,
  type: "selection",
  url: sample.olderUrl,
  title: sample.olderTitle,
  timestamp: sample.olderCapturedAt,
  privacyLevel: "public",
} as const;

export const historyDocs: readonly SchemaDoc[] = [
  describe(HistoryItem, {
    id: "HistoryItem",
    description: "A context in a page of history, without its content.",
    examples: [newer],
    fields: {
      contextId: "Identifier of the snapshot.",
      type: "What it is a snapshot of.",
      url: { description: "Address of the page.", examples: [sample.url] },
      title: { description: "Title of the page.", examples: [sample.title] },
      timestamp: "When it was captured.",
      privacyLevel: "The effective privacy level.",
    },
  }),
  describe(HistoryPage, {
    id: "HistoryPage",
    description: "A page of history, newest first.",
    examples: [{ contexts: [newer, older], total: 1_284, limit: 2, offset: 0, nextCursor: sample.historyCursor }],
    fields: {
      contexts: "The contexts of this page, by capture time descending, then by context id.",
      total: { description: "Number of matching contexts on all pages.", examples: [1_284], keywords: { minimum: 0 } },
      limit: { description: "The page size that was used.", examples: [50], keywords: { minimum: 1 } },
      offset: { description: "The offset that was used.", examples: [0], keywords: { minimum: 0 } },
      nextCursor: {
        description: "Present while there is more. Send it as `cursor`, with the same filters, to get the next page.",
        examples: [sample.historyCursor],
      },
    },
  }),
];

export const historyParameterDocs: readonly ParameterDocs[] = [
  describeParameters(HistoryQuery, {
    limit: { description: `Contexts per page, 1 to ${limits.historyLimitMax}.`, examples: [50] },
    offset: { description: "How many contexts to skip. For deep paging use `cursor`.", examples: [0] },
    cursor: {
      description:
        "The `nextCursor` of the previous page. Opaque. Pages stay stable while contexts are added and deleted, and deep pages cost no more than the first. Cannot be combined with an `offset` above 0.",
    },
    since: { description: "Start of the range of capture times, inclusive. Must be before `until`.", examples: ["2026-01-01T00:00:00Z"] },
    until: { description: "End of the range, exclusive.", examples: ["2026-02-01T00:00:00Z"] },
    type: { description: "Only contexts of this type.", examples: ["page"] },
    privacyLevel: { description: "Only contexts at this level.", examples: ["private"] },
  }),
];
