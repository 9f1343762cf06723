/** A part of a budget that one process may give out by itself. */
export interface RateLease {
  /** Requests; 0 when nothing is left of the budget. */
  granted: number;
  /** What all processes together have taken of the budget so far, this part included. */
  taken: number;
  /** The minute that it is a part of, counted since the epoch by the store's clock, which is one for all processes. */
  window: number;
  /** Milliseconds until that minute ends, by the store's clock when it answered. */
  endsInMs: number;
}

/** The budgets that all processes of a service share. */
export interface RateStore {
  /** Takes a part of what is left of the budget in this minute: a tenth, and one at least, so that little is left over in other processes. */
  lease(wanted: { subject: string; budget: string; limit: number }): Promise<RateLease>;
}

/** Milliseconds since the epoch that windows are to be counted by, as a test sets them; undefined for the store's own clock. */
export type RateClock = () => number | undefined;
