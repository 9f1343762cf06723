import type { TermMatch } from "../../search/search-engine.js";

/** What the terms of an owner begin with: digits and letters, where every term goes on with a sign. */
export const ownerPrefix = (owner: number): string => owner.toString(36);

/** The terms of a context, with spaces between them, as FTS5 takes them in. */
export function ownedTerms(prefix: string, terms: string): string {
  return prefix + terms.replaceAll(" ", ` ${prefix}`);
}

/** An FTS5 query for what the owner has of a match. Quoted, a term is never an operator, and none has a quote of its own. */
export function ftsQuery(prefix: string, match: TermMatch): string {
  if (typeof match === "string") return `"${prefix}${match}"`;
  const list = (matches: readonly TermMatch[], by: string): string => `(${matches.map((each) => ftsQuery(prefix, each)).join(by)})`;
  if ("any" in match) return list(match.any, " OR ");
  const all = list(match.all, " AND ");
  return match.none === undefined || match.none.length === 0 ? all : `(${all} NOT ${list(match.none, " OR ")})`;
}
