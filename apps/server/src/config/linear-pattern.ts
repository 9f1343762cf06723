import { PatternError, stepsOf } from "./pattern-steps.js";

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
