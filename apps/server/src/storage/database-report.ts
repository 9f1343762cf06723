/** State of a database. */
export interface DatabaseReport {
  /** What the engine's own check complains about; empty when it finds nothing. */
  damage: string[];
  /** Migrations that the next start applies. */
  pending: string[];
  /** Migrations that this version does not know: a newer one was here. */
  unknown: string[];
  users: number;
  /** API keys that are neither revoked nor expired. */
  keys: number;
  /** Latest time on record, in milliseconds since the epoch; null when nothing is. */
  latest: number | null;
}
