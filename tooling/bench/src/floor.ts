/** A question that the service and its floor are both asked. */
export type Question =
  | { kind: "current" }
  | { kind: "history" }
  /** The page of history after this context. Milliseconds since the epoch. */
  | { kind: "history-deep"; capturedAt: number; contextId: string }
  /** A word, or a phrase in quotes. */
  | { kind: "search"; text: string }
  | { kind: "url"; part: string };

/** Seconds that raw SQL took for the same rows as the service: inserting them, and putting them into its own full-text index. */
export interface FillTimes {
  contexts: number;
  rows: number;
  index: number;
}

/** The least that must be done for the same work: raw SQL on the same engine, with the full-text search that the engine brings. */
export interface Floor extends AsyncDisposable {
  /** Copies the contexts that the service got since the last call. */
  fill(): Promise<FillTimes>;
  ask(user: string, question: Question): Promise<unknown>;
}

/** Contexts on a page of history, and results of a search. */
export const historyLimit = 50;
export const searchLimit = 20;
