import type { SearchTerm } from "../../search/search-expression.js";

/** Alternatives of which one is wanted. */
export type TermGroup = readonly SearchTerm[];

/** An FTS5 query for rows of the user that hold every one of the groups, and none of the excluded terms. */
export function matchAll(userId: string, groups: readonly TermGroup[], none: readonly SearchTerm[]): string {
  return match(userId, groups.map(anyOf).join(" AND "), none);
}

/** An FTS5 query for rows of the user that hold at least one of the groups, and none of the excluded terms. */
export function matchAny(userId: string, groups: readonly TermGroup[], none: readonly SearchTerm[]): string {
  return match(userId, groups.map(anyOf).join(" OR "), none);
}

function match(userId: string, wanted: string, none: readonly SearchTerm[]): string {
  const excluded = none.length === 0 ? "" : ` NOT ${anyOf(none)}`;
  return `owner : "${ownerToken(userId)}" AND {title url content metadata} : ((${wanted})${excluded})`;
}

/** Quoted, a word is never an operator; it has no quote of its own, being letters and digits. */
function anyOf(terms: TermGroup): string {
  return `(${terms.map((words) => `"${words.join(" ")}"`).join(" OR ")})`;
}

/** As the view `search_documents` makes it: hexadecimal, so that any user id is one token and no two share one. */
function ownerToken(userId: string): string {
  return `u${Buffer.from(userId).toString("hex")}0`;
}
