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
      contextId: "Identifier of the snapshot; `GET /context/{contextId}` has all of it.",
      type: "What part of the page it is a snapshot of.",
      url: { description: "Address of the page.", examples: [sample.url] },
      title: { description: "Title of the page.", examples: [sample.title] },
      snippet: {
        description: `Excerpt around the best match, at most ${limits.snippetCharsMax} characters of plain text; the start of the content when only url or title matched.`,
        examples: [hit.snippet],
      },
      timestamp: "When it was captured.",
      privacyLevel: "The level in force.",
      relevance: {
        description: "How well it matches, 0.0 to 1.0, higher is better; comparable across queries. 1.0 when only `urlPattern` was given.",
        examples: [0.83],
      },
    },
  }),
  describe(SearchPage, {
    id: "SearchPage",
    description: "A page of search results, best first; those as good as each other newest first.",
    examples: [{ results: [hit], total: 1, totalIsExact: true, query: "rollback journal", limit: 20, offset: 0 }],
    fields: {
      results: "The contexts found; `relevance` never increases down the list.",
      total: {
        description: `Matches on all pages; past ${limits.searchTotalMax} it is ${limits.searchTotalMax}.`,
        examples: [1],
        keywords: { minimum: 0 },
      },
      totalIsExact: "False when there may be more matches than `total` says; or fewer, where a phrase was looked for in many long pages.",
      query: { description: 'Echo of `query`; `""` when only `urlPattern` was given.', examples: ["rollback journal"] },
      correctedQuery: {
        description:
          "The query that was answered instead, when nothing has all the words of `query` and one of them is a typing error away from a word of the user's own contexts.",
        examples: ["rollback journal"],
      },
      limit: { description: "The page size in force.", examples: [20], keywords: { minimum: 1 } },
      offset: { description: "The offset in force.", examples: [0], keywords: { minimum: 0 } },
    },
  }),
];

export const searchParameterDocs: readonly ParameterDocs[] = [
  describeParameters(SearchQuery, {
    query: {
      description: `Words to find in title, url, content, tab metadata and metadata, whatever their case and accents. All are wanted; \`"quoted phrases"\`, \`-without\` and \`OR\` are understood. Of three words and more, contexts with some of them are ranked beside those with all, unless a hundred have all. When no context has all the words, those with most of the rarest ones come. Required unless \`urlPattern\` is given. ${textBound}`,
      examples: ['"rollback journal" sqlite -windows'],
      keywords: { maxLength: limits.queryBytesMax },
    },
    urlPattern: {
      description: `Part of the address, whatever its case; with \`*\` a wildcard over the whole address. ${textBound}`,
      examples: ["https://www.sqlite.org/*"],
      keywords: { maxLength: limits.queryBytesMax },
    },
    type: { description: "Only contexts of this type.", examples: ["page"] },
    privacyLevel: { description: "Only contexts at this level.", examples: ["private"] },
    startTime: {
      description: "Start of the range of capture times, inclusive; must be before `endTime`.",
      examples: ["2026-01-01T00:00:00Z"],
    },
    endTime: { description: "End of the range, exclusive.", examples: ["2026-02-01T00:00:00Z"] },
    limit: { description: `Results a page, 1 to ${limits.searchLimitMax}.`, examples: [20] },
    offset: { description: "How many results to skip.", examples: [0] },
  }),
];
