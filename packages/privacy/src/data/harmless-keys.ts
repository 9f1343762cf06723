/** Query keys whose values are kept at `filtered`, after the detectors: searches, paging, views (privacy rules, "Fields"). */
export const harmlessKeys: ReadonlySet<string> = new Set([
  "q", "query", "search", "p", "page", "id", "v", "t", "lang", "hl", "tab", "sort", "filter", "tag", "category",
]);
