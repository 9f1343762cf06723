/** What passed and what failed, by name. */
export interface Tally {
  passed: string[];
  failed: string[];
}
