/** A part of a budget that one process may give out by itself. */
export interface RateLease {
  /** Requests; 0 when nothing is left of the budget. */
  granted: number;
  /** What all processes together have taken of the budget so far, this part included. */
  taken: number;
}

/** The budgets that all processes of a service share. */
export interface RateStore {
  /** Takes a part of what is left of the budget in this window: a tenth, and one at least, so that little is left over in other processes. */
  lease(wanted: { subject: string; budget: string; limit: number; window: number }): Promise<RateLease>;
}
