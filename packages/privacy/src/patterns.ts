import type { PrivacyLevel } from "./levels.js";
import { PatternError, stepsOf } from "./pattern-steps.js";
import type { CustomPattern } from "./policy.js";

/** A custom pattern that was found to be linear. */
export interface CompiledPattern {
  readonly kind: string;
  readonly from: PrivacyLevel;
  readonly regex: RegExp;
}

/** Steps at one place of a text. A step takes some 2 ns, so 1 MiB that is all made for the pattern takes 1 to 2 s. */
const stepsMax = 500;
const patternLengthMax = 500;

/**
 * Throws `RangeError` unless the pattern is provably linear: literals, classes, and groups of alternatives that
 * are not repeated, with bounded repetition of single characters or classes only. No `*`, `+`, `{n,}`, look-around or
 * back-reference. Then the work at one place is bounded, whatever the text ({@link stepsOf}), and the bound may be 500 steps at the most.
 */
export function assertLinearPattern(pattern: string): void {
  const refuse = (why: string): never => {
    throw new RangeError(`pattern is not accepted: ${why}`);
  };
  if (pattern === "" || pattern.length > patternLengthMax) refuse(`it must have 1 to ${patternLengthMax} characters`);
  let steps: number;
  try {
    steps = stepsOf(pattern);
  } catch (error) {
    return refuse(error instanceof PatternError ? error.message : "it cannot be read");
  }
  if (steps > stepsMax)
    refuse(
      `too many ways to match: up to ${steps > 1e6 ? "millions of" : steps} steps at one place, where ${stepsMax} are allowed; use smaller ranges`,
    );
}

/** Compiles an operator's patterns. Throws `RangeError` for one that is not linear, does not compile or matches nothing at all. */
export function compilePatterns(patterns: readonly CustomPattern[]): CompiledPattern[] {
  return patterns.map(({ kind, pattern, from = "filtered" }) => {
    if (!/^[a-z][a-z0-9_]{0,31}$/.test(kind)) throw new RangeError("a pattern's kind must match ^[a-z][a-z0-9_]{0,31}$");
    assertLinearPattern(pattern);
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
