/** How long contexts were viewed, and what each document said of it last, in milliseconds. */
export type ViewedTimes = Record<string, number>;

const entriesMax = 1_000;

/**
 * Adds what a document says of a context, and returns the time of the context. A document says its whole time each time, so that a message that is repeated or
 * comes late counts once. A time outlives its tab: the last message of a page often comes after the tab is closed.
 */
export function addViewed(times: ViewedTimes, contextId: string, { id, ms }: { id: string; ms: number }): number {
  const document = `document ${id}`;
  const known = times[document] ?? 0;
  const sum = (times[contextId] ?? 0) + Math.max(0, ms - known);
  for (const [name, value] of [[document, Math.max(known, ms)] as const, [contextId, sum] as const]) {
    // Those that were used last come last.
    delete times[name];
    times[name] = value;
  }
  for (const surplus of Object.keys(times).slice(0, -entriesMax)) delete times[surplus];
  return sum;
}
