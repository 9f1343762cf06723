import { siteOf } from "@periscope/privacy";
import { type Context, ContextType, type HistoryItem, PrivacyLevel, Timestamp } from "@periscope/schemas";
import { z } from "zod";
import type { ReadBounds } from "../access/access.store.js";
import { describeContext, listHistory, toHistoryItem } from "../contexts/context.service.js";
import type { StoredContext } from "../contexts/context.store.js";
import type { Deps } from "../deps.js";
import { badParameter, notFound } from "../domain-error.js";
import { toTimestamp } from "../formats.js";
import { toTimeRange } from "../time-range.js";
import { excerptTextOf } from "../search/plain-text.js";
import { isExactSite, sitePartsMax } from "../search/site-terms.js";
import { type Histogram, toHistogram } from "./histogram.js";

const text = z.string().max(1_024).optional();

/** What a person looks for: from `since` on, and before `until`. */
export const ExploreFilter = z.object({
  query: text,
  type: z.optional(ContextType),
  privacyLevel: z.optional(PrivacyLevel),
  /** A host with everything below it, and a path if need be. */
  site: text,
  extensionId: text,
  since: z.optional(Timestamp),
  until: z.optional(Timestamp),
});
export type ExploreFilter = z.infer<typeof ExploreFilter>;

/** One of the contexts that were found. Its snippet is empty where no words were searched. */
export interface ExploreResult extends HistoryItem {
  snippet: string;
}

export interface ExplorePage {
  /** The words that were searched; absent without any. */
  query?: string;
  results: ExploreResult[];
  total: number;
  totalIsExact: boolean;
  /** The query that was answered in the place of the one given. */
  correctedQuery?: string;
  /** On the first page only. */
  histogram?: Histogram;
  /** There while there is more. */
  nextCursor?: string;
}

/** Which page is wanted: the first, with a histogram in the person's time zone, or the one at a cursor. */
export interface ExplorePlace {
  cursor?: string | undefined;
  /** Such as `Europe/Berlin`. */
  zone: string;
}

/** A context as its page shows it. */
export interface ShownContext extends Omit<Context, "content" | "nextContentCursor"> {
  /** Its text as it is to be shown: Markdown or plain, never HTML. */
  text: string;
  isMarkdown: boolean;
  /** What the privacy filter has put placeholders for, most frequent first. */
  removed: Array<{ kind: string; count: number }>;
  /** Why it has its level, such as `category:banking`; empty where it is the one that was asked for. */
  levelReasons: readonly string[];
  /** The last read of its content by a key; null where none is known. */
  lastRead: { keyId: string; keyName: string; at: string } | null;
}

const pageMax = 20;

/** A page of what a filter finds: by relevance where it has words, else newest first. Throws `bad_request`. */
export function searchOrList(
  deps: Pick<Deps, "stores">,
  scope: ReadBounds,
  filter: ExploreFilter,
  place: ExplorePlace,
): Promise<ExplorePage> {
  const hasWords = filter.query !== undefined && filter.query.trim() !== "";
  if (hasWords) return searchWords(deps, scope, filter, place);
  const rest = { ...filter, query: undefined };
  return filter.site === undefined ? readTimeline(deps, scope, rest, place) : searchWords(deps, scope, rest, place);
}

async function searchWords(
  { stores }: Pick<Deps, "stores">,
  scope: ReadBounds,
  filter: ExploreFilter,
  { cursor, zone }: ExplorePlace,
): Promise<ExplorePage> {
  const { query, site, type, privacyLevel, extensionId } = filter;
  const offset = cursor === undefined ? 0 : toOffset(cursor);
  const { start: since, end: until } = rangeOf(filter);
  const found = await stores.search.search(scope, {
    query,
    site: site === undefined ? undefined : toSite(site),
    type,
    privacyLevel,
    extensionId,
    startTime: since,
    endTime: until,
    limit: pageMax,
    offset,
    isTyping: true,
    withTimes: cursor === undefined,
  });
  const next = offset + pageMax;
  const entries = found.times?.map((at) => ({ at, count: 1 }));
  return {
    ...(query !== undefined && { query }),
    results: found.results.map((result) => ({ ...toHistoryItem(result), snippet: query === undefined ? "" : result.snippet })),
    total: found.total,
    totalIsExact: found.totalIsExact,
    ...(found.correctedQuery !== undefined && { correctedQuery: found.correctedQuery }),
    ...(entries && { histogram: toHistogram({ entries, since, until, zone }) }),
    ...(found.results.length > 0 && next < found.total && { nextCursor: String(next) }),
  };
}

