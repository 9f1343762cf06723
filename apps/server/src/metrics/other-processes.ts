/** What one process has counted, as it can be sent to another. */
export type MetricsSnapshot = object[];

/** The processes that serve on the same port as this one: whichever is asked for metrics tells those of all. */
export interface OtherProcesses {
  /** Name of this process among them, a label of everything that it counts. */
  name: string;
  /** Gives the others what they ask for. */
  answer(snapshot: () => Promise<MetricsSnapshot>): void;
  /** What the others have counted; without those that do not answer in time. */
  ask(): Promise<MetricsSnapshot[]>;
}
