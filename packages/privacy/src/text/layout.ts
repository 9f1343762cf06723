import {
  answerEnd,
  answerLead,
  buttonWord,
  copula,
  joiningWords,
  labelHint,
  labelJoint,
  labelPhrase,
  labelRest,
  lineValue,
  listValue,
  phraseEnd,
  requestBefore,
  restOfLine,
  restOfQuestion,
  restOfRequest,
  sentenceEnd,
} from "../data/layout-words.js";
import { isAlnum, isDigit, isLetter, isLower, isSpace, isUpper, oneOf } from "./chars.js";
import { matchEnd, matchesAt } from "./match-at.js";
import { NearMatch } from "./near-match.js";
import { type Cell, readTable, type Table } from "./table.js";

/** How a value stands to its label; `below` is one line or two on, `phrase` at the end of a sentence, `answer` in a line below a question. */
export type Relation = "sign" | "cell" | "below" | "column" | "list" | "before" | "blank" | "comma" | "glued" | "phrase" | "answer";

/** Where a value of a label may stand. */
export interface Place {
  /** First unit that the value may have. */
  readonly start: number;
  /** First unit past what belongs to the label: the end of the cell, of the answer or, for `before`, of the value. Otherwise the end of the text. */
  readonly end: number;
  readonly by: Relation;
}

/** Longest way from a label to its value, in signs and blanks. */
const gapMax = 64;
const tagsMax = 4;
/** Longest phrase that goes on with a label. */
const phraseMax = 48;
/** Longest rest of a question or a request behind a label, and how many lines below it the answer may be. */
const questionMax = 60;
const requestMax = 32;
const answerLinesMax = 6;
/** Longest list of values behind a label. */
const listMax = 200;
const startsBelow = /[ :]{0,2}\r?\n/y;
const plural = /(?<=s|wörter|mots de passe|пароли)/iy;
const secondOfTwo = /(?<=[A-Za-z0-9] ?[/&+] ?| (?:and|und|et|y) )/y;
const startsList = oneOf(":：=–-\r\n");
const listNumber = /[0-9]{1,2}[.)][ \t]/y;
const tag = /<\/?[A-Za-z][^<>\n]{0,80}>/y;
const opening = oneOf("\"'`*_([{\\«„“”‘（「【");
const closing = oneOf("\"'`*_)]}\\»”’");
const startsRest = oneOf(" _.-nN#№iIcCкКvVkKaA号號番번");
const startsButton = oneOf("cCsShHrRkKaAmMкКпП复显コ表");
const startsCopula = oneOf("iIwWaAeElLsStTjJèÈéÉäÄは是为為는은이가");
const sign = oneOf(":：=|#→–—->~?•·✱");
/** What may stand before a label that a bracket holds: `(your PIN)`. */
const beforeMax = 12;
const none: readonly Cell[] = [];
const cellEnding = oneOf(" \"'*`.#)");
const cellEnd = oneOf("\t|,;\n\r(");
/** What words of a stretch start after, besides white space. */
const startsPart = oneOf("\"'`|,;:([{=>\\");
/** Longest words before a label that heads its line or cell, and what these start after. */
const headingMax = 32;
const startsLine = oneOf("\n\t|");
/** Longest value before its label, and how many words it has at most. */
const reachBefore = 48;
const wordsBefore = 8;

/**
 * How a text is laid out: which values belong to a label. One reading for every detector that needs labels: values on the same line, on the
 * next one or after a blank one, in the next cell of a row, in the column below, before the label when that is in brackets, as JSON at any
 * depth of escaping, and in the next element of a page with nothing in between (a seam). Reads around labels only, so a text costs nothing.
 */
export class Layout {
  readonly #text: string;
  readonly #seams: ReadonlySet<number>;
  /** Tells whether words that go on with a label may end between two places. */
  readonly phraseEnds: NearMatch;
  readonly #questions: readonly NearMatch[];
  readonly #lineEnds: NearMatch;
  /** By the first unit of the line that heads them. */
  #tables: Map<number, Table | undefined> | undefined;
  /** The table that was read last: its rows head no other one. */
  #current: Table | undefined;
  /** The list that was read last, and how far each shape was tried on the values of lists and on answers, which may have many labels. */
  #listed: { from: number; isBelow: boolean; places: readonly Place[] } = { from: Number.POSITIVE_INFINITY, isBelow: false, places: [] };
  readonly #tried: { list?: Map<RegExp, number>; answer?: Map<RegExp, number> } = {};
  /** The line that was looked at last. */
  #lineStart = 0;
  #lineEnd = -1;

