import { limits } from "../limits.js";
import { SearchHit, SearchPage, SearchQuery } from "../search.js";
import { sample } from "./example-values.js";
import { describe, describeParameters, type ParameterDocs, type SchemaDoc } from "./schema-doc.js";

const hit = {
  contextId: sample.contextId,
  type: "page",
  url: sample.url,
  title: sample.title,
  snippet: "The default method by which SQLite implements atomic commit and rollback is a rollback journal.",
  timestamp: sample.capturedAt,
  privacyLevel: "private",
  relevance: 0.83,
} as const;

const textBound = `At most ${limits.queryBytesMax} bytes of UTF-8.`;

export const searchDocs: readonly SchemaDoc[] = [
  describe(SearchHit, {
    id: "SearchHit",
    description: "A context that a search found.",
    examples: [hit],
    fields: {
      contextId: "Identifier of the snapshot. `GET /context/{contextId}` returns all of it.",
      type: "What it is a snapshot of.",
      url: { description: "Address of the page.", examples: [sample.url] },
      title: { description: "Title of the page.", examples: [sample.title] },
      snippet: {
        description: `Excerpt around the best match, at most ${limits.snippetCharsMax} characters of plain text. The start of the content if only url or title matched.`,
        examples: [hit.snippet],
      },
      timestamp: "When it was captured.",
      privacyLevel: "The effective privacy level.",
      relevance: {
        description: "How well it matches, from 0.0 to 1.0. Comparable across queries. 1.0 if only `urlPattern` was given.",
        examples: [0.83],
      },
    },
  }),
  describe(SearchPage, {
    id: "SearchPage",
    description: "A page of search results, best first. Equally good results are sorted newest first.",
    examples: [{ results: [hit], total: 1, totalIsExact: true, query: "rollback journal", limit: 20, offset: 0 }],
    fields: {
      results: "The contexts found, by decreasing `relevance`.",
      total: {
        description: `Number of matches on all pages, at most ${limits.searchTotalMax}.`,
        examples: [1],
        keywords: { minimum: 0 },
      },
      totalIsExact: "False if `total` is not exact: there may be more matches, or for phrases in many long pages fewer.",
      query: { description: 'Echo of `query`; `""` when only `urlPattern` was given.', examples: ["rollback journal"] },
      correctedQuery: {
        description:
          "The query that was used instead, if nothing matches all words of `query` and one of them looks like a typing error for a word in the user's contexts.",
        examples: ["rollback journal"],
      },
      limit: { description: "The page size that was used.", examples: [20], keywords: { minimum: 1 } },
      offset: { description: "The offset that was used.", examples: [0], keywords: { minimum: 0 } },
    },
  }),
];

export const searchParameterDocs: readonly ParameterDocs[] = [
  describeParameters(SearchQuery, {
    query: {
      description: `Words to find in title, url, content, tab metadata and metadata, ignoring case and accents. Search matches all words; with three or more words, contexts with only some of them can rank too. \`"Quoted phrases"\` must match exactly, \`-word\` excludes contexts from what the other words find, and \`OR\` separates alternatives. Of words, phrases and alternatives, 32 are looked for, words last, and 256 of \`-word\` are excluded; more are ignored. Required unless \`urlPattern\` is given. ${textBound}`,
      examples: ['"rollback journal" sqlite -windows'],
      keywords: { maxLength: limits.queryBytesMax },
    },
    urlPattern: {
      description: `Part of the address, ignoring case. With \`*\` it is a wildcard pattern for the whole address. ${textBound}`,
      examples: ["https://www.sqlite.org/*"],
      keywords: { maxLength: limits.queryBytesMax },
    },
    type: { description: "Only contexts of this type.", examples: ["page"] },
    privacyLevel: { description: "Only contexts at this level.", examples: ["private"] },
    startTime: {
      description: "Start of the range of capture times, inclusive. Must be before `endTime`.",
      examples: ["2026-01-01T00:00:00Z"],
    },
    endTime: { description: "End of the range, exclusive.", examples: ["2026-02-01T00:00:00Z"] },
    limit: { description: `Results per page, 1 to ${limits.searchLimitMax}.`, examples: [20] },
    offset: {
      description: `How many results to skip. Only the first ${limits.searchTotalMax} matches can be read; narrow the search by time for others.`,
      examples: [0],
    },
  }),
];
