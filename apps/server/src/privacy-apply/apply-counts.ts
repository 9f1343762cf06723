import type { PrivacyLevel, RedactionCounts } from "@periscope/privacy";

/** What filtering again has done, in numbers. */
export interface ApplyCounts {
  /** Contexts that were looked at: the sum of `unchanged`, `rewritten` and `removed`. */
  checked: number;
  unchanged: number;
  rewritten: number;
  /** Contexts that the policy does not capture, by the first reason, such as `blocked-site`. */
  removed: Record<string, number>;
  /** Of the rewritten ones those with a higher level than before: by the old level, then by the new one. */
  raised: Partial<Record<PrivacyLevel, Partial<Record<PrivacyLevel, number>>>>;
  /** What was removed from the rewritten ones, by kind. Parts that a level drops as a whole are not counted. */
  redactions: RedactionCounts;
  /** Of the rewritten ones those that could not be filtered, and so became `restricted`. */
  failedClosed: number;
  /** Extension instances whose settings were rewritten. */
  configs: number;
  /** Extension errors that were rewritten. */
  errors: number;
  /** Replay records that lost the hash of what they were made of. */
  replayRecords: number;
}

export function noCounts(): ApplyCounts {
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
export function sumCounts(a: ApplyCounts, b: ApplyCounts): ApplyCounts {
  return sum(a, b) as unknown as ApplyCounts;
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
