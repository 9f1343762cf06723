import { privacyLevels, siteMatcher, siteOf } from "@periscope/privacy";
import { type DeletedMany, type DeletePreview, type DeleteWhere, limits } from "@periscope/schemas";
import { levelsUpTo, type ReadBounds } from "../access/access.store.js";
import type { Deps } from "../deps.js";
import { badParameter, conflict } from "../domain-error.js";
import { toTimeRange } from "../time-range.js";
import { requireAllTaken } from "../search/query-plan.js";
import type { SearchStore } from "../search/search.store.js";
import { urlMatcher } from "../search/url-pattern.js";
import { toHistoryItem } from "../contexts/context.service.js";
import { type ChosenContext, sliceContexts } from "../contexts/context-removal.js";

const sampleMax = 10;

/** How many contexts meet the conditions, and some of them. Throws `bad_request`. */
export async function previewDelete(deps: Pick<Deps, "stores">, scope: ReadBounds, where: DeleteWhere): Promise<DeletePreview> {
  checkWhere(where);
  let matches = 0;
  const sample: ChosenContext[] = [];
  for await (const page of matching(deps, scope, where)) {
    matches += page.length;
    sample.push(...page.slice(0, sampleMax - sample.length));
  }
  return {
    matches,
    sample: sample.map(toHistoryItem),
    confirm: String(matches),
  };
}

/**
 * Checks what is to be deleted; then `run` deletes it.
 * @param confirm the number that {@link previewDelete} answered. Throws `bad_request`, and `conflict` when more match than were confirmed.
 */
export async function confirmDelete(
  deps: Pick<Deps, "stores" | "removal">,
  scope: ReadBounds,
  where: DeleteWhere,
  confirm: string | undefined,
) {
  checkWhere(where);
  if (confirm === undefined) throw badParameter("confirm", "required without dryRun; send the count that a dry run answers");
  let matches = 0;
  for await (const page of matching(deps, scope, where)) matches += page.length;
  if (matches > Number(confirm))
    throw conflict(`${matches} contexts match by now, and ${Number(confirm)} were confirmed. Nothing was deleted. Send a dry run again.`);
  return {
    async run(): Promise<DeletedMany> {
      let deleted = 0;
      for await (const page of matching(deps, scope, where)) {
        // What has begun to match meanwhile was not confirmed.
        const confirmed = page.slice(0, matches - deleted);
        if (confirmed.length > 0) deleted += await deps.removal.removeUnchanged(scope.userId, confirmed);
        if (deleted >= matches) break;
      }
      return { deleted };
    },
  };
}

/** Pages of contexts that meet every condition and that the key can see. */
async function* matching(deps: Pick<Deps, "stores">, scope: ReadBounds, where: DeleteWhere): AsyncGenerator<ChosenContext[]> {
  const { urlPattern, site, type, privacyLevel, extensionId } = where;
  const { start: startTime, end: endTime } = rangeOf(where);
  const isOfSite = site === undefined ? () => true : siteMatcher(site);
  const fitsPattern = urlPattern === undefined ? () => true : urlMatcher(urlPattern);
  const fits = ({ url }: ChosenContext) => isOfSite(url) && fitsPattern(url);
  if (where.query !== undefined) {
    const found = await searched(deps, scope, {
      query: where.query,
      urlPattern,
      site: site && siteOf(site),
      type,
      privacyLevel,
      extensionId,
      startTime,
      endTime,
    });
    for (let at = 0; at < found.length; at += sliceContexts) yield found.slice(at, at + sliceContexts).filter(fits);
    return;
  }
  const seen = levelsUpTo(scope.maxPrivacyLevel).filter((level) => privacyLevel === undefined || level === privacyLevel);
  const levels = privacyLevels.filter((level) => seen.includes(level));
  for (let place: ChosenContext | undefined; ;) {
    const page = await deps.stores.data.readHeads(
      scope.userId,
      { since: startTime, until: endTime, type, levels, extensionId },
      place,
      sliceContexts,
    );
    if (page.length === 0) return;
    yield page.filter(fits);
    place = page.at(-1);
  }
}

/** Contexts that have every word. Throws `bad_request` where they cannot all be found. */
async function searched(
  { stores }: Pick<Deps, "stores">,
  scope: ReadBounds,
  request: Omit<Parameters<SearchStore["search"]>[1], "limit" | "offset">,
): Promise<ChosenContext[]> {
  const all: ChosenContext[] = [];
  for (;;) {
    const page = await stores.search.search(scope, { ...request, isExact: true, limit: sliceContexts, offset: all.length });
    if (!page.totalIsExact)
      throw badParameter(
        "where.query",
        `${page.total < limits.searchTotalMax ? phraseInTooMany : tooMany}; narrow it by startTime and endTime`,
      );
    all.push(...page.results);
    if (page.results.length === 0 || all.length >= page.total) return all;
  }
}

const tooMany = "matches more than 10,000 contexts";
const phraseInTooMany = "has a phrase whose words are in more than 20,000 contexts, too many to look for it in";

const rangeOf = ({ startTime, endTime }: DeleteWhere) =>
  toTimeRange({ start: startTime, end: endTime, startName: "where.startTime", endName: "endTime" });

function checkWhere(where: DeleteWhere): void {
  const { query, urlPattern, site } = where;
  if (site !== undefined && siteOf(site) === undefined)
    throw badParameter("where.site", "must be a host, with a path if need be, such as bank.example or example.com/health");
  rangeOf(where);
  for (const [name, text] of Object.entries({ query, urlPattern }))
    if (text?.trim() === "") throw badParameter(`where.${name}`, "must not be blank");
  if (query !== undefined) requireAllTaken(query, "where.query");
}
