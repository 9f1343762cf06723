/** How long a document was viewed, in milliseconds, and the context that it shows. */
interface DocumentTime {
  /** The whole time that it has said of itself, so that a message that is repeated or comes late counts once. */
  ms: number;
  /** What of it is of no concern to the current account. */
  before: number;
  /** Absent when the context was forgotten. */
  contextId?: string;
}

/** The times by document. A time outlives its tab: the last message of a page often comes after the tab is closed. */
export type ViewedTimes = Record<string, DocumentTime>;

/** What a document says of itself: `id` tells it and its visits apart, `ms` is its whole time. */
export interface SaidTime {
  id: string;
  ms: number;
}

const documentsMax = 1_000;

/** Takes the time of a document that shows a context. Returns the time that the context was viewed in all documents. */
export function addViewed(times: ViewedTimes, contextId: string, { id, ms }: SaidTime): number {
  const { ms: known, before } = times[id] ?? { ms: 0, before: 0 };
  times[id] = { ms: Math.max(known, ms), before, contextId };
  const own = Object.entries(times).filter(([, each]) => each.contextId === contextId);
  // Those that were used last come last, with all documents of their context. Of too many, the first go.
  for (const [each, time] of own) {
    delete times[each];
    times[each] = time;
  }
  for (const surplus of Object.keys(times).slice(0, -documentsMax)) delete times[surplus];
  return own.reduce((sum, [, time]) => sum + time.ms - time.before, 0);
}

/** Takes the time of a document whose context was forgotten: whoever comes next is not told of it. */
export function skipViewed(times: ViewedTimes, { id, ms }: SaidTime): void {
  const known = times[id];
  if (known !== undefined) times[id] = { ms: Math.max(known.ms, ms), before: Math.max(known.ms, ms) };
}

/** Forgets all contexts, and remembers what their documents have said so far. */
export function forgetContexts(times: ViewedTimes): void {
  for (const [id, { ms }] of Object.entries(times)) times[id] = { ms, before: ms };
}
