import { codeStart, digitGroups, type Giving, type Permission, bracketedLine, type Way, ways, wordAfter } from "../data/assignment-ways.js";
import { isSpace, oneOf } from "./chars.js";
import { matchEnd, matchesAt } from "./match-at.js";

/** A value that a name is given, e.g. by `name = "value"`. */
export interface AssignedValue {
  /** First unit of the value, inside its quotes. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** By `=` without blanks around it and with nothing of a call after it: a setting, not code. */
  readonly isSetting: boolean;
  /** A literal as the argument of a call, which may make anything of it. */
  readonly isWrapped: boolean;
  /** After the scheme of an `Authorization` header, so what comes is one. */
  readonly hasScheme: boolean;
  /** How it was given. */
  readonly by: Giving;
}

const valueMax = 4096;
/** Marks of a string literal in C, C#, Objective-C and Python, and the tags of YAML (`!vault`). */
const stringMark = /(?:@|L|u8?|[bB]?[rR]|b)(?=["'])|!{1,2}[A-Za-z]{1,16}[ \t]/y;
/** A literal in a call that makes a value of it: `[]byte("x")`, `String::from("x")`. */
const wrapper = /(?:\[\]|[A-Za-z_])[A-Za-z0-9_.:]{0,40}\([ \t]{0,2}(?=["'`])/y;
/** `Authorization: Basic …`: the scheme is not the value. */
const scheme = /(?:basic|bearer|token|digest|negotiate|ntlm|apikey|api-key|ssws)[ \t]{1,4}(?=[A-Za-z0-9])/iy;
/** What any of these three may start with. */
const startsMark = oneOf("@![_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

/** What is known of the name. */
export interface NameTraits {
  /** Asked when the text is written so. */
  allows(permission: Permission): boolean;
  /** The name is a parameter of a URL: `&` and the like end the value. */
  readonly isParameter: boolean;
  /** The last bare value that was read. */
  readonly last: BareValue;
}

/**
 * Reads what is assigned to the name that ends at `nameEnd`. Quoted values end at their quote (a backslash escapes),
 * others at white space or a sign that ends values in code, shells, YAML and URLs.
 */
export function assignedValue(text: string, nameEnd: number, traits: NameTraits): AssignedValue | undefined {
  const way = readWay(text, nameEnd, traits);
  if (way === undefined) return undefined;
  let start = way.end;
  const skip = (mark: RegExp): boolean => {
    const from = start;
    start = startsMark(text.charCodeAt(from)) ? matchEnd(mark, text, from) : from;
    return start > from;
  };
  let hasScheme = skip(scheme);
  skip(stringMark);
  const isWrapped = way.by === "operator" && skip(wrapper);
  const quote = text.charAt(start);
  if (quote === "\\" && (text[start + 1] === '"' || text[start + 1] === "'")) {
    const end = escapedQuoteEnd(text, start + 2);
    return end === undefined ? undefined : { start: start + 2, end, isQuoted: true, isSetting: false, isWrapped, hasScheme, by: way.by };
  }
  if (quote === '"' || quote === "'" || quote === "`") {
    start++;
    hasScheme = skip(scheme) || hasScheme;
    const end = quotedEnd(text, start, quote);
    if (end !== undefined) return { start, end, isQuoted: true, isSetting: false, isWrapped, hasScheme, by: way.by };
  }
  const bare = way.by === "element" ? untilTag(text, start) : bareEnd(text, start, traits);
  const isCut =
    closing(text.charCodeAt(bare)) &&
    !text.startsWith("](", bare) &&
    way.by === "operator" &&
    !traits.isParameter &&
    traits.allows("password");
  const bracketed = isCut ? bracketedEnd(text, start) : undefined;
  const end = bracketed ?? bare;
  if (end <= start) return undefined;
  const isSetting = way.by === "operator" && text.slice(nameEnd, start) === "=" && !",)(".includes(text.charAt(end) || " ");
  return { start, end, isQuoted: way.by === "element" || bracketed !== undefined, isSetting, isWrapped, hasScheme, by: way.by };
}

/** The ways by the unit that they may start with and, where that is a blank, by that and the next unit. */
const waysByStart = new Map<string, readonly Way[]>();
for (const unit of new Set(ways.flatMap(({ first }) => [...first]))) {
  const found = ways.filter(({ first }) => first.includes(unit));
  const isBlank = unit === " " || unit === "\t";
  waysByStart.set(unit, isBlank ? found.filter(({ next }) => next === undefined) : found);
  for (const after of isBlank ? found.flatMap(({ next = "" }) => [...next]) : [])
    waysByStart.set(
      unit + after,
      found.filter(({ next }) => next?.includes(after) ?? true),
    );
}

function readWay(text: string, nameEnd: number, { allows }: NameTraits): { end: number; by: Giving } | undefined {
  const unit = text.charAt(nameEnd);
  let next = nameEnd;
  while (text.charCodeAt(next) === 0x20 || text.charCodeAt(next) === 0x09) next++;
  const candidates = (next > nameEnd ? waysByStart.get(unit + text.charAt(next)) : undefined) ?? waysByStart.get(unit) ?? [];
  for (const { by, pattern, permission } of candidates) {
    if (permission !== undefined && !allows(permission)) continue;
    if (matchesAt(pattern, text, nameEnd)) return { end: pattern.lastIndex, by };
  }
  return undefined;
}

function quotedEnd(text: string, start: number, quote: string): number | undefined {
  const limit = Math.min(text.length, start + valueMax);
  for (let at = start; at < limit; at++) {
    const unit = text.charAt(at);
    if (unit === "\\") at++;
    else if (unit === quote) return at;
    else if (unit === "\n") return undefined;
  }
  return undefined;
}

/** JSON inside a string: `\"key\": \"value\"`. */
function escapedQuoteEnd(text: string, start: number): number | undefined {
  let end = start;
  const limit = Math.min(text.length, start + valueMax);
  while (end < limit && !"\\\"'\n".includes(text.charAt(end))) end++;
  return end > start && text[end] === "\\" ? end : undefined;
}

const stops = oneOf(",;\"'`<>)]}|");

/** The last bare value that was read: names inside of it have values with the same end. */
export interface BareValue {
  from: number;
  end: number;
}

function bareEnd(text: string, start: number, { isParameter, last }: NameTraits): number {
  if (!isParameter && start >= last.from && start < last.end) return last.end;
  if (matchesAt(digitGroups, text, start)) return digitGroups.lastIndex;
  const limit = Math.min(text.length, start + valueMax);
  let end = start;
  while (
    end < limit &&
    !isSpace(text.charCodeAt(end)) &&
    !stops(text.charCodeAt(end)) &&
    !(text[end] === "\\" && text[end + 1] === "n") &&
    !(isParameter && "&?#".includes(text.charAt(end)))
  )
    end++;
  // Punctuation of the sentence around it.
  while (end > start && ".:?*".includes(text.charAt(end - 1))) end--;
  if (!isParameter) Object.assign(last, { from: start, end });
  return end;
}

const closing = oneOf(")]}");

/** The end of a password with brackets in it: all of the line, when that cannot be code. */
function bracketedEnd(text: string, start: number): number | undefined {
  const end = matchEnd(bracketedLine, text, start);
  const value = text.slice(start, end);
  const isPassword =
    /[A-Za-z]/.test(value) && /[0-9]/.test(value) && (!codeStart.test(value) || wordAfter.test(value)) && !/[$%#{][{(]/.test(value);
  return isPassword ? end : undefined;
}

function untilTag(text: string, start: number): number {
  const limit = Math.min(text.length, start + 512);
  let end = start;
  while (end < limit && text[end] !== "<") end++;
  if (text[end] !== "<" || text[end + 1] !== "/") return start;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}
