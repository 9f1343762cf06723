import { Buffer } from "node:buffer";
import { z } from "zod";
import { badParameter } from "../domain-error.js";
import type { HistoryPosition } from "./context.store.js";

// Dates outside this range cannot be written as timestamps.
const dateMillisMax = 8.64e15;
const Cursor = z.tuple([z.int().min(-dateMillisMax).max(dateMillisMax), z.string().max(128), z.int().min(0)]);

/** A place in history, and the count of the walk that got there, so that no page counts again. */
export interface HistoryCursor {
  after: HistoryPosition;
  total: number;
}

/** Opaque text of a cursor. */
export function encodeHistoryCursor({ after, total }: HistoryCursor): string {
  return Buffer.from(JSON.stringify([after.capturedAt, after.contextId, total])).toString("base64url");
}

/** Throws `bad_request` for anything but a cursor that this service made. */
export function decodeHistoryCursor(cursor: string): HistoryCursor {
  try {
    const [capturedAt, contextId, total] = Cursor.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { after: { capturedAt, contextId }, total };
  } catch {
    throw badParameter("cursor", "is not a cursor of this service; send nextCursor as it was answered");
  }
}
