import type { PrivacyLevel } from "./levels.js";
import type { CustomPattern } from "./policy.js";

/** A custom pattern that was found to be linear. */
export interface CompiledPattern {
  readonly kind: string;
  readonly from: PrivacyLevel;
  readonly regex: RegExp;
}

/** Upper bound of steps at one position: the product of all ranges of repetition. */
const stepsMax = 10_000;
const patternLengthMax = 500;

/**
 * Throws `RangeError` unless the pattern is provably linear: literals, classes, and groups of alternatives that
 * are not repeated, with bounded repetition of single characters or classes only. Then the work at one position
 * is at most the product of the ranges, whatever the text. No `*`, `+`, `{n,}`, look-around or back-reference.
 */
export function assertLinearPattern(pattern: string): void {
  const refuse = (why: string): never => {
    throw new RangeError(`pattern is not accepted: ${why}`);
  };
  if (pattern === "" || pattern.length > patternLengthMax) refuse(`it must have 1 to ${patternLengthMax} characters`);
  let steps = 1;
  let previousIsGroup = false;
  for (let at = 0; at < pattern.length;) {
    const unit = pattern.charAt(at);
    if (unit === "\\") {
      if (/[1-9k]/.test(pattern.charAt(at + 1))) refuse("back-references are not linear");
      at += 2;
      previousIsGroup = false;
    } else if (unit === "[") {
      at = classEnd(pattern, at);
      previousIsGroup = false;
    } else if (unit === "(") {
      if (pattern[at + 1] === "?" && pattern[at + 2] !== ":") refuse("only plain and (?: groups");
      at += pattern[at + 1] === "?" ? 3 : 1;
      previousIsGroup = false;
    } else if (unit === ")") {
      at++;
      previousIsGroup = true;
    } else if (unit === "*" || unit === "+") {
      refuse("unbounded repetition; write {1,64}");
    } else if (unit === "?" || unit === "{") {
      const range =
        unit === "?"
          ? ["?", "0", "1"]
          : (/^\{(\d{1,3})(?:,(\d{1,3}))?\}/.exec(pattern.slice(at)) ?? refuse("repetition must be {n} or {n,m}"));
      if (previousIsGroup) refuse("a group may not be repeated");
      const low = Number(range[1]);
      const high = Number(range[2] ?? range[1]);
      steps *= Math.max(1, high - low + 1);
      if (high > 512 || steps > stepsMax) refuse("too many ways to match");
      at += (range[0] ?? "").length;
      if (pattern[at] === "?") at++;
    } else {
      if (unit === "|") steps++;
      at++;
      previousIsGroup = false;
    }
  }
}

function classEnd(pattern: string, from: number): number {
  for (let at = from + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]" && at > from + 1) return at + 1;
  }
  throw new RangeError("pattern is not accepted: a class is not closed");
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
