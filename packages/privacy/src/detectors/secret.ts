import { codeWordCount, harmlessNames, passwordWords, secretWords, valueSuffix, weakWords } from "../data/secret-words.js";
import type { Permission } from "../data/assignment-ways.js";
import type { Detector, Report } from "../detector.js";
import { type AssignedValue, assignedValue, type BareValue } from "../text/assigned-value.js";
import { isAlnum, isLetter } from "../text/chars.js";
import type { Layout, Place } from "../text/layout.js";
import type { TextScan } from "../text/scan.js";
import { isInsideStandIn } from "../text/stand-ins.js";
import { isMixedPassword, isName, type Strength, valueStrength } from "../text/value-strength.js";

const nameMax = 64;
const anchors = [...passwordWords, ...secretWords, ...weakWords];
/** Words that name something else when they stand by themselves: `session`. */
const harmlessAnchors: ReadonlySet<number> = new Set(
  [...anchors.keys()].filter((anchor) => harmlessNames.has(folded(anchors[anchor] ?? ""))),
);
type NameClass = "password" | "secret" | "weak";

/**
 * Values that a name gives away: `password = "…"`, `API_KEY: …`, `"token" => "…"`, `set("SECRET", "…")`, `--password …`, XML and
 * YAML. The more a name says, the less the value must look random. Variables, calls, types, prose and
 * placeholders stay, and so does everything around the value: quotes, commas, the name itself.
 */
export const secret: Detector = {
  kind: "secret",
  alsoFinds: ["password"],
  tier: "floor",
  anchors,
  find({ text, layout }, { starts, anchors: found }, report) {
    let done = 0;
    let nameDone = -1;
    const last: BareValue = { from: 0, end: 0 };
    starts.forEach((at, index) => {
      if (at < done) return;
      const anchor = found[index] ?? 0;
      const length = anchors[anchor]?.length ?? 0;
      const end = nameEnd(text, at + length, layout);
      const kind = classOf(anchor);
      // The same name may hold several words; `apiKey` is read as the stronger one, which is found first or ends last.
      if (end === nameDone && kind === "weak") return;
      const suffix = end === at + length ? "" : folded(text.slice(at + length, end));
      const names = suffix === "" || (valueSuffix.test(suffix) && !(kind === "weak" && suffix === "s"));
      if (!names && kind === "weak") return;
      const start = nameStart(text, at);
      const name = text.slice(start, end);
      if (name.length === length ? kind === "weak" && harmlessAnchors.has(anchor) : harmlessNames.has(folded(name))) return;
      if (text[start - 1] === ":" && isInsideStandIn(text, start)) return;
      const isFlag = text[start - 1] === "-" || name.startsWith("-") || isDirective(text, start, name);
      const allows = (permission: Permission): boolean => {
        if (permission === "flag") return isFlag || kind !== "weak" || constant.test(name);
        if (permission === "element") return text[start - 1] === "<" || isNameAttribute(text, start);
        if (permission === "setter") return setter.test(name);
        if (permission === "named") return isNamedValue(text, start);
        return constant.test(name) || (isQuote(text[end]) && (isFirstArgument(text, start) || kind !== "password"));
      };
      const isParameter = start > 0 && "?&;#".includes(text.charAt(start - 1));
      const value = assignedValue(text, end, { allows, isParameter, last });
      if (value === undefined || !accepts(value)) {
        // What an operator gives is the value; in JSON within a string the layout reads it as well.
        if (value?.by === "operator" && text[value.start - 2] !== "\\" && !layout.isEdge(end)) return;
        const label = { start: at, end: layout.isEdge(at + length) ? at + length : end };
        if (
          names &&
          (kind === "weak" ? maybeCell.test(text.slice(end, end + 4)) : layout.isEdge(end) || layoutStarts.has(text.charCodeAt(end)))
        )
          laidOut({ text, layout }, label, kind === "weak" ? (isCookie.test(name) ? "cookie" : "weak") : kind, report);
        return;
      }
      report(value.start, value.end, `name:${kind}`, kind === "password" ? "password" : "secret");
      nameDone = end;
      done = value.end;

      function accepts(value: AssignedValue): boolean {
        const content = text.slice(value.start, value.end);
        // In sentences, and with the words of other languages, a full stop is no access to a field of an object.
        const isLiteral = value.isQuoted || value.by === "words" || value.hasScheme || (kind === "password" && anchor >= codeWordCount);
        const strength = valueStrength(content, isLiteral);
        return isAccepted({
          kind,
          value,
          strength,
          length: content.length,
          isMixed: kind === "password" && (loose.has(value.by) || value.by === "flag") && isMixedPassword(content),
          isSimple: simple.test(content),
          isNamed: value.isWrapped && isName(content),
          isFlag,
          names,
          isWhole: isWholeWord(text, at, length),
          isVerb: name.toLowerCase() === "pass",
        });
      }
    });
  },
};

