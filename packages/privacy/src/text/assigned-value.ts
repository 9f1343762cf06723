import { isSpace } from "./chars.js";

/** A value that a name is given, e.g. by `name = "value"`. */
export interface AssignedValue {
  /** First unit of the value, inside its quotes. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** By `=` without blanks around it and with nothing of a call after it: a setting, not code. */
  readonly isSetting: boolean;
  /** How it was given. */
  readonly by: "operator" | "argument" | "attribute" | "element" | "flag" | "words";
}

const valueMax = 4096;
/** `=`, `:`, `=>`, `:=`, `::=`, `==`, `!==`, `?=`, `.=`, `+=`, `||=`, JSON, YAML, env, markdown bold. */
const operator =
  /["'`\])*]{0,3}[ \t]{0,8}(?:: ?(?:string|str|String|text|&str) ?=|:{0,3}={1,3}>?|!={1,2}|[?.+|]{1,2}=|:|->)[ \t]{0,8}(?:\*\*[ \t]{0,2})?/y;
/** The next argument of a call: `set("NAME", "value")`, `setopt(curl, CURLOPT_PASSWORD, "value")`. */
const argument = /["'`]?[ \t]{0,4},[ \t]{0,4}(?=["'`])/y;
/** The other attribute of an XML element: `key="Password" value="x"`. */
const attribute = /["'][ \t]{1,4}(?:value|content|data)[ \t]{0,2}=[ \t]{0,2}(?=["'])/iy;
/** The text of an XML element: `<token>x</token>`, `<add name="password">x</add>`. */
const element = /["']?>\s{0,64}(?=[^<>\s])/y;
const flag = /[ \t]{1,4}(?=[^\s-])/y;
const words = / (?:(?:(?:is|was|has been) )?(?:changed|set|reset) to|(?:is|was|ist|lautet|es|est)(?: now)?):? {1,2}(?=[^\s])/iy;
/** `Authorization: Basic …`: the scheme is not the value. */
const scheme = /(?:basic|bearer|token|digest|negotiate|ntlm|apikey|api-key)[ \t]{1,4}(?=[A-Za-z0-9])/iy;

/** What besides an operator may give the value, by what the name looks like. */
export interface Allowed {
  readonly flag: boolean;
  readonly call: boolean;
  readonly element: boolean;
  readonly words: boolean;
  /** The name is a parameter of a URL: `&` and the like end the value. */
  readonly parameter: boolean;
}

/**
 * Reads what is assigned to the name that ends at `nameEnd`. Quoted values end at their quote (a backslash escapes),
 * others at white space or a sign that ends values in code, shells, YAML and URLs.
 */
export function assignedValue(text: string, nameEnd: number, allow: Allowed): AssignedValue | undefined {
  const way = readWay(text, nameEnd, allow);
  if (way === undefined) return undefined;
  let start = way.end;
  scheme.lastIndex = start;
  if (scheme.test(text)) start = scheme.lastIndex;
  let quote = text.charAt(start);
  if (quote === "\\" && (text[start + 1] === '"' || text[start + 1] === "'")) return escapedQuote(text, start + 2, way.by);
  if (quote === '"' || quote === "'" || quote === "`") {
    start++;
    scheme.lastIndex = start;
    if (scheme.test(text)) start = scheme.lastIndex;
    const end = quotedEnd(text, start, quote);
    if (end !== undefined) return { start, end, isQuoted: true, isSetting: false, by: way.by };
  } else {
    quote = "";
  }
  const end = way.by === "element" ? untilTag(text, start) : bareEnd(text, start, allow.parameter);
  if (end <= start) return undefined;
  const isSetting = way.by === "operator" && text.slice(nameEnd, start) === "=" && !",)(".includes(text.charAt(end) || " ");
  return { start, end, isQuoted: way.by === "element", isSetting, by: way.by };
}

const ways: ReadonlyArray<readonly [by: AssignedValue["by"], pattern: RegExp, permission: keyof Allowed | undefined]> = [
  ["operator", operator, undefined],
  ["argument", argument, "call"],
  ["attribute", attribute, undefined],
  ["element", element, "element"],
  ["words", words, "words"],
  ["flag", flag, "flag"],
];

function readWay(text: string, nameEnd: number, allow: Allowed): { end: number; by: AssignedValue["by"] } | undefined {
  for (const [by, pattern, permission] of ways) {
    if (permission !== undefined && !allow[permission]) continue;
    pattern.lastIndex = nameEnd;
    if (pattern.test(text)) return { end: pattern.lastIndex, by };
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
function escapedQuote(text: string, start: number, by: AssignedValue["by"]): AssignedValue | undefined {
  let end = start;
  const limit = Math.min(text.length, start + valueMax);
  while (end < limit && !"\\\"'\n".includes(text.charAt(end))) end++;
  return end > start && text[end] === "\\" ? { start, end, isQuoted: true, isSetting: false, by } : undefined;
}

const stops = new Set([...",;\"'`<>)]}|"].map((unit) => unit.charCodeAt(0)));

function bareEnd(text: string, start: number, isParameter: boolean): number {
  const limit = Math.min(text.length, start + valueMax);
  let end = start;
  while (
    end < limit &&
    !isSpace(text.charCodeAt(end)) &&
    !stops.has(text.charCodeAt(end)) &&
    !(text[end] === "\\" && text[end + 1] === "n") &&
    !(isParameter && "&?#".includes(text.charAt(end)))
  )
    end++;
  // Punctuation of the sentence around it.
  while (end > start && ".:?*".includes(text.charAt(end - 1))) end--;
  return end;
}

function untilTag(text: string, start: number): number {
  const limit = Math.min(text.length, start + 512);
  let end = start;
  while (end < limit && text[end] !== "<") end++;
  if (text[end] !== "<" || text[end + 1] !== "/") return start;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}
