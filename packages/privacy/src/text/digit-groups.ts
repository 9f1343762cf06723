import { isAlnum, isDigit } from "./chars.js";
import type { TextScan } from "./scan.js";

/** A number written as runs of digits, e.g. `4111 1111 1111 1111`. */
export interface DigitGroups {
  readonly start: number;
  readonly end: number;
  /** The digits without separators. */
  readonly digits: string;
}

/** A line break inside a number, after its separator or in place of it. */
const lineBreak = /^[ -]?\r?\n[ \t>]{0,3}$/;
/** What stands before a number in running text, where lines are broken anywhere; in a table a number ends with its line. */
const prose = /[\p{L}:,(][ ]{0,2}$/u;

/**
 * The number that starts at run `first` and is written in groups of exactly these lengths with the same single
 * separator between them, or `undefined`. In running text one of the separators may be a line break. The last group may not be followed by another digit.
 */
export function groupsAt(
  scan: TextScan,
  first: number,
  shape: { lengths: readonly number[]; separators: string },
): DigitGroups | undefined {
  const { text, runStarts, runEnds } = scan;
  const { lengths, separators } = shape;
  const last = first + lengths.length - 1;
  if (last >= runStarts.length) return undefined;
  // Lengths first: comparing numbers costs nothing, and most series of runs are not of this shape.
  let broken = 0;
  for (let index = 0; index < lengths.length; index++) {
    const from = runStarts[first + index] ?? 0;
    if ((runEnds[first + index] ?? 0) - from !== lengths[index]) return undefined;
    const gap = index === 0 ? 1 : from - (runEnds[first + index - 1] ?? 0);
    if (gap > gapMax) return undefined;
    if (gap > 1 || (index > 0 && text.charCodeAt(from - 1) === 0x0a)) broken++;
  }
  if (broken > 1) return undefined;
  const start = runStarts[first] ?? 0;
  const end = runEnds[last] ?? 0;
  let separator = "";
  let digits = text.slice(start, runEnds[first]);
  for (let run = first + 1; run <= last; run++) {
    const from = runEnds[run - 1] ?? 0;
    const to = runStarts[run] ?? 0;
    if (to - from > 1 || text.charCodeAt(from) === 0x0a) {
      if (!lineBreak.test(text.slice(from, to))) return undefined;
    } else {
      const sign = text.charAt(from);
      if (separator === "" ? !separators.includes(sign) : sign !== separator) return undefined;
      separator = sign;
    }
    digits += text.slice(to, runEnds[run]);
  }
  return broken === 1 && !prose.test(text.slice(Math.max(0, start - 4), start)) ? undefined : { start, end, digits };
}

/** Longest line break inside a number. */
export const gapMax = 6;

/**
 * Whether a number stands alone: not inside a longer id, UUID, hex hash, decimal or version. A letter, `_`, or a
 * digit behind a joining sign on either side says that it does not. What is before a number does not count when it is its label.
 */
export function standsAlone({ text, layout }: TextScan, start: number, end: number, isLabelled = false): boolean {
  const before = isLabelled || layout.isEdge(start) ? Number.NaN : text.charCodeAt(start - 1);
  const after = layout.isEdge(end) ? Number.NaN : text.charCodeAt(end);
  if (isAlnum(before) || before === 0x5f || isAlnum(after) || after === 0x5f) return false;
  if (!isLabelled && isJoin(before) && isAlnum(text.charCodeAt(start - 2))) return false;
  return !(isJoin(after) && isAlnum(text.charCodeAt(end + 1)) && (after !== 0x2e || isDigit(text.charCodeAt(end + 1))));
}

/** `.` and `-`: signs that join parts of one number or id. */
function isJoin(c: number): boolean {
  return c === 0x2e || c === 0x2d;
}
