import { Buffer } from "node:buffer";
import { z } from "zod";
import { badParameter } from "../domain-error.js";
import type { HistoryPosition } from "./context.store.js";

// Dates outside this range cannot be written as timestamps.
const dateMillisMax = 8.64e15;
const Position = z.tuple([z.int().min(-dateMillisMax).max(dateMillisMax), z.string().max(128)]);

/** Opaque name of the place in history after `position`. */
export function encodeHistoryCursor({ capturedAt, contextId }: HistoryPosition): string {
  return Buffer.from(JSON.stringify([capturedAt, contextId])).toString("base64url");
}

/** Throws `bad_request` for anything but a cursor that this service made. */
export function decodeHistoryCursor(cursor: string): HistoryPosition {
  try {
    const [capturedAt, contextId] = Position.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { capturedAt, contextId };
  } catch {
    throw badParameter("cursor", "is not a cursor of this service; send nextCursor as it was answered");
  }
}
