/** The one thing that is asked of headers; `Headers` of fetch is one. */
export interface HeaderReader {
  get(name: string): string | null;
}

const leastMs = 1_000;
const mostMs = 3_600_000;

// Seconds of the year 2001; what is less cannot be a point in time, and what is more than the second is in milliseconds.
const epochSecondsMin = 1e9;
const epochMillisMin = 1e12;

/**
 * How long a 429 asks to wait, in milliseconds: `Retry-After` (seconds or a date) goes before `X-RateLimit-Reset` (seconds since the epoch;
 * more than 1e12 is read as milliseconds, and a date is understood too). Between 1 s and 1 h; undefined when neither header makes sense.
 */
export function retryAfterMs(headers: HeaderReader, now: number): number | undefined {
  return statedWaitMs(headers, now) ?? boundedWait(pointInTime(headers.get("X-RateLimit-Reset")), now);
}

/** As {@link retryAfterMs}, by `Retry-After` alone: every answer has a reset time, also those that are not about the rate limit. */
export function statedWaitMs(headers: HeaderReader, now: number): number | undefined {
  const text = headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+$/.test(text)) return bounded(Number(text) * 1_000);
  return boundedWait(dateOf(text), now);
}

function pointInTime(header: string | null): number | undefined {
  const text = header?.trim() ?? "";
  if (!/^\d+(?:\.\d+)?$/.test(text)) return dateOf(text);
  const value = Number(text);
  if (value < epochSecondsMin) return undefined;
  return value > epochMillisMin ? value : value * 1_000;
}

/** A date must begin with a letter (HTTP) or four digits and a dash (ISO): `Date.parse` reads years into much else, `-5` for one. */
function dateOf(text: string): number | undefined {
  const at = /^(?:[A-Za-z]{3,}[ ,]|\d{4}-)/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : at;
}

function boundedWait(at: number | undefined, now: number): number | undefined {
  return at === undefined ? undefined : bounded(at - now);
}

function bounded(ms: number): number {
  return Math.min(mostMs, Math.max(leastMs, ms));
}
