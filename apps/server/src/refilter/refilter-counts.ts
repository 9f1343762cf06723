import type { PrivacyLevel, RedactionCounts } from "@periscope/privacy";

/** What filtering again has changed. */
export interface RefilterCounts {
  /** Contexts that were checked: the sum of `unchanged`, `rewritten` and `removed`. */
  checked: number;
  unchanged: number;
  rewritten: number;
  /** Contexts that the policy does not capture, by the first reason, such as `blocked-site`. */
  removed: Record<string, number>;
  /** Rewritten contexts that have a higher level than before, by old level, then new level. */
  raised: Partial<Record<PrivacyLevel, Partial<Record<PrivacyLevel, number>>>>;
  /** What was removed from rewritten contexts, by kind. Parts that a level drops as a whole are not counted. */
  redactions: RedactionCounts;
  /** Rewritten contexts that could not be filtered and became `restricted`. */
  failedClosed: number;
  /** Extension instances whose settings were rewritten. */
  configs: number;
  /** Extension errors that were rewritten. */
  errors: number;
  /** Replay records that lost the hash of their message. */
  replayRecords: number;
}

export function noCounts(): RefilterCounts {
  return {
    checked: 0,
    unchanged: 0,
    rewritten: 0,
    removed: {},
    raised: {},
    redactions: {},
    failedClosed: 0,
    configs: 0,
    errors: 0,
    replayRecords: 0,
  };
}

/** The sum of two counts, as a new object. */
export function sumCounts(a: RefilterCounts, b: RefilterCounts): RefilterCounts {
  return sum(a, b) as unknown as RefilterCounts;
}

interface Numbers {
  [name: string]: number | Numbers;
}

function sum(a: object, b: object): Numbers {
  const total = { ...a } as Numbers;
  for (const [name, added] of Object.entries(b) as Array<[string, number | Numbers]>) {
    const known = total[name] ?? (typeof added === "number" ? 0 : {});
    total[name] = typeof added === "number" || typeof known === "number" ? Number(known) + Number(added) : sum(known, added);
  }
  return total;
}