/** Names of settings and of methods that set. */
const constant = /^[A-Z][A-Z0-9_]{3,}$/;
const setter = /(?:^|\.)(?:set|with)_?[A-Za-z]|securestring$|^PASSWORD$/i;

function classOf(anchor: number): NameClass {
  if (anchor < passwordWords.length) return "password";
  return anchor < passwordWords.length + secretWords.length ? "secret" : "weak";
}

interface Candidate {
  readonly kind: NameClass;
  readonly value: AssignedValue;
  readonly strength: Strength;
  readonly length: number;
  /** Reads like a password, even in the middle of a sentence. */
  readonly isMixed: boolean;
  /** A word with a number, such as `hunter2`, that names no algorithm. */
  readonly isSimple: boolean;
  /** Reads like a name, not like a value. */
  readonly isNamed: boolean;
  /** Written as an option of a command. */
  readonly isFlag: boolean;
  /** The name ends with the word, or with something that names its value. */
  readonly names: boolean;
  /** `pass` as in `db_pass`, not as in `passenger`. */
  readonly isWhole: boolean;
  /** `pass --flag`: the word by itself, without a sign after it, is a verb. */
  readonly isVerb: boolean;
}

const simple =
  /^(?!(?:sha|md|aes|rsa|des|argon|base|utf|oauth|http|scram|pbkdf|x509|tls|ssl|win|ipv|ssh|web|log4|es20|col|row|arg|param|var|tmp|test|line|step|level|type|page|item|field|input|option|value|key|user|pass(?:word)?|group|column)[0-9])[A-Za-z]{3,24}[0-9]{1,8}[!@#$%&*?]{0,3}$/;

/** Ways in which a sentence also goes on without giving a value. */
const loose: ReadonlySet<AssignedValue["by"]> = new Set(["phrase", "words"]);

function isAccepted({ kind, value, strength, length, isMixed, isSimple, isNamed, isFlag, names, isWhole, isVerb }: Candidate): boolean {
  if (strength === 0) return false;
  if (!names) return kind !== "weak" && strength === 3 && length >= 20 && isWhole && !loose.has(value.by);
  if (value.isWrapped) return strength === 3 && length >= 16 && isWhole && !isNamed;
  if (value.by === "flag" && !isFlag)
    return isWhole && ((strength === 3 && !isVerb) || isMixed || (kind === "password" && value.isQuoted && strength >= 2 && !isVerb));
  if (kind === "password") {
    if (!isWhole) return false;
    if (value.by === "phrase") return isMixed || (value.isQuoted && strength >= 2 && length >= 6);
    if (value.by === "words") return strength >= 2 && length >= 6;
    if (value.by === "element" || value.by === "sibling") return strength >= 2;
    if (value.isSetting && length >= 6) return true;
    if (value.by === "operator" && isSimple) return true;
    return value.isQuoted || isFlag ? length >= 4 && (strength >= 2 || value.by !== "argument") : strength >= 2;
  }
  if (value.by === "words") return strength === 3 && length >= 16;
  if (value.by === "phrase") return strength === 3 && length >= (kind === "secret" ? 20 : 24);
  if (value.hasScheme && strength >= 2 && length >= 12) return true;
  if (kind === "secret")
    return (strength === 3 || (strength === 2 && length >= 8)) && (value.isQuoted || isFlag || strength === 3 || length >= 12);
  return strength === 3 && length >= 16 && isWhole;
}

/** A value in a place where layout puts it: another line, cell or column, before its label, or in JSON that is a string. */
function laidOut(
  { text, layout }: Pick<TextScan, "text" | "layout">,
  label: { start: number; end: number },
  kind: "password" | "secret" | "cookie" | "weak",
  report: Report,
): void {
  const isEscaped = ({ start, by }: Pick<Place, "start" | "by">): boolean => by === "sign" && /\\["']$/.test(text.slice(start - 2, start));
  // Columns and lines that weak names head hold anything; the cell beside one is its value.
  const isAccepted = (place: Place): boolean => {
    if (kind === "weak" || place.by === "cell") return place.by === "cell";
    if (place.by === "below") return layout.isHeading(label.start);
    return place.by === "column" || place.by === "before" || (kind === "cookie" && place.by === "comma") || isEscaped(place);
  };
  layout.values(
    label,
    laidOutShape,
    (start, to, by) => {
      if (by === "below" && !layout.isLine(start, to)) return;
      // Values of a row end at its commas.
      const comma = by === "comma" ? text.indexOf(",", start) : -1;
      let end = comma < 0 ? to : Math.min(to, comma);
      while (end > start && ".,;:)".includes(text.charAt(end - 1))) end--;
      const value = text.slice(start, end);
      const strength = valueStrength(value, true);
      if (strength === 0 || (by === "below" && setting.test(value))) return;
      const isValue =
        kind !== "password"
          ? (strength === 3 && value.length >= 16) || (isEscaped({ start, by }) && strength === 2 && value.length >= 8)
          : value.length >= (isEscaped({ start, by }) ? 4 : 6) &&
            (isEscaped({ start, by }) ||
              isMixedPassword(value) ||
              (strength >= 2 && !/pass|word|secret|token|hash|type/i.test(value) && !isLetter(text.charCodeAt(label.start - 1))));
      if (isValue) report(start, end, `layout:${kind}`, kind === "password" ? "password" : "secret");
    },
    isAccepted,
  );
}

/** Names of cookies that hold a session: PHP, Java, ASP.NET, Express, Laravel, Django. */
const isCookie = /(?:sess(?:ion)?[-_.]?id|(?:^|[._-])sid|[-_]session|sessid|session[-_]?token)$/i;
/** What may come after the label of a value that stands elsewhere than on its line. */
const layoutStarts = new Set([..." \t\r\n|\"'`*<)],;:：\\（"].map((unit) => unit.charCodeAt(0)));
/** What the next cell of a row may be behind. */
const maybeCell = /^["'`*]{0,2} ?[\t|,<]/;
/** `NAME=value`: a line of its own. */
const setting = /^[A-Za-z_][A-Za-z0-9_]{2,60}=[^=]/;
const laidOutShape = /[^\s|"'`<>\\]{4,256}/y;

function nameEnd(text: string, from: number, layout: Layout): number {
  let end = from;
  while (end - from < nameMax && !layout.isEdge(end) && isNameUnit(text, end)) end++;
  return end;
}

function nameStart(text: string, from: number): number {
  let start = from;
  while (from - start < nameMax && isNameUnit(text, start - 1)) start--;
  while (text[start] === "-") start++;
  return start;
}

function isNameUnit(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  return (
    isAlnum(c) ||
    c === 0x5f ||
    (c === 0x2d && text.charCodeAt(at + 1) !== 0x3e) ||
    (c === 0x2e && isAlnum(text.charCodeAt(at + 1)) && isAlnum(text.charCodeAt(at - 1)))
  );
}

function folded(name: string): string {
  const lower = name.toLowerCase();
  return /[_.-]/.test(lower) ? lower.replaceAll(/[_.-]/g, "") : lower;
}

function isQuote(unit: string | undefined): boolean {
  return unit === '"' || unit === "'" || unit === "`";
}

/** The name is the value of `name:` or `"key":`, in YAML and JSON. */
function isNamedValue(text: string, start: number): boolean {
  const before = text[start - 1];
  if (!isQuote(before) && before !== " " && before !== "=") return false;
  return /(?:(?:name|key|variable)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?|variable[ \t]{1,4}["'])$/i.test(
    text.slice(Math.max(0, start - 24), start),
  );
}

/** Files that set a password by a word and a blank: `.netrc` (`login x password y`) and `redis.conf` (`requirepass y`). */
function isDirective(text: string, start: number, name: string): boolean {
  if (name === "requirepass" || name === "masterauth") return true;
  return (
    name === "password" && /(?<![A-Za-z])login[ \t\n]{1,8}[^\s]{1,80}[ \t\r\n]{1,8}$/.test(text.slice(Math.max(0, start - 110), start))
  );
}

/** `("NAME", "value")` is a call; `["name", "other"]` a list. */
function isFirstArgument(text: string, start: number): boolean {
  return /\([ \t]{0,4}["'`]$/.test(text.slice(Math.max(0, start - 6), start));
}

/** `name="password">`, `key='token'>`, `id="…">`: the attribute that names an element. */
function isNameAttribute(text: string, start: number): boolean {
  return /(?:name|key|id)=["']$/i.test(text.slice(Math.max(0, start - 6), start));
}

/** `pass`, `sig` and other short words must start a word: after a non-letter, or with a capital after a small letter. */
function isWholeWord(text: string, at: number, length: number): boolean {
  if (length > 4 || text.charCodeAt(at) > 127 || text.slice(at, at + 3).toLowerCase() === "pwd") return true;
  const before = text.charAt(at - 1);
  // Two letters are chance in encoded data.
  if (length === 2 && /[^\s"'`_(,;>./-]/.test(before)) return false;
  return !/[A-Za-z]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(text.charAt(at)));
}
