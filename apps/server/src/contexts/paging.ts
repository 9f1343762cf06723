import { Buffer } from "node:buffer";
import { z } from "zod";
import { badParameter } from "../domain-error.js";
import type { HistoryPosition, StoredContext } from "./context.store.js";

/** A place in history, and the total as counted for the first page, so that no later page counts again. */
export interface HistoryCursor {
  after: HistoryPosition;
  total: number;
}

// Dates outside this range cannot be written as timestamps.
const dateMillisMax = 8.64e15;
const HistoryPlace = z.tuple([z.int().min(-dateMillisMax).max(dateMillisMax), z.string().max(128), z.int().min(0)]);

export function encodeHistoryCursor({ after, total }: HistoryCursor): string {
  return encode([after.capturedAt, after.contextId, total]);
}

/** Throws `bad_request` for anything but a cursor that this service made. */
export function decodeHistoryCursor(cursor: string): HistoryCursor {
  const place = HistoryPlace.safeParse(decode(cursor));
  if (!place.success) throw badParameter("cursor", "is not a cursor of this service; send nextCursor as it was answered");
  const [capturedAt, contextId, total] = place.data;
  return { after: { capturedAt, contextId }, total };
}

/** A part of a context's content, and where the next part starts. */
export interface ContentWindow {
  content: string;
  nextContentCursor?: string;
}

const ContentPlace = z.tuple([z.string(), z.number(), z.int().min(0)]);

/**
 * The part of `context.content` from `cursor` on, at most `maxChars` UTF-16 units, never splitting a surrogate pair. A pair is given
 * whole where `maxChars` is 1, so that paging always moves on.
 * Throws `bad_request` for a cursor that is malformed, or when the content has changed since.
 */
export function contentWindow(context: StoredContext, maxChars: number | undefined, cursor: string | undefined): ContentWindow {
  const { content } = context;
  const start = cursor === undefined ? 0 : contentStart(context, cursor);
  if (maxChars === undefined || content.length - start <= maxChars) return { content: content.slice(start) };
  let end = start + maxChars;
  if (splitsPair(content, end)) end += end - 1 > start ? -1 : 1;
  if (end >= content.length) return { content: content.slice(start) };
  return { content: content.slice(start, end), nextContentCursor: encode([context.contextId, context.writtenAt, end]) };
}

function contentStart(context: StoredContext, cursor: string): number {
  const place = ContentPlace.safeParse(decode(cursor));
  if (!place.success) throw badParameter("contentCursor", "is not a cursor of this service; send nextContentCursor as it was answered");
  const [contextId, writtenAt, offset] = place.data;
  if (contextId !== context.contextId)
    throw badParameter("contentCursor", `belongs to context ${contextId}; read on with GET /context/{contextId}`);
  if (writtenAt !== context.writtenAt || offset > context.content.length)
    throw badParameter("contentCursor", "the content has changed since; start again without a cursor");
  return offset;
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
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
