/** Times in milliseconds: how long contexts were viewed, and what each document has said of itself. */
export interface ViewedTimes {
  contexts: Record<string, number>;
  documents: Record<string, number>;
}

/** The whole time that a document was viewed. It is said anew each time, so that a message that is repeated or comes late counts once. */
export interface DocumentTime {
  id: string;
  ms: number;
}

const entriesMax = 1_000;

/**
 * Adds what is new of a document's time to a context, and returns the time of the context. A time outlives its tab: the last message of a
 * page often comes after the tab is closed.
 */
export function addViewed(times: ViewedTimes, contextId: string, said: DocumentTime | undefined): number {
  const sum = (times.contexts[contextId] ?? 0) + (said === undefined ? 0 : noteDocument(times, said));
  keep(times.contexts, contextId, sum);
  return sum;
}

/** Remembers what a document has said, and returns what of it is new. */
export function noteDocument({ documents }: ViewedTimes, { id, ms }: DocumentTime): number {
  const known = documents[id] ?? 0;
  keep(documents, id, Math.max(known, ms));
  return Math.max(0, ms - known);
}

/** Those that were used last come last; of too many, the first go. */
function keep(times: Record<string, number>, id: string, ms: number): void {
  delete times[id];
  times[id] = ms;
  for (const surplus of Object.keys(times).slice(0, -entriesMax)) delete times[surplus];
}
