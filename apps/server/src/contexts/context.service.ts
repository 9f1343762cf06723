import { type Context, ContextId, type CurrentQuery, type GetQuery, type HistoryPage, type HistoryQuery } from "@periscope/schemas";
import type { Principal } from "../access/access.service.js";
import type { Clock } from "../deps.js";
import { badParameter, forbidden, notFound } from "../domain-error.js";
import { toMillis, toTimestamp } from "../timestamps.js";
import type { ContextStore, StoredContext } from "./context.store.js";
import { contentWindow, decodeHistoryCursor, encodeHistoryCursor } from "./paging.js";

/** Reading and deleting a user's contexts. */
export interface ContextService {
  /** Throws `not_found` when nothing has been synced yet. */
  current(principal: Principal, query: CurrentQuery): Promise<Context>;
  history(principal: Principal, query: HistoryQuery): Promise<HistoryPage>;
  /** Throws `not_found`, also for another user's context. */
  get(principal: Principal, query: GetQuery): Promise<Context>;
  /** Throws `not_found` when nobody has it, `forbidden` when only others do. */
  remove(principal: Principal, contextId: string): Promise<void>;
}

export function createContextService({ store, clock }: { store: ContextStore; clock: Clock }): ContextService {
  return {
    async current(principal, { tabId, extensionId, ...window }) {
      const context = await store.current(principal, { tabId, extensionId });
      if (!context) throw notFound("No context has been synced yet; check that the extension is connected and has synced.");
      return present(context, window);
    },

    async history(principal, query) {
      const { limit, offset, type, privacyLevel } = query;
      const since = query.since === undefined ? undefined : toMillis(query.since);
      const until = query.until === undefined ? undefined : toMillis(query.until);
      if (since !== undefined && until !== undefined && since >= until) throw badParameter("since", "must be before until");
      if (query.cursor !== undefined && offset > 0) throw badParameter("offset", "cannot be combined with cursor; send one of them");
      const cursor = query.cursor === undefined ? undefined : decodeHistoryCursor(query.cursor);
      const page = await store.history(principal, {
        limit: limit + 1,
        offset,
        after: cursor?.after,
        knownTotal: cursor?.total,
        since,
        until,
        type,
        privacyLevel,
      });
      const contexts = page.contexts.slice(0, limit);
      const last = contexts.at(-1);
      return {
        contexts: contexts.map(({ capturedAt, ...rest }) => ({ ...rest, timestamp: toTimestamp(capturedAt) })),
        total: page.total,
        limit,
        offset,
        ...(last && page.contexts.length > limit && { nextCursor: encodeHistoryCursor({ after: last, total: page.total }) }),
      };
    },

    async get(principal, { contextId, ...window }) {
      const context = await store.find(principal, contextId);
      if (!context) throw notFound("There is no context with this id; check the id, or that it has not been deleted.");
      return present(context, window);
    },

    async remove(principal, contextId) {
      // What cannot be the id of a context needs no query.
      const outcome = isContextId(contextId) ? await store.remove(principal.userId, contextId, clock()) : "missing";
      if (outcome === "missing") throw notFound("There is no context with this id; it may have been deleted already.");
      if (outcome === "foreign") throw forbidden("This context belongs to another user; you can delete only your own.");
    },
  };
}

const isContextId = (text: string): boolean => ContextId.safeParse(text).success;

type WindowQuery = Pick<GetQuery, "maxChars" | "contentCursor">;

function present(context: StoredContext, { maxChars, contentCursor }: WindowQuery): Context {
  const { contextId, userId, type, url, title, contentFormat, tabId, extensionId, privacyLevel, tabMetadata, metadata } = context;
  return {
    contextId,
    userId,
    type,
    url,
    title,
    ...contentWindow(context, maxChars, contentCursor),
    contentFormat,
    tabId,
    extensionId,
    timestamp: toTimestamp(context.capturedAt),
    privacyLevel,
    tabMetadata,
    metadata,
    ...(context.viewedAt !== null && { viewedAt: toTimestamp(context.viewedAt) }),
    ...(context.lastSeenAt !== null && { lastSeenAt: toTimestamp(context.lastSeenAt) }),
  };
}
