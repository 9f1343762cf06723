import type { EventId } from "@periscope/schemas";
import type { Position } from "./live.store.js";

/** Digits of revision, place and time in base 36: fixed, so that ids compare as text as their positions do. */
const digits = [9, 4, 9] as const;

/** The id that clients see of a position. */
export function toEventId({ revision, place, at }: Position): EventId {
  return [revision, place, at].map((part, index) => part.toString(36).padStart(digits[index] ?? 0, "0")).join("");
}

/** The position of an id. */
export function toPosition(id: EventId): Position {
  const [revision = 0, place = 0, at = 0] =
    /^(.{9})(.{4})(.{9})$/
      .exec(id)
      ?.slice(1)
      .map((part) => Number.parseInt(part, 36)) ?? [];
  return { revision, place, at };
}
