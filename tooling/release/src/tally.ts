/** What passed and what failed, by name. */
export interface Tally {
  passed: string[];
  failed: string[];
  /** Why nothing was tried, where that is no failure: then nothing counts as passed either. */
  notRun?: string;
}
