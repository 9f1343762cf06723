import { createHash } from "node:crypto";
import {
  type Context,
  ContextId,
  type CurrentQuery,
  type GetQuery,
  type HistoryItem,
  type HistoryPage,
  type HistoryQuery,
} from "@periscope/schemas";
import { z } from "zod";
import type { Principal } from "../access/access.service.js";
import type { ReadBounds } from "../access/access.store.js";
import type { Deps } from "../deps.js";
import { badParameter, forbidden, notFound } from "../domain-error.js";
import { parseJson, toTimestamp } from "../formats.js";
import { toTimeRange } from "../time-range.js";
import type { ContextSummary, HistoryPosition, StoredContext } from "./context.store.js";

/** Throws `not_found` when nothing has been synced yet. */
export async function getCurrentContext(
  { stores, lastReads }: Pick<Deps, "stores" | "lastReads">,
  principal: Principal,
  { tabId, extensionId, ...window }: CurrentQuery,
): Promise<Context> {
  const context = await stores.contexts.current(principal, { tabId, extensionId });
  if (!context) throw notFound("No context has been synced yet; check that the extension is connected and has synced.");
  return answer(lastReads, principal, context, window);
}

/** @param query beside what clients may ask, of one extension */
export async function listHistory(
  { stores }: Pick<Deps, "stores">,
  scope: ReadBounds,
  query: HistoryQuery & { extensionId?: string | undefined },
): Promise<HistoryPage> {
  const { limit, offset, type, privacyLevel, extensionId } = query;
  const { start: since, end: until } = toTimeRange({ start: query.since, end: query.until, startName: "since", endName: "until" });
  if (query.cursor !== undefined && offset > 0) throw badParameter("offset", "cannot be combined with cursor; send one of them");
  const cursor = query.cursor === undefined ? undefined : decodeHistoryCursor(query.cursor);
  const page = await stores.contexts.history(scope, {
    limit: limit + 1,
    offset,
    after: cursor?.after,
    knownTotal: cursor?.total,
    since,
    until,
    type,
    privacyLevel,
    extensionId,
  });
  const contexts = page.contexts.slice(0, limit);
  const last = contexts.at(-1);
  return {
    contexts: contexts.map(toHistoryItem),
    total: page.total,
    limit,
    offset,
    ...(last && page.contexts.length > limit && { nextCursor: encode([last.capturedAt, last.contextId, page.total]) }),
  };
}

/** Throws `not_found`, also for another user's context. */
export async function getContext(
  { stores, lastReads }: Pick<Deps, "stores" | "lastReads">,
  principal: Principal,
  { contextId, ...window }: GetQuery,
): Promise<Context> {
  const context = await stores.contexts.find(principal, contextId);
  if (!context) throw notFound("There is no context with this id; check the id, or that it has not been deleted.");
  return answer(lastReads, principal, context, window);
}

/** Throws `not_found` when nobody has it, also when it is above the key's level, and `forbidden` when only others do. */
export async function removeContext(
  { stores, removal }: Pick<Deps, "stores" | "removal">,
  scope: ReadBounds,
  contextId: string,
): Promise<void> {
  const missing = () => notFound("There is no context with this id; it may have been deleted already.");
  // What cannot be the id of a context needs no query.
  if (!ContextId.safeParse(contextId).success) throw missing();
  if (await removal.removeOne(scope, contextId)) return;
  if (await stores.contexts.isOfAnother(scope.userId, contextId))
    throw forbidden("This context belongs to another user; you can delete only your own.");
  throw missing();
}

type WindowQuery = Pick<GetQuery, "maxChars" | "contentCursor">;

/** A context for who reads its content, which is noted. */
function answer(
  lastReads: Deps["lastReads"],
  principal: Principal,
  context: StoredContext,
  { maxChars, contentCursor }: WindowQuery,
): Context {
  const presented = { ...describeContext(context), ...contentWindow(context, maxChars, contentCursor) };
  lastReads.note(principal, context.contextId);
  return presented;
}

