import { ContextType, type PrivacyLevel } from "@periscope/schemas";
import { privacyLevels } from "@periscope/privacy";
import type { ReadScope } from "../access/scope.js";
import type { HistoryFilter } from "../contexts/context.store.js";
import { levelsUpTo } from "./history-query.js";

/** Contexts from which on a user's are counted once and for all, and the counts kept: a page of fewer is counted in a millisecond. */
export const countedMin = 10_000;

/** Contexts of one type and one level. */
export interface ContextGroup {
  type: string;
  privacyLevel: string;
}

/** Every type with every level. */
export const contextGroups: readonly ContextGroup[] = ContextType.options.flatMap((type) =>
  privacyLevels.map((privacyLevel) => ({ type, privacyLevel })),
);

/** The groups of which a filter leaves all contexts; undefined when it leaves only those of some time. */
export function groupsOf({ maxPrivacyLevel }: ReadScope, { since, until, type, privacyLevel }: HistoryFilter): ContextGroup[] | undefined {
  if (since !== undefined || until !== undefined) return undefined;
  const levels: readonly string[] = levelsUpTo(maxPrivacyLevel).filter((level: PrivacyLevel) => (privacyLevel ?? level) === level);
  return contextGroups.filter((group) => (type ?? group.type) === group.type && levels.includes(group.privacyLevel));
}
