import { type AST, RegExpParser } from "@eslint-community/regexpp";

/** Steps at one place of a text. A step takes some 2 ns, so 1 MiB that is all made for the pattern takes 1 to 2 s. */
const stepsMax = 500;
const patternLengthMax = 500;
const repetitionMax = 512;

/**
 * Throws `RangeError` unless the pattern is provably linear: literals, classes, and groups of alternatives that
 * are not repeated, with bounded repetition of single characters or classes only. No `*`, `+`, `{n,}`, look-around or
 * back-reference. Then the work at one place is bounded, whatever the text ({@link stepsOf}), and the bound may be 500 steps at the most.
 * Throws `SyntaxError` for what is no regular expression.
 */
export function assertLinearPattern(pattern: string): void {
  if (pattern === "" || pattern.length > patternLengthMax) refuse(`it must have 1 to ${patternLengthMax} characters`);
  const { alternatives } = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: true });
  const steps = stepsOf(alternatives, 1);
  if (steps > stepsMax)
    refuse(
      `too many ways to match: up to ${steps > 1e6 ? "millions of" : steps} steps at one place, where ${stepsMax} are allowed; use smaller ranges`,
    );
}

function refuse(why: string): never {
  throw new RangeError(`pattern is not accepted: ${why}`);
}

/**
 * The most steps that a matcher that tries everything takes at one place of a text, whatever the text is, with every part of the pattern
 * matching wherever it is tried and the whole failing at its end, where `after` is the steps of what comes after these alternatives: a
 * literal or class is one step and what comes after; a repetition `{n,m}` is `m` steps and what comes after once for each of its
 * `m - n + 1` lengths; a group is what comes after once for each alternative. So repetitions and groups in a row multiply, but for one that
 * a character follows which it cannot repeat (`[a-z]{1,64}@`): that stands at one of the lengths only. Infinity when it is past all numbers.
 */
function stepsOf(alternatives: readonly AST.Alternative[], after: number): number {
  const each = alternatives.map(({ elements }) =>
    elements.reduceRight((left, element, index) => stepsFrom(element, elements[index + 1], left), after),
  );
  return each.length === 1 ? (each[0] as number) : each.reduce((sum, steps) => sum + 1 + steps, 0);
}

/** Steps of an element and all that comes after it: `next`, which stands beside it, begins what takes `after` steps. */
function stepsFrom(element: AST.Element, next: AST.Element | undefined, after: number): number {
  switch (element.type) {
    case "Group":
    case "CapturingGroup":
      if (/^\(\?[^:]/.test(element.raw)) refuse("only plain groups and (?:…) groups are allowed");
      return stepsOf(element.alternatives, after);
    case "Assertion":
      if (element.kind === "lookahead" || element.kind === "lookbehind") refuse("only plain groups and (?:…) groups are allowed");
      return 1 + after;
    case "Backreference":
      return refuse("back-references are not linear");
    case "Quantifier": {
      const { element: repeated, min, max } = element;
      if (max === Number.POSITIVE_INFINITY) refuse("unbounded repetition; write {1,64}");
      if (!repeated.type.startsWith("Character")) refuse("groups and back-references may not be repeated");
      if (max > repetitionMax) refuse(`too many ways to match: a repetition goes up to ${repetitionMax}`);
      return max + (isOutside(next, repeated.raw) ? max - min + after : (max - min + 1) * after);
    }
    case "Character":
    case "CharacterClass":
    case "CharacterSet":
    case "ExpressionCharacterClass":
      return 1 + after;
  }
}

/** Whether an element is one character, which a literal or class does not match. */
function isOutside(element: AST.Element | undefined, source: string): boolean {
  return element?.type === "Character" && !new RegExp(`^(?:${source})$`, "u").test(String.fromCodePoint(element.value));
}
