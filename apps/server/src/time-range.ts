import { badParameter } from "./domain-error.js";
import { toMillis } from "./formats.js";

/** A time range as it is asked for: from `start` on, and before `end`. */
interface AskedRange {
  start: string | undefined;
  end: string | undefined;
  startName: string;
  endName: string;
}

/**
 * The bounds of a time range in milliseconds since the epoch. Stored times are whole milliseconds, so a bound between two of them counts
 * as the later one. Throws `bad_request` unless `start` is before `end`.
 */
export function toTimeRange({ start, end, startName, endName }: AskedRange): { start: number | undefined; end: number | undefined } {
  if (start !== undefined && end !== undefined && !isBefore(start, end)) throw badParameter(startName, `must be before ${endName}`);
  return { start: start === undefined ? undefined : roundUpToMillis(start), end: end === undefined ? undefined : roundUpToMillis(end) };
}

function isBefore(one: string, other: string): boolean {
  const difference = toMillis(one) - toMillis(other);
  return difference < 0 || (difference === 0 && partOfMilli(one) < partOfMilli(other));
}

const roundUpToMillis = (timestamp: string): number => toMillis(timestamp) + (partOfMilli(timestamp) > 0 ? 1 : 0);

/** The part of a timestamp below a millisecond, from 0 up to 1. */
function partOfMilli(timestamp: string): number {
  return Number(`0.${/\.\d{3}(\d*)/.exec(timestamp)?.[1] ?? ""}`);
}