  constructor(text: string, seams: ReadonlySet<number>) {
    this.#text = text;
    this.#seams = seams;
    this.phraseEnds = new NearMatch(text, phraseEnd);
    // A single character is found faster than one of two.
    this.#questions = [new NearMatch(text, /\?/g), new NearMatch(text, /？/g)];
    this.#lineEnds = new NearMatch(text, /\n/g);
  }

  /** Whether a page's elements meet here with nothing in between. */
  isEdge(at: number): boolean {
    return this.#seams.has(at);
  }

  /** Whether what ends here is a whole word, or the start of a longer name of it: `userPin` and `pin4`, not `pinned`. */
  endsWord(end: number): boolean {
    return this.#endsWord(end) || this.#nameEnd(end) > end;
  }

  #endsWord(end: number): boolean {
    const next = this.#text.charCodeAt(end);
    if (!isLetter(next) || this.#seams.has(end)) return true;
    const last = this.#text.charCodeAt(end - 1);
    return !isLetter(last) || (isUpper(next) && isLower(last));
  }

  /** Visits every place where a value of the label `[start, end)` may stand. */
  places(start: number, end: number, visit: (place: Place) => void): void {
    if (this.#questions.some((mark) => mark.in(end, end + questionMax))) this.#answers(end, restOfQuestion, visit);
    else if (this.#lineEnds.in(end, end + requestMax) && matchesAt(requestBefore, this.#text, start))
      this.#answers(end, restOfRequest, visit);
    if (this.#goesOn(end)) return;
    const named = this.#nameEnd(end);
    if (named > end && this.#goesOn(named)) return;
    const after = this.#gap(named);
    if (after !== undefined) visit(after);
    if (this.#namesList(start, end, named)) this.#list(named, visit);
    if (named !== end) {
      const direct = this.#gap(end);
      if (direct !== undefined && direct.start !== after?.start) visit(direct);
    }
    const phrase = this.#phraseEnd(named);
    if (phrase > named) {
      const after = this.#gap(phrase);
      if (after !== undefined) visit(after.by === "sign" ? { ...after, by: "phrase" } : after);
    }
    const rest = this.restEnd(named);
    const later = rest > named ? this.#gap(rest) : undefined;
    if (later !== undefined) visit(later);
    const bracket = this.#bracket(start, named);
    if (bracket !== undefined) visit(bracket);
    for (const cell of this.#below(start, named)) visit({ start: cell.start, end: cell.end, by: "column" });
  }

  /** Whether a blank and another word follow, as most words of prose, which label nothing. */
  #goesOn(end: number): boolean {
    const text = this.#text;
    return (
      text.charCodeAt(end) === 0x20 &&
      isLower(text.charCodeAt(end + 1)) &&
      isLower(text.charCodeAt(end + 2)) &&
      this.#phraseEnd(end) === end &&
      !joiningWords.test(text.slice(end + 1, end + 12))
    );
  }

  /** Visits what matches `shape` (sticky) at each place whose relation is `accepted`, cut to its cell. */
  values(
    { start, end }: Cell,
    shape: RegExp,
    accepted: (place: Place) => boolean,
    visit: (start: number, end: number, by: Relation) => void,
  ): void {
    this.places(start, end, (place) => {
      if (!accepted(place)) return;
      if (place.by === "before") {
        for (const from of this.#wordStarts(place.start, place.end)) {
          if (matchEnd(shape, this.#text, from) !== place.end) continue;
          visit(from, place.end, "before");
          return;
        }
        return;
      }
      if (place.by === "list" || place.by === "answer") {
        const tried = (this.#tried[place.by] ??= new Map());
        if (place.end <= (tried.get(shape) ?? 0)) return;
        tried.set(shape, place.end);
      }
      // A cell ends where its column does, whatever the value could go on with.
      const isCell = place.by === "column" || place.by === "list";
      const text = isCell ? this.#text.slice(place.start, place.end) : this.#text;
      const offset = isCell ? place.start : 0;
      const from = place.start - offset;
      const end = matchEnd(shape, text, from);
      if (end === from || (place.by === "phrase" && !matchesAt(sentenceEnd, text, end))) return;
      if (place.by === "answer" && !answerEnd.test(text.slice(end, place.end))) return;
      visit(place.start, end + offset, place.by);
    });
  }

  /** Whether a label heads its line, so that what is below may be its value: nothing but a few words stand before it. */
  isHeading(start: number): boolean {
    const text = this.#text;
    const least = Math.max(0, start - headingMax);
    let from = start;
    while (from > least && !startsLine(text.charCodeAt(from - 1)) && !(text[from - 1] === "n" && text[from - 2] === "\\")) from--;
    return start - from < headingMax && /^[\p{L}\p{M}\s'’#*_>"n\\-]*$/u.test(text.slice(from, start));
  }

  /** Whether a stretch is all of its line but for a word after it, such as that of a button. */
  isLine(start: number, end: number): boolean {
    const after = this.#text.slice(end, end + 24);
    return /^["'`*.,)\]\\]{0,4}[ \t]{0,8}(?:(?:\p{L}{4,12}|\p{Lo}{1,12})[ \t]{0,4})?(?:[\r\n]|$|\\n|")/u.test(after);
  }

  #nameEnd(end: number): number {
    const rest = startsRest(this.#text.charCodeAt(end)) ? matchEnd(labelRest, this.#text, end) : end;
    return rest > end && this.#endsWord(rest) ? rest : end;
  }

  /** Where a few words that go on with the label end: `code for your card:`, `key instead:`, `code for the gate is`. */
  #phraseEnd(end: number): number {
    if (this.#text.charCodeAt(end) !== 0x20 || !this.phraseEnds.in(end, end + phraseMax)) return end;
    return matchEnd(labelPhrase, this.#text, end);
  }

  /** The end of what may follow a label before its sign: `Password (WPA2):`, `PIN/PUK:`. */
  restEnd(end: number): number {
    const text = this.#text;
    const sign = text.charAt(text[end] === " " ? end + 1 : end);
    return sign === "(" ? matchEnd(labelHint, text, end) : "/&+".includes(sign) ? matchEnd(labelJoint, text, end) : end;
  }

  /** Whether a label may have several values: `PINs:`, `PUK:` of `PIN/PUK:`. */
  #namesList(start: number, end: number, named: number): boolean {
    const text = this.#text;
    if (!startsList(text.charCodeAt(text[named] === " " ? named + 1 : named))) return false;
    return matchesAt(plural, text, end) || matchesAt(secondOfTwo, text, start);
  }

  /** The value of each item of a list on one line, or on lines below: `PINs: Visa 4711, Mastercard 1147`. */
  #list(from: number, visit: (place: Place) => void): void {
    const isBelow = matchesAt(startsBelow, this.#text, from);
    // A line may hold many labels: what is read for one of them serves those inside of it.
    if (from < this.#listed.from || from >= this.#listed.from + listMax || isBelow !== this.#listed.isBelow) {
      const text = this.#text.slice(from, from + 2 * listMax);
      const found = (text.split(isBelow ? /\n\s/ : "\n", 1)[0] ?? "").matchAll(isBelow ? lineValue : listValue);
      const places = Array.from(found, ({ 0: item, 1: value = item, index }): Place => {
        const end = from + index + item.length;
        return { start: end - value.length, end, by: "list" };
      });
      this.#listed = { from, isBelow, places };
    }
    const places = this.#listed.places.filter(({ start, end }) => start >= from && end <= from + listMax);
    if (places.length > 1) places.forEach(visit);
  }

  /** The lines below a question or a request that holds the label, each without the name and the time before an answer. */
  #answers(from: number, rest: RegExp, visit: (place: Place) => void): void {
    if (!matchesAt(rest, this.#text, from)) return;
    let at = rest.lastIndex;
    for (let lines = 0; lines < (rest === restOfQuestion ? answerLinesMax : 1); lines++) {
      const start = matchEnd(answerLead, this.#text, at);
      if (start === at) return;
      at = matchEnd(restOfLine, this.#text, start);
      visit({ start, end: at, by: "answer" });
    }
  }

  /** Where the value starts when nothing but signs, blanks, tags and joining words are between it and the label. */
  #gap(from: number): Place | undefined {
    const text = this.#text;
    let at = from;
    let by: Relation = this.#seams.has(from) ? "cell" : "glued";
    let lines = 0;
    let tags = 0;
    let hasCopula = false;
    for (const limit = from + gapMax; at < limit;) {
      const c = text.charCodeAt(at);
      if (c === 0x20) {
        if (by === "glued") by = "blank";
        at++;
      } else if (c === 0x0a) {
        if (++lines > 2) return undefined;
        by = "below";
        at++;
      } else if (c === 0x09) {
        by = "cell";
        at++;
      } else if (c === 0x0d) at++;
      else if (c === 0x5c && (text[at + 1] === "n" || text[at + 1] === "t" || text[at + 1] === "r") && !isLetter(text.charCodeAt(at + 2))) {
        if (text[at + 1] === "n" && ++lines > 2) return undefined;
        by = "below";
        at += 2;
      } else if (c === 0x3c) {
        if (!matchesAt(tag, text, at) || ++tags > tagsMax) return undefined;
        by = "cell";
        at = tag.lastIndex;
      } else if (c === 0x2d && by === "glued" && isAlnum(text.charCodeAt(at + 1))) {
        // `MRN-1447606` may be a label and its value, or one name.
        at++;
      } else if (by === "below" && isDigit(c) && matchesAt(listNumber, text, at)) {
        at = listNumber.lastIndex - 1;
      } else if (sign(c)) {
        // A sign before digits or a bracket may be part of the value: `+`, `-`.
        if (by !== "below" || c === 0x7c) by = c === 0x7c ? "cell" : "sign";
        at++;
      } else if (c === 0x2e && by === "glued" && (isSpace(text.charCodeAt(at + 1)) || text[at + 1] === ":")) {
        // The full stop of an abbreviation: `Konto-Nr. 123`.
        at++;
      } else if (c === 0x2c || c === 0x3b) {
        if (by === "glued" || by === "blank") by = "comma";
        at++;
      } else if (opening(c) || closing(c)) {
        if (by === "glued" && (c === 0x28 || c === 0xff08)) by = "blank";
        at++;
      } else if (startsButton(c) && this.#isButton(at)) {
        if (by !== "below") by = "cell";
        at = buttonWord.lastIndex;
      } else if (!hasCopula && (by !== "glued" || c > 127) && startsCopula(c)) {
        if (!matchesAt(copula, text, at)) break;
        hasCopula = true;
        by = "sign";
        at = copula.lastIndex;
      } else break;
    }
    if (at >= text.length || at >= from + gapMax) return undefined;
    // A bracket of a number, as in `(030) 1234`, belongs to it.
    if (text[at - 1] === "(" && isDigit(text.charCodeAt(at)) && at > from) at = this.#numberStart(at);
    return { start: at, end: text.length, by };
  }

  #isButton(at: number): boolean {
    const end = matchEnd(buttonWord, this.#text, at);
    return end > at && (this.#seams.has(end) || !isLetter(this.#text.charCodeAt(end)));
  }

  #numberStart(at: number): number {
    const close = this.#text.indexOf(")", at);
    return close > at && close - at < 6 && /[0-9 ]/.test(this.#text.charAt(close + 1)) ? at - 1 : at;
  }

  /** `value (label)`. */
  #bracket(start: number, end: number): Place | undefined {
    const text = this.#text;
    const close = text[end] === ":" ? end + 1 : end;
    if (text[close] !== ")" && text[close] !== "]" && text[close] !== "）") return undefined;
    const lead = text.slice(Math.max(0, start - beforeMax), start);
    const open = Math.max(lead.lastIndexOf("("), lead.lastIndexOf("["), lead.lastIndexOf("（"));
    if (open < 0 || !/^[\p{L} '’-]*$/u.test(lead.slice(open + 1))) return undefined;
    let to = start - (lead.length - open);
    while (to > 0 && /[ \t"'`*\\]/.test(text.charAt(to - 1))) to--;
    const window = text.slice(Math.max(0, to - reachBefore), to);
    const from = to - window.length + window.lastIndexOf("\n") + 1;
    return to > from ? { start: from, end: to, by: "before" } : undefined;
  }

  /** Where words of a stretch start, the first one first. */
  #wordStarts(from: number, to: number): number[] {
    const starts: number[] = [];
    for (let at = to - 1; at >= from && starts.length < wordsBefore; at--) {
      const before = this.#text.charCodeAt(at - 1);
      if (at === from || isSpace(before) || startsPart(before)) starts.push(at);
    }
    return starts.toReversed();
  }

  /** The cells below a label that is the heading of a column. */
  #below(start: number, end: number): readonly Cell[] {
    const text = this.#text;
    // A heading ends its cell: in prose another word follows, and the line is not read.
    let after = end;
    while (cellEnding(text.charCodeAt(after))) after++;
    if (!cellEnd(text.charCodeAt(after))) return none;
    // A line of its own has no columns.
    if (text.charCodeAt(after) === 0x0a && (start === 0 || text.charCodeAt(start - 1) === 0x0a)) return none;
    const table = this.#tableAt(start);
    if (table === undefined) return none;
    const index = table.heading.findIndex((cell) => start >= cell.start && end <= cell.end);
    const cell = table.heading[index];
    if (cell === undefined || /[A-Za-z0-9]/.test(text.slice(end, cell.end).replace(/\([^()]*\)/, ""))) return none;
    this.#current = table;
    return table.column(index);
  }

  /** The table whose heading a place is in. */
  #tableAt(at: number): Table | undefined {
    if (at < this.#lineStart || at > this.#lineEnd) {
      this.#lineStart = at === 0 ? 0 : this.#text.lastIndexOf("\n", at - 1) + 1;
      const end = this.#text.indexOf("\n", at);
      this.#lineEnd = end < 0 ? this.#text.length : end;
    }
    const start = this.#lineStart;
    if (this.#current !== undefined && start > this.#current.start && start < this.#current.end) return undefined;
    this.#tables ??= new Map();
    if (!this.#tables.has(start)) this.#tables.set(start, readTable(this.#text, { start, end: this.#lineEnd }));
    return this.#tables.get(start);
  }
}
