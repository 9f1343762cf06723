import { compilePolicy, defaultPolicy, type Place } from "./compiled-policy.js";
import { findSpans } from "./engine.js";
import type { PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";

/** One finding of a dry run: where and why, never what. */
export interface Finding {
  /** E.g. `email`. */
  kind: string;
  /** E.g. `vendor:github`. */
  rule: string;
  /** First unit, in UTF-16 units of the text given. */
  start: number;
  /** First unit past it. */
  end: number;
  /** 1-based line. */
  line: number;
  /** 1-based column, in UTF-16 units. */
  column: number;
}

/** Dry run on a text: what would be removed at a level, with kind, rule and place; never a matched value. */
export function explain(text: string, level: PrivacyLevel, options: { policy?: FilterPolicy; place?: Place } = {}): Finding[] {
  const policy = compilePolicy(options.policy ?? defaultPolicy);
  let line = 1;
  let lineStart = 0;
  let at = 0;
  return findSpans(text, { level, place: options.place ?? "content", policy }).map(({ start, end, kind, rule }) => {
    for (let next = text.indexOf("\n", at); next >= 0 && next < start; next = text.indexOf("\n", at)) {
      line++;
      at = lineStart = next + 1;
    }
    return { kind, rule, start, end, line, column: start - lineStart + 1 };
  });
}
