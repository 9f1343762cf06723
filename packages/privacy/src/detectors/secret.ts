import { codeWordCount, harmlessNames, passwordWords, secretWords, valueSuffix, weakWords } from "../data/secret-words.js";
import { blanks, blankValue, gluedValue, labelWords, type Permission, phraseMax } from "../data/assignment-ways.js";
import { afterSpeaker, neighbourAfter, neighbourBefore, sentenceEnd } from "../data/layout-words.js";
import { attributeBefore, callBefore, loginBefore, namedBefore, publicBefore } from "../data/name-contexts.js";
import {
  algorithm,
  call,
  constant,
  credentialWord,
  isCookie,
  laidOutShape,
  plainWord,
  setter,
  setting,
  settingEnd,
  simple,
  technical,
} from "../data/secret-shapes.js";
import type { Detector, Report } from "../detector.js";
import { type AssignedValue, assignedValue, type BareValue } from "../text/assigned-value.js";
import { isAlnum, isLetter, oneOf } from "../text/chars.js";
import { matchEnd, matchesAt } from "../text/match-at.js";
import type { Layout, Place } from "../text/layout.js";
import type { TextScan } from "../text/scan.js";
import type { Cell } from "../text/table.js";
import { isMixedPassword, isName, type Strength, valueStrength } from "../text/value-strength.js";

const nameMax = 64;
const anchors = [...passwordWords, ...secretWords, ...weakWords];
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
    let doneKind: NameClass | undefined;
    const last: BareValue = { from: 0, end: 0 };
    let inside = 0;
    const names = new Names(text, layout);
    starts.forEach((at, index) => {
      if (at < done) return;
      inside = at < last.end ? inside + 1 : 0;
      if (inside > insideMax) return;
      const anchor = found[index] ?? 0;
      const kind = classOf(anchor);
      // Of `pass` and `password` the longer one says more.
      if (starts[index + 1] === at && classOf(found[index + 1] ?? 0) === kind) return;
      const length = anchors[anchor]?.length ?? 0;
      const end = names.end(at + length);
      // The same name may hold several words; `apiKey` is read as the stronger one, which is found first or ends last. Where that has no value, `key` has none.
      if (end === nameDone && (kind === "weak" || kind === doneKind)) return;
      const namesValue = end === at + length || isValueSuffix(text.slice(at + length, end), kind);
      if (!namesValue && kind === "weak") return;
      if (namesValue && kind !== "weak") {
        nameDone = end;
        doneKind = isWholeWord(text, at, length) ? kind : undefined;
      }
      const start = names.start(at);
      const name = text.slice(start, end);
      if (kind === "weak" && matchesAt(publicBefore, text, start)) return;
      // A weak word may name something else when it stands by itself: `session`.
      if ((kind === "weak" || name.length !== length) && isHarmless(name)) return;
      const isFlag = text[start - 1] === "-" || name.startsWith("-") || isDirective(text, start, name);
      const allows = (permission: Permission): boolean => {
        if (permission === "flag") return isFlag || kind !== "weak" || constant.test(name);
        if (permission === "element") return text[start - 1] === "<" || matchesAt(attributeBefore, text, start);
        if (permission === "setter") return setter.test(name);
        if (permission === "named") return matchesAt(namedBefore, text, start);
        if (permission === "password") return kind === "password";
        if (permission === "phrase") return layout.phraseEnds.in(end, end + phraseMax);
        return constant.test(name) || (isQuote(text[end]) && (matchesAt(callBefore, text, start) || kind !== "password"));
      };
      const isParameter = start > 0 && "?&;#".includes(text.charAt(start - 1));
      const value = assignedValue(text, text[end] === "/" || text[end + 1] === "(" ? layout.restEnd(end) : end, {
        allows,
        isParameter,
        last,
      });
      const isWhole = isWholeWord(text, at, length);
      const isVerb = name.length === 4 && name.toLowerCase() === "pass";
      const isForeign = kind === "password" && anchor >= codeWordCount;
      if (value !== undefined && isAccepted({ text, value, kind, isFlag, names: namesValue, isWhole, isVerb, isForeign })) {
        report(value.start, value.end, `name:${kind}`, kind === "password" ? "password" : "secret");
        nameDone = end;
        done = value.end;
        return;
      }
      if (kind === "password" && isWhole && !isVerb && !layout.isEdge(at + length)) {
        done = reportGlued({ text, layout }, { start: at, end: namesValue && text[end] === " " ? end : at + length }, report);
        if (done > at) return;
      }
      // `encode(pass)` is a call.
      if (text[start - 1] === "(" && isAlnum(text.charCodeAt(start - 2))) return;
      // What an operator gives is the value; in JSON within a string the layout reads it as well.
      if (!namesValue || (value?.by === "operator" && text[value.start - 2] !== "\\" && !layout.isEdge(end))) return;
      if (kind === "weak" ? !maybeCell.test(text.slice(end, end + 4)) : !layout.isEdge(end) && !layoutStarts(text.charCodeAt(end))) return;
      const qualified = kind === "password" ? matchEnd(labelWords, text, end) : end;
      const label = {
        start: at,
        end: qualified > end || !layout.isEdge(at + length) ? qualified : at + length,
        isQualified: qualified > end,
      };
      laidOut({ text, layout }, label, kind === "weak" && isCookie.test(name) ? "cookie" : kind, report);
    });
  },
};

