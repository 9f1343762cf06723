import type { PrivacyLevel } from "./levels.js";
import type { CustomPattern } from "./policy.js";

/** A custom pattern, ready to use. */
export interface CompiledPattern {
  readonly kind: string;
  readonly from: PrivacyLevel;
  readonly regex: RegExp;
}

/**
 * Compiles an operator's patterns. Throws `RangeError` for one that does not compile or matches nothing at all. How long a pattern takes is up to who wrote
 * it: check patterns of others before.
 */
export function compilePatterns(patterns: readonly CustomPattern[]): CompiledPattern[] {
  return patterns.map(({ kind, pattern, from = "filtered" }) => {
    if (!/^[a-z][a-z0-9_]{0,31}$/.test(kind)) throw new RangeError("a pattern's kind must match ^[a-z][a-z0-9_]{0,31}$");
    let regex: RegExp;
    try {
      regex = new RegExp(pattern, "gu");
    } catch {
      throw new RangeError(`pattern for ${kind} is not accepted: it does not compile`);
    }
    if (regex.test("")) throw new RangeError(`pattern for ${kind} is not accepted: it matches the empty text`);
    return { kind, from, regex };
  });
}
