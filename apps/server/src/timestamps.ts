/** Milliseconds since the epoch of a timestamp that the contract's schema has accepted. */
export function toMillis(timestamp: string): number {
  return Date.parse(timestamp);
}

/** `2026-01-31T12:34:56.789Z`: UTC with millisecond precision. */
export function toTimestamp(millis: number): string {
  return new Date(millis).toISOString();
}
