/**
 * How much of a context may be stored, in rising order of protection:
 * `public < private < filtered < restricted`. It is one total order, so the
 * effective level of a context is always the maximum of all that apply.
 */
export type PrivacyLevel = "public" | "private" | "filtered" | "restricted";

/** All levels in rising order of protection. */
export const privacyLevels: readonly PrivacyLevel[] = ["public", "private", "filtered", "restricted"];

const ranks: Readonly<Record<PrivacyLevel, number>> = { public: 0, private: 1, filtered: 2, restricted: 3 };

/** The more protective of two levels. */
export function maxLevel(a: PrivacyLevel, b: PrivacyLevel): PrivacyLevel {
  return ranks[a] >= ranks[b] ? a : b;
}

/**
 * Whether `level` is at most `bound`: what a reader limited to `bound` may see.
 *
 * @example isAtMost("private", "filtered") // true
 */
export function isAtMost(level: PrivacyLevel, bound: PrivacyLevel): boolean {
  return ranks[level] <= ranks[bound];
}