/** A value has at least as many units. */
const shortest = { password: 3, secret: 8, weak: 12 };
/** A value without quotes may hold names with values of their own; what holds more of them is no value, and no list of settings either. */
const insideMax = 16;

function classOf(anchor: number): NameClass {
  if (anchor < passwordWords.length) return "password";
  return anchor < passwordWords.length + secretWords.length ? "secret" : "weak";
}

interface Candidate {
  readonly text: string;
  readonly value: AssignedValue;
  readonly kind: NameClass;
  /** Written as an option of a command. */
  readonly isFlag: boolean;
  /** The name ends with the word, or with something that names its value. */
  readonly names: boolean;
  /** `pass` as in `db_pass`, not as in `passenger`. */
  readonly isWhole: boolean;
  /** `pass --flag`: the word by itself, without a sign after it, is a verb. */
  readonly isVerb: boolean;
  /** The word is one of another language, or of forms and sentences. */
  readonly isForeign: boolean;
}

/** A word with a number, such as `hunter2`, that names no algorithm. */
function isSimple(value: string): boolean {
  return simple.test(value) && !technical.test(value);
}

/** Ways in which a sentence also goes on without giving a value. */
const loose: ReadonlySet<AssignedValue["by"]> = new Set(["aside", "phrase", "words"]);

function isAccepted({ text, value, kind, isFlag, names, isWhole, isVerb, isForeign }: Candidate): boolean {
  const content = text.slice(value.start, value.end);
  const { length } = content;
  // Most values are too short, and most words behind a name are words; to be random a value needs twelve units.
  const isBare = value.by === "flag" && !isFlag && !value.isQuoted;
  if (length < shortest[kind] || (isBare && (plainWord.test(content) || (length < 12 && !isMixedPassword(content))))) return false;
  // In sentences, and with the words of other languages, a full stop is no access to a field of an object.
  const strength = valueStrength(content, value.isQuoted || value.by === "words" || value.hasScheme || isForeign);
  if (strength === 0) return false;
  // `PASSWORD_SMTP=x`: a setting whose name goes on.
  if (!names && kind === "password" && isWhole && isMixedPassword(content) && matchesAt(settingEnd, text, value.start)) return true;
  if (!names) return kind !== "weak" && strength === 3 && length >= 20 && isWhole && !loose.has(value.by);
  if (value.isWrapped) return strength === 3 && length >= 16 && isWhole && !isName(content);
  if (value.by === "flag" && !isFlag)
    return (
      isWhole &&
      ((strength === 3 && !isVerb) || (kind === "password" && (isMixedPassword(content) || (value.isQuoted && strength >= 2 && !isVerb))))
    );
  if (kind === "password") {
    if (!isWhole) return false;
    // In the middle of a sentence the value must read like a password.
    if (value.by === "phrase" || value.by === "aside") {
      if (isMixedPassword(content) || (value.isQuoted && strength >= 2 && length >= 6)) return true;
      return value.by === "phrase" && length >= 8 && isSimple(content) && matchesAt(sentenceEnd, text, value.end);
    }
    if (value.by === "words") return strength >= 2 && length >= 6;
    if (value.by === "element" || value.by === "sibling") return strength >= 2;
    if (value.isSetting && length >= 6) return true;
    if (value.by === "operator" && isSimple(content)) return true;
    return value.isQuoted || isFlag ? length >= 4 && (strength >= 2 || value.by !== "argument") : strength >= 2;
  }
  if (value.by === "words") return strength === 3 && length >= 16;
  if (value.by === "phrase" || value.by === "aside") return strength === 3 && length >= (kind === "secret" ? 20 : 24);
  if (value.hasScheme && strength >= 2 && length >= 12) return true;
  if (kind === "secret")
    return (strength === 3 || (strength === 2 && length >= 8)) && (value.isQuoted || isFlag || strength === 3 || length >= 12);
  return strength === 3 && length >= 16 && isWhole;
}