/** A context as clients see it, without its content: an optional field that is left out does not compile. */
export function describeContext(context: StoredContext): { [Name in keyof Required<Described>]: Described[Name] } {
  const { contextId, userId, type, url, title, contentFormat, tabId, extensionId, privacyLevel, tabMetadata, metadata } = context;
  const { viewedAt, lastSeenAt } = context;
  // A capture in the active tab views the context without a heartbeat.
  const seenAt = [viewedAt, lastSeenAt].filter((time) => time !== null);
  return {
    contextId,
    userId,
    type,
    url,
    title,
    contentFormat,
    tabId,
    extensionId,
    timestamp: toTimestamp(context.capturedAt),
    privacyLevel,
    tabMetadata,
    metadata,
    viewedAt: viewedAt === null ? undefined : toTimestamp(viewedAt),
    lastSeenAt: seenAt.length === 0 ? undefined : toTimestamp(Math.max(...seenAt)),
  };
}

type Described = Omit<Context, "content" | "nextContentCursor">;

export function toHistoryItem({ contextId, type, url, title, capturedAt, privacyLevel }: ContextSummary): HistoryItem {
  return { contextId, type, url, title, timestamp: toTimestamp(capturedAt), privacyLevel };
}

// As `Timestamp` bounds them: a database may know no others.
const [earliest, latest] = [Date.parse("0000-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];
const HistoryPlace = z.tuple([z.int().min(earliest).max(latest), z.string().max(128), z.int().min(0)]);

/** A place in history, and the total as counted for the first page. Throws `bad_request` for anything but a cursor of this service. */
function decodeHistoryCursor(cursor: string): { after: HistoryPosition; total: number } {
  const place = HistoryPlace.safeParse(decode(cursor));
  if (!place.success) throw badParameter("cursor", "is not a cursor of this service; send nextCursor as it was answered");
  const [capturedAt, contextId, total] = place.data;
  return { after: { capturedAt, contextId }, total };
}

/** A context, its content as {@link contentMark} names it, and an offset into that. */
const ContentPlace = z.tuple([z.string(), z.string(), z.int().min(0)]);

/**
 * The part of `context.content` from `cursor` on, at most `maxChars` UTF-16 units, never splitting a surrogate pair. A pair is given
 * whole where `maxChars` is 1, so that paging always moves on.
 * Throws `bad_request` for a cursor that is malformed, or when the content has changed since.
 */
function contentWindow(context: StoredContext, maxChars: number | undefined, cursor: string | undefined) {
  const { content } = context;
  const start = cursor === undefined ? 0 : contentStart(context, cursor);
  if (maxChars === undefined || content.length - start <= maxChars) return { content: content.slice(start) };
  let end = start + maxChars;
  if (splitsPair(content, end)) end += end - 1 > start ? -1 : 1;
  if (end >= content.length) return { content: content.slice(start) };
  return { content: content.slice(start, end), nextContentCursor: encode([context.contextId, contentMark(content), end]) };
}

function contentStart(context: StoredContext, cursor: string): number {
  const place = ContentPlace.safeParse(decode(cursor));
  if (!place.success) throw badParameter("contentCursor", "is not a cursor of this service; send nextContentCursor as it was answered");
  const [contextId, mark, offset] = place.data;
  if (contextId !== context.contextId)
    throw badParameter("contentCursor", `belongs to context ${contextId}; read on with GET /context/{contextId}`);
  if (mark !== contentMark(context.content))
    throw badParameter("contentCursor", "the content has changed since; start again without a cursor");
  return offset;
}

/** A short text that differs where content differs. Times do not say that: the rest of a context changes too, and rules change content. */
function contentMark(content: string): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 16);
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

function encode(place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

function decode(cursor: string): unknown {
  return parseJson(Buffer.from(cursor, "base64url").toString("utf8"));
}
