import { Buffer } from "node:buffer";
import { z } from "zod";
import { badParameter } from "../domain-error.js";
import type { StoredContext } from "./context.store.js";

const Position = z.tuple([z.string(), z.number(), z.int().min(0)]);

/** A part of a context's content, and where the next part starts. */
export interface ContentWindow {
  content: string;
  nextContentCursor?: string;
}

/**
 * The part of `context.content` from `cursor` on, at most `maxChars` UTF-16 units, never splitting a surrogate pair
 * (a pair that alone exceeds `maxChars` is given whole, so that paging always moves on).
 * Throws `bad_request` for a cursor that is malformed, or of content that has changed since.
 */
export function contentWindow(context: StoredContext, maxChars: number | undefined, cursor: string | undefined): ContentWindow {
  const { content } = context;
  const start = cursor === undefined ? 0 : positionOf(context, cursor);
  if (maxChars === undefined || content.length - start <= maxChars) return { content: content.slice(start) };
  let end = start + maxChars;
  if (splitsPair(content, end)) end += end - 1 > start ? -1 : 1;
  if (end >= content.length) return { content: content.slice(start) };
  return { content: content.slice(start, end), nextContentCursor: encode(context, end) };
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

function encode(context: StoredContext, offset: number): string {
  return Buffer.from(JSON.stringify([context.contextId, context.writtenAt, offset])).toString("base64url");
}

function positionOf(context: StoredContext, cursor: string): number {
  const position = Position.safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8")));
  if (!position.success) throw badParameter("contentCursor", "is not a cursor of this service; send nextContentCursor as it was answered");
  const [contextId, writtenAt, offset] = position.data;
  if (contextId !== context.contextId)
    throw badParameter("contentCursor", `belongs to context ${contextId}; read on with GET /context/{contextId}`);
  if (writtenAt !== context.writtenAt || offset > context.content.length)
    throw badParameter("contentCursor", "the content has changed since; start again without a cursor");
  return offset;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