/** A value in a place where layout puts it: another line, cell or column, before its label, or in JSON that is a string. */
function laidOut(
  { text, layout }: Pick<TextScan, "text" | "layout">,
  label: Cell & { readonly isQualified: boolean },
  kind: "password" | "secret" | "cookie" | "weak",
  report: Report,
): void {
  const isEscaped = ({ start, by }: Pick<Place, "start" | "by">): boolean =>
    by === "sign" && text[start - 2] === "\\" && isQuote(text[start - 1]);
  // Columns and lines that weak names head hold anything; the cell beside one is its value.
  const isAccepted = (place: Place): boolean => {
    if (kind === "weak" || place.by === "cell") return place.by === "cell";
    return (
      place.by === "below" ||
      place.by === "column" ||
      place.by === "list" ||
      place.by === "before" ||
      (kind === "password" && place.by === "answer") ||
      (kind === "cookie" && place.by === "comma") ||
      isEscaped(place)
    );
  };
  layout.values(label, laidOutShape, isAccepted, (start, to, by) => {
    // A line that ends with a colon is the next label.
    if (by === "below" && (text[to - 1] === ":" || !layout.isLine(start, to) || !layout.isHeading(label.start))) return;
    // Values of a row end at its commas.
    const comma = by === "comma" ? text.indexOf(",", start) : -1;
    let end = comma < 0 ? to : Math.min(to, comma);
    while (end > start && ".,;:)".includes(text.charAt(end - 1))) end--;
    const value = text.slice(start, end);
    if (value.length < (kind === "password" ? 4 : 8)) return;
    // Below the word `secret`, a call is code that goes on.
    if (by === "below" && (setting.test(value) || (kind !== "password" && call.test(value)))) return;
    const strength = (): Strength => valueStrength(value, true);
    const isInJson = isEscaped({ start, by });
    const isAlone = by !== "answer" && !label.isQualified && !isLetter(text.charCodeAt(label.start - 1));
    const isValue =
      kind !== "password"
        ? (value.length >= 16 && strength() === 3) || (isInJson && strength() === 2)
        : isInJson
          ? strength() > 0
          : value.length >= 6 &&
            (isMixedPassword(value) ||
              (by === "answer" && isSimple(value) && matchesAt(afterSpeaker, text, start) && strength() > 0) ||
              (isAlone && !credentialWord.test(value) && strength() >= 2));
    if (isValue) report(start, end, `layout:${kind}`, kind === "password" ? "password" : "secret");
  });
}