async function readTimeline(
  { stores }: Pick<Deps, "stores">,
  scope: ReadBounds,
  filter: ExploreFilter,
  { cursor, zone }: ExplorePlace,
): Promise<ExplorePage> {
  const { type, privacyLevel, extensionId } = filter;
  const { start: since, end: until } = rangeOf(filter);
  const captures = cursor === undefined ? stores.contexts.captures(scope, { since, until, type, privacyLevel, extensionId }) : undefined;
  const page = await listHistory({ stores }, scope, { ...filter, cursor, limit: pageMax, offset: 0 });
  const entries = await captures;
  return {
    results: page.contexts.map((item) => ({ ...item, snippet: "" })),
    total: page.total,
    totalIsExact: true,
    ...(entries && { histogram: toHistogram({ entries, since, until, zone }) }),
    ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
  };
}

/** Throws `not_found`. */
export async function getShownContext(
  deps: Pick<Deps, "stores" | "access" | "lastReads">,
  scope: ReadBounds,
  contextId: string,
): Promise<ShownContext> {
  const context = await deps.stores.contexts.find(scope, contextId);
  if (!context) throw notFound("There is no context with this id; it may have been deleted.");
  const isMarkdown = context.contentFormat === "markdown" && context.type !== "form";
  const text = isMarkdown ? context.content : excerptTextOf({ ...context, plainText: null });
  return {
    ...describeContext(context),
    text,
    isMarkdown,
    removed: countPlaceholders(context),
    levelReasons: context.levelReasons,
    lastRead: await findLastRead(deps, scope.userId, contextId),
  };
}

async function findLastRead(
  { access, lastReads }: Pick<Deps, "access" | "lastReads">,
  userId: string,
  contextId: string,
): Promise<ShownContext["lastRead"]> {
  const read = await lastReads.find(userId, contextId);
  if (!read) return null;
  const { keyId, at } = read;
  const key = (await access.listKeys(userId)).find((each) => each.keyId === keyId);
  return { keyId, keyName: key?.name ?? "", at: toTimestamp(at) };
}

const rangeOf = ({ since, until }: ExploreFilter) => toTimeRange({ start: since, end: until, startName: "since", endName: "until" });

const webAddress = /https?:\/\/[^\s"'<>]+/g;

/** Of each kind, how many placeholders the filter has left in a context. Within addresses they tell no kind. */
function countPlaceholders({ title, url, content, metadata }: StoredContext): ShownContext["removed"] {
  const counts = new Map<string, number>();
  const count = (kind: string) => counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const text of [title, url, content, JSON.stringify(metadata)]) {
    for (const [, kind = ""] of text.matchAll(/\[REDACTED:([a-z][a-z0-9_]*)\]/g)) count(kind);
    for (const [address] of text.matchAll(webAddress)) for (const _ of address.matchAll(/REDACTED(?!:)/g)) count("in_addresses");
  }
  return [...counts].map(([kind, count]) => ({ kind, count })).sort((one, other) => other.count - one.count);
}

function toOffset(cursor: string): number {
  if (!/^\d{1,6}$/.test(cursor)) throw badParameter("cursor", "is not a cursor of this service; send nextCursor as it was answered");
  return Number(cursor);
}

function toSite(text: string): string {
  const site = siteOf(text);
  if (site === undefined) throw badParameter("site", "must be a host such as example.com");
  if (!isExactSite(site))
    throw badParameter(
      "site",
      `must have at most ${sitePartsMax} labels in its host and ${sitePartsMax} segments in its path; use a shorter site`,
    );
  return site;
}
