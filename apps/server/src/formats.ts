export const dayMs = 86_400_000;

/** The later of two times, of which there may be none. */
export function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** Milliseconds since the epoch of a timestamp that the contract's schema has accepted. */
export function toMillis(timestamp: string): number {
  return Date.parse(timestamp);
}

/** `2026-01-31T12:34:56.789Z`: UTC with millisecond precision. */
export function toTimestamp(millis: number): string {
  return new Date(millis).toISOString();
}

/** NUL ends a string in some databases, and lone surrogates have no UTF-8: both become U+FFFD, as in HTML. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** The value of a JSON text; undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON with object keys in code-unit order and no white space: equal values give equal text (as RFC 8785 orders keys). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