/** Reports a password with nothing, or only a blank, between its label and itself. Returns where it ends, 0 for none. */
function reportGlued({ text, layout }: Pick<TextScan, "text" | "layout">, label: Cell, report: Report): number {
  const start = matchEnd(blanks, text, label.end);
  const isApart = start > label.end;
  const end = matchEnd(isApart ? blankValue : gluedValue, text, start);
  if (end === start || !layout.isHeading(label.start)) return 0;
  const value = text.slice(start, end);
  // One line without another is a title, or what was searched for: `wifi password fritzbox7590`.
  const hasNeighbour = isApart && (matchesAt(neighbourAfter, text, end) || matchesAt(neighbourBefore, text, label.start));
  if (!isMixedPassword(value) && !(hasNeighbour && isLinePassword(value))) return 0;
  report(start, end, "layout:password", "password");
  return end;
}

/** Alone on a line with its label: a word with a number, or letters and digits. `Manager2` is the name of a thing. */
function isLinePassword(value: string): boolean {
  if (/^[A-Z]+[a-z]*[0-9]?$|^[A-Z0-9]+$|[/\\]/.test(value) || technical.test(value) || algorithm.test(value)) return false;
  return simple.test(value) || (value.length >= 8 && /[a-z]/.test(value) && /[0-9]{2}/.test(value) && valueStrength(value, true) >= 2);
}

/** What may come after the label of a value that stands elsewhere than on its line. */
const layoutStarts = oneOf(" \t\r\n|\"'`*<)],;:：\\（?？是は");
/** What the next cell of a row may be behind. */
const maybeCell = /^["'`*]{0,2} ?[\t|,<]/;
/** Where names of which words are part start and end. No unit is read twice: a long name may hold many words. */
class Names {
  readonly #text: string;
  readonly #layout: Layout;
  /** The stretches of names that were read last, forwards and backwards. */
  #ahead: Cell = { start: 0, end: -1 };
  #behind: Cell = { start: 0, end: 0 };

  constructor(text: string, layout: Layout) {
    this.#text = text;
    this.#layout = layout;
  }

  /** The end of the name at `from`. */
  end(from: number): number {
    if (from < this.#ahead.start || from > this.#ahead.end) {
      let end = from;
      while (!this.#layout.isEdge(end) && isNameUnit(this.#text, end)) end++;
      this.#ahead = { start: from, end };
    }
    return Math.min(this.#ahead.end, from + nameMax);
  }

  /** The start of the name at `from`, without the dashes of an option. */
  start(from: number): number {
    const known = this.#behind;
    let start = from;
    if (from < known.end && from >= known.start) start = known.start;
    else {
      while (start !== known.end && isNameUnit(this.#text, start - 1)) start--;
      if (start === known.end) start = known.start;
      this.#behind = { start, end: from };
    }
    start = Math.max(start, from - nameMax);
    while (this.#text[start] === "-") start++;
    return start;
  }
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

/** Longer names are not on the list, and longer ends of names say nothing of the value. */
const foldedMax = 48;

function isHarmless(name: string): boolean {
  return name.length <= foldedMax && harmlessNames.has(folded(name));
}

function isValueSuffix(suffix: string, kind: NameClass): boolean {
  if (suffix.length > foldedMax) return false;
  const rest = folded(suffix);
  return valueSuffix.test(rest) && !(kind === "weak" && rest === "s");
}

function folded(name: string): string {
  const lower = name.toLowerCase();
  return /[_.-]/.test(lower) ? lower.replaceAll(/[_.-]/g, "") : lower;
}

function isQuote(unit: string | undefined): boolean {
  return unit === '"' || unit === "'" || unit === "`";
}

/** As `.netrc` does, `redis.conf` sets a password by a word and a blank (`requirepass y`). */
function isDirective(text: string, start: number, name: string): boolean {
  return name === "requirepass" || name === "masterauth" || (name === "password" && matchesAt(loginBefore, text, start));
}

/** `pass`, `sig` and other short words must start a word: after a non-letter, or with a capital after a small letter. */
function isWholeWord(text: string, at: number, length: number): boolean {
  if (length > 4 || text.charCodeAt(at) > 127 || text.slice(at, at + 3).toLowerCase() === "pwd") return true;
  const before = text.charAt(at - 1);
  // Two letters are chance in encoded data.
  if (length === 2 && /[^\s"'`_(,;>./-]/.test(before)) return false;
  return !/[A-Za-z]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(text.charAt(at)));
}
