import type { Span } from "../spans.js";
import { isSpace } from "./chars.js";
import { matchEnd } from "./match-at.js";

/** A span inside JSON; `isPrimitive` when it takes the place of a number or a literal and so needs quotes of its own. */
export interface JsonSpan extends Span {
  readonly isPrimitive?: boolean;
}

/** The start of the next string, number or literal. */
const tokenStart = /["0-9tfn-]/g;
const primitive = /[0-9a-zA-Z.+-]{1,1000}/y;

/** Whether a text is one JSON object or array. */
export function isJson(text: string): boolean {
  if (!/^\s{0,1000}[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Fits spans to the tokens of a JSON text, so that it stays JSON: in strings they keep clear of the quotes and of
 * escapes, numbers and literals go as a whole, and what is between tokens stays.
 */
export function fitToJson(text: string, spans: readonly Span[]): JsonSpan[] {
  const fitted: JsonSpan[] = [];
  let next = 0;
  for (const { start, end } of tokens(text)) {
    while (next < spans.length && (spans[next]?.end ?? 0) <= start) next++;
    const isString = text[start] === '"';
    for (let index = next; index < spans.length; index++) {
      const span = spans[index];
      if (span === undefined || span.start >= end) break;
      // A quote inside a string can make a value seem to go on behind it: names of entries are not part of it.
      if (isString && span.start < start && isKey(text, end)) continue;
      if (!isString) {
        fitted.push({ start, end, kind: span.kind, rule: span.rule, isPrimitive: true });
        break;
      }
      const from = escapeEnd(text, start + 1, Math.max(start + 1, span.start));
      const to = escapeEnd(text, start + 1, Math.min(end - 1, span.end));
      if (to > from && from >= (fitted.at(-1)?.end ?? 0)) fitted.push({ start: from, end: to, kind: span.kind, rule: span.rule });
    }
    if (next >= spans.length) break;
  }
  return fitted;
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (isSpace(text.charCodeAt(at))) at++;
  return text[at] === ":";
}

/** Strings (with their quotes), numbers and literals of a valid JSON text. */
function* tokens(text: string): Generator<{ start: number; end: number }> {
  tokenStart.lastIndex = 0;
  for (let match = tokenStart.exec(text); match !== null; match = tokenStart.exec(text)) {
    const start = match.index;
    let end = start + 1;
    if (match[0] === '"') {
      while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
      end++;
    } else {
      end = Math.max(end, matchEnd(primitive, text, start));
    }
    yield { start, end };
    tokenStart.lastIndex = end;
  }
}

/** The end of the escape that a place is in the middle of: a span starts after it and ends with it. The place itself outside of one. */
function escapeEnd(text: string, stringStart: number, at: number): number {
  for (let start = Math.max(stringStart, at - 5); start < at; start++) {
    if (text[start] !== "\\" || isEscaped(text, start)) continue;
    const end = start + (text[start + 1] === "u" ? 6 : 2);
    if (end > at) return end;
  }
  return at;
}

/** After an odd number of backslashes, the last of which escapes what is here. */
export function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text[at - 1 - count] === "\\") count++;
  return count % 2 === 1;
}
