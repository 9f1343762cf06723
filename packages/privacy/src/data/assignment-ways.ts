/** How a value is given to its name: by an operator, as the next argument of a call, in a sentence, and so on. */
export type Giving = "operator" | "argument" | "attribute" | "sibling" | "element" | "flag" | "words" | "phrase" | "aside";

/**
 * What besides an operator may give the value, by what the name looks like: `--password x`, `set("TOKEN", "x")`, `<token>x</token>`, the method that
 * sets (`setToken("x")`), the name as the value of `name:`, words up to a colon, and what only names of passwords have.
 */
export type Permission = "flag" | "call" | "element" | "setter" | "named" | "phrase" | "password";

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
  /(?:(?:["']?,?\s{1,60}["']?|["'],["'])(?:value|val|defaultValue)["']?[ \t]{0,4}[:=]|["'][ \t]{0,2}\{\s{1,60}(?:type[ \t]{1,24}=[ \t]{1,8}[a-z]{1,20}\s{1,60})?default[ \t]{1,24}=)[ \t]{0,4}(?=[^\s])/iy;
/** The text of an XML element: `<token>x</token>`, `<add name="password">x</add>`, `<Password><Value>x</Value></Password>`. */
const element = /["']?>\s{0,64}(?:<(?:value|string|text|plaintext)>\s{0,64})?(?=[^<>\s])/iy;
/** Property lists and the like: `<key>Token</key> <string>x</string>`. */
const nextElement = /<\/(?:name|key)>\s{0,60}<(?:value|string)>(?=[^<>\s])/iy;
/** The one argument of a setter: `setPassword("x")`. */
const only = /\([ \t]{0,4}(?=["'`])/y;
/** What is taken when there is no such variable: `env.TOKEN || "x"`. */
const fallback = /["'`\])]{0,3}[ \t]{0,4}(?:\|\||\?\?|or)[ \t]{0,4}(?=["'`])/y;
const flag = /[ \t]{1,4}(?=[^\s-])/y;
const words =
  /(?: (?:(?:(?:is|was|has been) )?(?:changed|set|reset) to|(?:is|was|ist|lautet|es|est|è|é|är|er|on|je|jest)(?: now)?):? {1,2}|[ ]?(?:は|是|为|為|는|은)[ ]{0,2})(?=[^\s])/iy;
/** The words for it in languages whose adjectives follow: `mot de passe provisoire est x`, `password iniziale è x`. */
const qualified = / (?:[a-zà-ÿ]{3,14} ){1,2}(?:est|es|è|é):? (?=[^\s])/y;
/** A few words, then the value: `token for the build: x`, `API key provided: x`; `token:` and the value on a line of its own. */
const phrase =
  /(?: (?!commit|hash|sha|digest|checksum|version|build|revision|file|name|id |uuid)[A-Za-z0-9\u00c0-\u024f\u0400-\u04ff][A-Za-z0-9_\u00c0-\u024f\u0400-\u04ff'’-]{0,15}){1,5}(?:(?: ?:| is| ist| lautet| est| es| è| é| =)[ \t]{1,2}|:[ \t]{0,4}(?:\r?\n[ \t]{0,8}){1,2})(?=["'`A-Za-z0-9])/y;
/** Words that go on with a label up to the end of its cell or line: `Mot de passe provisoire`. */
export const labelWords = /(?: [\p{L}'’-]{1,14}){1,3}(?= ?[\t|\n])/uy;
/** `Password` and its value with nothing in between, alone on a line: elements that only a style sheet sets apart. */
export const gluedValue = /[^\s=:_]{6,64}(?=[\r\n]|$)/y;
/** The same with a blank in between, in a cell too. */
export const blanks = /[ ]{1,2}/y;
export const blankValue = /[^\s|<>,;()[\]{}]{6,64}(?=[ ]{0,2}(?:[\r\n\t|]|$))/y;
/** How far on such words end at most. */
export const phraseMax = 88;
/** `password to x`, `token – x`. */
const aside = / to (?=[^\s])|[ \t][-–—][ \t](?=[^\s])/y;
/** A key of digits in groups of four, as on the labels of routers. */
export const digitGroups = /[0-9]{4}(?: [0-9]{4}){3,7}(?![^\s])/y;
/** A value with brackets: the rest of its line, up to the next setting of a list. */
export const bracketedLine = /(?:[^\s"'`<\\,;]|[,;](?![A-Za-z_]{1,32}=)){6,64}(?=[ \t]{0,4}(?:[\r\n]|$))/y;
/** A name, a call, a list or a template: nothing but signs comes after a bracket. */
export const codeStart = /^[A-Za-z0-9_$@&.:>?-]{0,64}[([{]/;
export const wordAfter = /[)\]}][A-Za-z0-9]/;
const blank = " \t";
const quotes = "\"'";
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
export interface Way {
  readonly by: Giving;
  readonly pattern: RegExp;
  /** What the pattern may start with: most names are followed by something else, and no pattern is tried. */
  readonly first: string;
  /** What may come after the blanks that it starts with. Default: anything. */
  readonly next?: string;
  readonly permission?: Permission;
}
/** Every way, in the order in which they are tried. */
export const ways: readonly Way[] = [
  { by: "attribute", pattern: attribute, first: quotes },
  { by: "sibling", pattern: sibling, first: `${quotes},${blank}\r\n`, next: `${quotes}vVdD\r\n`, permission: "named" },
  { by: "element", pattern: nextElement, first: "<" },
  { by: "operator", pattern: annotated, first: ":" },
  { by: "operator", pattern: operator, first: `${quotes}\`])*${blank}:=!?.+|：→-<`, next: ":=!?.+|：→-<" },
  { by: "argument", pattern: argument, first: `${quotes}\`,${blank}`, next: ",", permission: "call" },
  { by: "sibling", pattern: laterAttribute, first: quotes },
  { by: "element", pattern: element, first: `${quotes}>`, permission: "element" },
  { by: "argument", pattern: only, first: "(", permission: "setter" },
  { by: "sibling", pattern: fallback, first: `${quotes}\`])${blank}|?`, next: "|?o" },
  { by: "words", pattern: words, first: " は是为為는은", next: "iwhcsrleèéäojIWHCSRLEÈÉÄOJは是为為는은" },
  { by: "words", pattern: qualified, first: " ", next: letters, permission: "password" },
  { by: "phrase", pattern: phrase, first: blank, permission: "phrase" },
  { by: "aside", pattern: aside, first: blank, next: "t-–—" },
  { by: "flag", pattern: flag, first: blank, permission: "flag" },
];
