/**
 * Numbers of the advisory locks that this service takes, all in one place: two that are the same would wait for each other. They belong
 * to one database, and no other number may be taken from 7,352,000 to 7,352,999.
 */
export const advisoryLocks = {
  /** Held while migrations are applied, or tables spread. */
  migration: 7_352_000,
  /** Held by the process that prunes; the others leave it to that one. */
  prune: 7_352_001,
  /** Held by the process that makes the first key. */
  firstKey: 7_352_002,
} as const;
