/** Steps at one place of a text. A step takes some 2 ns, so 1 MiB that is all made for the pattern takes 1 to 2 s. */
const stepsMax = 500;
const patternLengthMax = 500;

/**
 * Throws `RangeError` unless the pattern is provably linear: literals, classes, and groups of alternatives that
 * are not repeated, with bounded repetition of single characters or classes only. No `*`, `+`, `{n,}`, look-around or
 * back-reference. Then the work at one place is bounded, whatever the text ({@link stepsOf}), and the bound may be 500 steps at the most.
 */
export function assertLinearPattern(pattern: string): void {
  if (pattern === "" || pattern.length > patternLengthMax) refuse(`it must have 1 to ${patternLengthMax} characters`);
  const steps = stepsOf(pattern);
  if (steps > stepsMax)
    refuse(
      `too many ways to match: up to ${steps > 1e6 ? "millions of" : steps} steps at one place, where ${stepsMax} are allowed; use smaller ranges`,
    );
}

function refuse(why: string): never {
  throw new RangeError(`pattern is not accepted: ${why}`);
}

/** Steps of what follows a part, from steps of what comes after it. */
type Steps = (after: number) => number;

interface Part {
  readonly steps: Steps;
  /** A literal or class that is repeated. */
  readonly repeated?: { readonly source: string; readonly low: number; readonly high: number };
  /** The one character that stands here. */
  readonly literal?: string;
}

interface Reader {
  readonly pattern: string;
  at: number;
}

const repetitionMax = 512;

/**
 * The most steps that a matcher that tries everything takes at one place of a text, whatever the text is, with every part of the pattern
 * matching wherever it is tried and the whole failing at its end: a literal or class is one step and what comes after; a
 * repetition `{n,m}` is `m` steps and what comes after once for each of its `m - n + 1` lengths; a group is what comes after once for each
 * alternative. So repetitions and groups in a row multiply, but for one that a character follows which it cannot repeat (`[a-z]{1,64}@`):
 * that stands at one of the lengths only. Infinity when it is past all numbers.
 *
 * Accepted: literals, classes, anchors, plain and `(?:` groups that are not repeated, and bounded repetition of literals and classes.
 * Throws `RangeError` for anything else.
 */
function stepsOf(pattern: string): number {
  const reader: Reader = { pattern, at: 0 };
  const steps = readAlternatives(reader);
  if (reader.at < pattern.length) refuse("a group is closed that was not opened");
  return steps(1);
}

function readAlternatives(reader: Reader): Steps {
  const branches = [readSequence(reader)];
  while (reader.pattern[reader.at] === "|") {
    reader.at++;
    branches.push(readSequence(reader));
  }
  return branches.length === 1 ? (branches[0] as Steps) : (after) => branches.reduce((sum, branch) => sum + 1 + branch(after), 0);
}

function readSequence(reader: Reader): Steps {
  const parts: Part[] = [];
  while (reader.at < reader.pattern.length && !/[|)]/.test(reader.pattern.charAt(reader.at))) parts.push(readPart(reader));
  return (after) =>
    parts.reduceRight((steps, { repeated, steps: ofPart }, index) => {
      const literal = parts[index + 1]?.literal;
      if (repeated === undefined || literal === undefined || !isOutside(literal, repeated.source)) return ofPart(steps);
      return repeated.high + (repeated.high - repeated.low) + steps;
    }, after);
}

function readPart(reader: Reader): Part {
  const { pattern, at: start } = reader;
  const isGroup = pattern[start] === "(";
  const group = isGroup ? readGroup(reader) : undefined;
  if (!isGroup) skipUnit(reader);
  const source = pattern.slice(start, reader.at);
  const range = readRange(reader);
  if (range === undefined) {
    const character = isGroup ? undefined : literalOf(source);
    return { steps: group ?? ((after) => 1 + after), ...(character === undefined ? {} : { literal: character }) };
  }
  if (isGroup) refuse("a group may not be repeated");
  const { low, high } = range;
  return { steps: (after) => high + (high - low + 1) * after, repeated: { source, low, high } };
}

/** The character that a unit of a pattern stands for, when it is plain or an escaped sign. */
function literalOf(source: string): string | undefined {
  if (/^[.^$\ud800-\udfff]$/.test(source)) return undefined;
  return source.length === 1 ? source : /^\\([!-/:-@[-`{-~])$/.exec(source)?.[1];
}

/** Whether a literal or class does not match a character. */
function isOutside(character: string, source: string): boolean {
  try {
    return !new RegExp(`^(?:${source})$`, "u").test(character);
  } catch {
    return false;
  }
}

function readGroup(reader: Reader): Steps {
  const { pattern } = reader;
  if (pattern[reader.at + 1] === "?" && pattern[reader.at + 2] !== ":") refuse("only plain and (?: groups");
  reader.at += pattern[reader.at + 1] === "?" ? 3 : 1;
  const inner = readAlternatives(reader);
  if (pattern[reader.at] !== ")") refuse("a group is not closed");
  reader.at++;
  return inner;
}

/** A literal, an escape, a class or an anchor. */
function skipUnit(reader: Reader): void {
  const { pattern, at } = reader;
  const unit = pattern.charAt(at);
  if (unit === "*" || unit === "+" || unit === "?" || unit === "{") readRange(reader, true);
  if (unit === "\\") {
    if (/[1-9k]/.test(pattern.charAt(at + 1))) refuse("back-references are not linear");
    reader.at = at + 2;
  } else {
    reader.at = unit === "[" ? classEnd(pattern, at) : at + 1;
  }
}

/** The repetition at this place, if any; a `?` that makes it lazy changes the order of the tries and not their number. */
function readRange(reader: Reader, hasNothingBefore = false): { low: number; high: number } | undefined {
  const { pattern, at } = reader;
  const unit = pattern.charAt(at);
  if (unit === "*" || unit === "+") refuse("unbounded repetition; write {1,64}");
  if (unit !== "?" && unit !== "{") return undefined;
  const range = unit === "?" ? ["?", "0", "1"] : /^\{(\d{1,3})(?:,(\d{1,3}))?\}/.exec(pattern.slice(at, at + 9));
  if (range === null) refuse("repetition must be {n} or {n,m}");
  if (hasNothingBefore) refuse("there is nothing to repeat");
  const low = Number(range[1]);
  const high = Number(range[2] ?? range[1]);
  if (high > repetitionMax || low > high) refuse(`too many ways to match: a repetition goes up to ${repetitionMax}`);
  reader.at += (range[0] ?? "").length;
  if (pattern[reader.at] === "?") reader.at++;
  return { low, high };
}

function classEnd(pattern: string, from: number): number {
  for (let at = from + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]" && at > from + 1) return at + 1;
  }
  refuse("a class is not closed");
}
