/** Where the user stands in the budget that a request drew on. */
export interface RateLimit {
  /** Requests in a window. */
  limit: number;
  /** Requests left in it. */
  remaining: number;
  /** When the window ends. */
  resetAt: Date;
}

/** What the headers of an answer say about the budget; null when they do not say it all. */
export function rateLimitOf(headers: Headers): RateLimit | null {
  const limit = countIn(headers, "X-RateLimit-Limit");
  const remaining = countIn(headers, "X-RateLimit-Remaining");
  const seconds = countIn(headers, "X-RateLimit-Reset");
  if (limit === null || remaining === null || seconds === null) return null;
  const resetAt = new Date(seconds * 1_000);
  return Number.isNaN(resetAt.getTime()) ? null : { limit, remaining, resetAt };
}

function countIn(headers: Headers, name: string): number | null {
  const text = headers.get(name);
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
