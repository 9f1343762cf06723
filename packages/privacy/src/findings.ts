import type { Span } from "./spans.js";

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

/**
 * A finding in a field of a context. At `filtered` HTML is reduced to text first, and places are in that text. Rule `field`: removed
 * for what the field is or holds, such as a part of an address or a field of a form, and the place is the whole field.
 */
export interface FieldFinding extends Finding {
  field: string;
}

/** Rule of what is removed for what its field is. */
export const fieldRule = "field";

/** Spans with their lines and columns; spans are in order. */
export function placed(text: string, spans: readonly Span[]): Finding[] {
  let line = 1;
  let lineStart = 0;
  return spans.map(({ start, end, kind, rule }) => {
    for (let next = text.indexOf("\n", lineStart); next >= 0 && next < start; next = text.indexOf("\n", lineStart)) {
      line++;
      lineStart = next + 1;
    }
    return { kind, rule, start, end, line, column: start - lineStart + 1 };
  });
}
