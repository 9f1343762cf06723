import { isSpace } from "./chars.js";

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
  readonly by: "operator" | "argument" | "attribute" | "sibling" | "element" | "flag" | "words" | "phrase";
}

const valueMax = 4096;
/** `=`, `:`, `=>`, `:=`, `::=`, `==`, `!==`, `?=`, `.=`, `+=`, `||=`, `${X:-value}`, JSON, YAML, env, markdown bold. */
const operator =
  /["'`\])*]{0,3}[ \t]{0,24}(?:: ?(?:string|str|String|text|&str) ?=|:{0,3}={1,3}>?|!={1,2}|[?.+|]{1,2}=|:-(?=[A-Za-z0-9])|[:：→]|->|<{1,2}-)[ \t]{0,24}(?:\*\*[ \t]{0,2})?/y;
/** With a type in between: `token: Final = "x"`, `key: Optional[str] = "x"`. */
const annotated = /: ?&?[A-Za-z][A-Za-z0-9_.]{0,24}(?:[[<][A-Za-z0-9_., |]{0,24}[\]>])?\??[ \t]?=[ \t]{0,4}(?=["'`])/y;
/** The next argument of a call: `set("NAME", "value")`, `setopt(curl, CURLOPT_PASSWORD, "value")`. */
const argument = /["'`]?[ \t]{0,4},[ \t]{0,4}(?:default[ \t]?=[ \t]?)?(?=["'`])/y;
/** The other attribute of an XML element: `key="Password" value="x"`. */
const attribute = /["'][ \t]{1,4}(?:value|content|data)[ \t]{0,2}=[ \t]{0,2}(?=["'])/iy;
/** The same with other attributes in between, as in forms: `type="password" name="pw" value="x"`. */
const laterAttribute = /["'](?:[ \t]{1,4}[a-z-]{1,20}=["'][^"'<>]{0,60}["']){1,3}[ \t]{1,4}value=(?=["'])/iy;
/** The name is a value itself: `- name: TOKEN`, next line `value: x`; `{"name": "TOKEN", "value": "x"}`; `variable "token" { default = "x" }`. */
const sibling =
  /(?:["']?,?\s{1,60}["']?(?:value|val|defaultValue)["']?[ \t]{0,4}[:=]|["'][ \t]{0,2}\{\s{1,60}(?:type[ \t]{1,24}=[ \t]{1,8}[a-z]{1,20}\s{1,60})?default[ \t]{1,24}=)[ \t]{0,4}(?=[^\s])/iy;
/** The text of an XML element: `<token>x</token>`, `<add name="password">x</add>`. */
const element = /["']?>\s{0,64}(?=[^<>\s])/y;
/** Property lists and the like: `<key>Token</key> <string>x</string>`. */
const nextElement = /<\/(?:name|key)>\s{0,60}<(?:value|string)>(?=[^<>\s])/iy;
/** The one argument of a setter: `setPassword("x")`. */
const only = /\([ \t]{0,4}(?=["'`])/y;
/** What is taken when there is no such variable: `env.TOKEN || "x"`. */
const fallback = /["'`\])]{0,3}[ \t]{0,4}(?:\|\||\?\?|or)[ \t]{0,4}(?=["'`])/y;
const flag = /[ \t]{1,4}(?=[^\s-])/y;
const words =
  /(?: (?:(?:(?:is|was|has been) )?(?:changed|set|reset) to|(?:is|was|ist|lautet|es|est|è|é|är|er|on|je|jest)(?: now)?):? {1,2}|[ ]?(?:は|是|为|為|는|은)[ ]{0,2})(?=[^\s])/iy;
/** A few words, then the value: `token for the build: x`, `password to x`, `API key provided: x`; `token:` and the value on a line of its own. */
const phrase =
  /(?: (?!commit|hash|sha|digest|checksum|version|build|revision|file|name|id |uuid)[A-Za-z0-9][A-Za-z0-9_-]{0,15}){1,5}(?:(?: ?:| is| =)[ \t]{1,2}|:[ \t]{0,4}(?:\r?\n[ \t]{0,8}){1,2})(?=["'`A-Za-z0-9])| to (?=[^\s])|[ \t][-–—][ \t](?=[^\s])/y;
/** Marks of a string literal in C, C#, Objective-C and Python, and the tags of YAML (`!vault`). */
const stringMark = /(?:@|L|u8?|[bB]?[rR]|b)(?=["'])|!{1,2}[A-Za-z]{1,16}[ \t]/y;
/** A literal in a call that makes a value of it: `[]byte("x")`, `String::from("x")`. */
const wrapper = /(?:\[\]|[A-Za-z_])[A-Za-z0-9_.:]{0,40}\([ \t]{0,2}(?=["'`])/y;
/** `Authorization: Basic …`: the scheme is not the value. */
const scheme = /(?:basic|bearer|token|digest|negotiate|ntlm|apikey|api-key|ssws)[ \t]{1,4}(?=[A-Za-z0-9])/iy;

/**
 * What besides an operator may give the value, by what the name looks like: `--password x`, `set("TOKEN", "x")`, `<token>x</token>`, the method that
 * sets (`setToken("x")`), the name as the value of `name:`.
 */
export type Permission = "flag" | "call" | "element" | "setter" | "named";

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
    mark.lastIndex = start;
    const isThere = mark.test(text);
    if (isThere) start = mark.lastIndex;
    return isThere;
  };
  let hasScheme = skip(scheme);
  skip(stringMark);
  const isWrapped = way.by === "operator" && skip(wrapper);
  const quote = text.charAt(start);
  const found = { isQuoted: true, isSetting: false, isWrapped, hasScheme, by: way.by };
  if (quote === "\\" && (text[start + 1] === '"' || text[start + 1] === "'")) {
    const end = escapedQuoteEnd(text, start + 2);
    return end === undefined ? undefined : { ...found, start: start + 2, end };
  }
  if (quote === '"' || quote === "'" || quote === "`") {
    start++;
    hasScheme = skip(scheme) || hasScheme;
    const end = quotedEnd(text, start, quote);
    if (end !== undefined) return { ...found, start, end, hasScheme };
  }
  const end = way.by === "element" ? untilTag(text, start) : bareEnd(text, start, traits);
  if (end <= start) return undefined;
  const isSetting = way.by === "operator" && text.slice(nameEnd, start) === "=" && !",)(".includes(text.charAt(end) || " ");
  return { start, end, isQuoted: way.by === "element", isSetting, isWrapped, hasScheme, by: way.by };
}

/** What a pattern may start with: most names are followed by something else, and no pattern is tried. */
const blank = " \t";
const quotes = "\"'";
interface Way {
  readonly by: AssignedValue["by"];
  readonly pattern: RegExp;
  readonly first: string;
  readonly permission?: Permission;
}
const ways: readonly Way[] = [
  { by: "attribute", pattern: attribute, first: quotes },
  { by: "sibling", pattern: sibling, first: `${quotes},${blank}\r\n`, permission: "named" },
  { by: "element", pattern: nextElement, first: "<" },
  { by: "operator", pattern: annotated, first: ":" },
  { by: "operator", pattern: operator, first: `${quotes}\`])*${blank}:=!?.+|：→-<` },
  { by: "argument", pattern: argument, first: `${quotes}\`,${blank}`, permission: "call" },
  { by: "sibling", pattern: laterAttribute, first: quotes },
  { by: "element", pattern: element, first: `${quotes}>`, permission: "element" },
  { by: "argument", pattern: only, first: "(", permission: "setter" },
  { by: "sibling", pattern: fallback, first: `${quotes}\`])${blank}|?` },
  { by: "words", pattern: words, first: " は是为為는은" },
  { by: "phrase", pattern: phrase, first: blank },
  { by: "flag", pattern: flag, first: blank, permission: "flag" },
];

/** The ways that may start with a unit. */
const waysByFirst = new Map(
  [...new Set(ways.flatMap(({ first }) => [...first]))].map((unit) => [unit, ways.filter(({ first }) => first.includes(unit))] as const),
);

function readWay(text: string, nameEnd: number, { allows }: NameTraits): { end: number; by: AssignedValue["by"] } | undefined {
  for (const { by, pattern, permission } of waysByFirst.get(text.charAt(nameEnd)) ?? []) {
    pattern.lastIndex = nameEnd;
    if (pattern.test(text) && (permission === undefined || allows(permission))) return { end: pattern.lastIndex, by };
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

const stops = new Set([...",;\"'`<>)]}|"].map((unit) => unit.charCodeAt(0)));

/** The last bare value that was read: names inside of it have values with the same end. */
export interface BareValue {
  from: number;
  end: number;
}

function bareEnd(text: string, start: number, { isParameter, last }: NameTraits): number {
  if (!isParameter && start >= last.from && start < last.end) return last.end;
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
  if (!isParameter) Object.assign(last, { from: start, end });
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
