import type { Detector } from "../detector.js";
import { isAlnum, isDigit } from "../text/chars.js";
import { hasWordNear, wordPattern } from "../text/context.js";
import type { TextScan } from "../text/scan.js";

const near = {
  words: wordPattern([
    "phone", "telephone", "telefon", "teléfono", "telefono", "téléphone", "telefone", "telefoon", "puhelin", "telf", "tel:", "tel.", "tel ", "tél", "mobile", "mobil", "móvil",
    "cell", "celular", "handy", "fax", "call me", "call us", "call at", "call (", "whatsapp", "sms", "contact no", "contact number", "hotline", "ph:", "ph.", "numero de tel", "rufnummer",
    "電話", "电话", "전화", "手机", "携帯", "телефон", "тел.",
  ]),
  before: 32,
  after: 0,
};
const afterWords = /^[ ]{0,2}(?:\((?:home|work|cell|mobile|fax|office)\)|(?:home|cell|mobile|fax|office)\b)/i;
const extension = /[ ]{0,2}(?:x|ext\.?|extension|#)[ .:]{0,2}[0-9]{1,6}(?![0-9A-Za-z])/iy;
const notPhoneBefore = /(?:isbn|issn|doi|version|ver\.?|release|build|rfc|\bid|order|invoice|#|€|£|\$|¥)[\s:#.-]{0,3}$/i;

/**
 * Phone numbers: `+` and 8 to 15 digits (ITU-T E.164), numbers of the North American plan with separators, and any
 * other shape of 7 to 15 digits only beside a word for a phone. Dates, versions, addresses of hosts, money and
 * parts of ids are none. Written by hand because libphonenumber's finder takes other numbers too.
 */
export const phone: Detector = {
  kind: "phone",
  tier: "contact",
  anchors: [],
  find(scan, _hits, report) {
    const { text, runStarts, runEnds } = scan;
    let done = 0;
    for (let run = 0; run < runStarts.length; run++) {
      const first = runStarts[run] ?? 0;
      if (first < done || (runEnds[run] ?? 0) - first > 15) continue;
      const found = international(scan, run) ?? northAmerican(scan, run) ?? labelled(scan, run);
      if (found === undefined) continue;
      extension.lastIndex = found.end;
      const end = extension.test(text) ? extension.lastIndex : found.end;
      report(found.start, end, found.rule);
      done = end;
    }
  },
};

interface Found {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

/** Runs of digits joined by at most two separators, as far as `digitsMax` digits go. */
function series(scan: TextScan, first: number, digitsMax: number): { ends: number[]; counts: number[] } {
  const { text, runStarts, runEnds } = scan;
  const ends: number[] = [];
  const counts: number[] = [];
  let count = 0;
  for (let run = first; run < runStarts.length && run < first + 8; run++) {
    const start = runStarts[run] ?? 0;
    const end = runEnds[run] ?? 0;
    if (run > first && !isSeparator(text.slice(runEnds[run - 1], start))) break;
    count += end - start;
    if (count > digitsMax) break;
    ends.push(end);
    counts.push(count);
  }
  return { ends, counts };
}

/** At most three signs between groups, such as `) `, ` (0)` is two groups, ` - `; no line end. */
function isSeparator(between: string): boolean {
  return between.length <= 3 && /^(?:[ \u00a0.\-/–‑]|\) ?|\)-|\)\.| ?\(|\)\(| [-–] )$/.test(between);
}

function standsFree(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  if (isAlnum(before) || before === 0x5f || isAlnum(after) || after === 0x5f) return false;
  if ((before === 0x2e || before === 0x2d || before === 0x2f || before === 0x3d) && isAlnum(text.charCodeAt(start - 2)) && before !== 0x3d && before !== 0x2f) return false;
  return !((after === 0x2d || after === 0x2e) && isAlnum(text.charCodeAt(end + 1)) && (after === 0x2d || isDigit(text.charCodeAt(end + 1))));
}

function openingStart(text: string, first: number): number {
  return text[first - 1] === "(" ? first - 1 : first;
}

function international(scan: TextScan, run: number): Found | undefined {
  const { text, runStarts } = scan;
  const first = runStarts[run] ?? 0;
  let start = openingStart(text, first);
  if (text[start - 1] === "+") start--;
  else if (text.slice(start - 3, start) === "%2B" || text.slice(start - 3, start) === "%2b") start -= 3;
  else return undefined;
  if (isAlnum(text.charCodeAt(start - 1)) && text[start] === "+") return undefined;
  const isNanp = text[first] === "1";
  const { ends, counts } = series(scan, run, 15);
  for (let index = ends.length - 1; index >= 0; index--) {
    const count = counts[index] ?? 0;
    const end = ends[index] ?? 0;
    if (count < 8 || (isNanp && count !== 11 && counts.includes(11)) || isAlnum(text.charCodeAt(end)) && !isExtension(text, end)) continue;
    return { start, end, rule: "international" };
  }
  return undefined;
}

function isExtension(text: string, end: number): boolean {
  extension.lastIndex = end;
  return extension.test(text);
}

/** `(415) 555-0132`, `415-555-0132`, `1.415.555.0132`, `001-415-555-0132`. */
function northAmerican(scan: TextScan, run: number): Found | undefined {
  const { text, runStarts, runEnds } = scan;
  const lengthOf = (index: number): number => (runEnds[index] ?? 0) - (runStarts[index] ?? 0);
  const prefix = text.slice(runStarts[run], runEnds[run]);
  const hasPrefix = (prefix === "1" || prefix === "001") && lengthOf(run + 1) === 3 && isSeparator(text.slice(runEnds[run], runStarts[run + 1]));
  const area = hasPrefix ? run + 1 : run;
  if (lengthOf(area) !== 3 || lengthOf(area + 1) !== 3 || lengthOf(area + 2) !== 4) return undefined;
  const separators = [text.slice(runEnds[area], runStarts[area + 1]), text.slice(runEnds[area + 1], runStarts[area + 2])];
  if (!separators.every(isSeparator)) return undefined;
  const start = openingStart(text, runStarts[run] ?? 0);
  const end = runEnds[area + 2] ?? 0;
  const isBracketed = text[(runStarts[area] ?? 0) - 1] === "(";
  if (!(standsFree(text, start, end) || (isExtension(text, end) && standsFree(text, start, start + 1)))) return undefined;
  const areaCode = text.charCodeAt(runStarts[area] ?? 0);
  const exchange = text.charCodeAt(runStarts[area + 1] ?? 0);
  const isPlanned = areaCode >= 0x32 && exchange >= 0x32;
  if (!isPlanned && !hasPrefix && !isBracketed && !hasWordNear(text, start, end, near)) return undefined;
  return notPhoneBefore.test(text.slice(Math.max(0, start - 12), start)) ? undefined : { start, end, rule: "north-american" };
}

function labelled(scan: TextScan, run: number): Found | undefined {
  const { text, runStarts } = scan;
  const start = openingStart(text, runStarts[run] ?? 0);
  const { ends, counts } = series(scan, run, 15);
  for (let index = ends.length - 1; index >= 0; index--) {
    const count = counts[index] ?? 0;
    const end = ends[index] ?? 0;
    if (count < 7) break;
    if (!standsFree(text, start, end)) continue;
    const shape = text.slice(start, end);
    if (isDateOrAddress(shape)) continue;
    if (hasWordNear(text, start, end, near) || afterWords.test(text.slice(end, end + 16))) {
      return notPhoneBefore.test(text.slice(Math.max(0, start - 12), start)) ? undefined : { start, end, rule: "labelled" };
    }
    break;
  }
  return undefined;
}

/** `2026-01-31`, `31.01.2026`, `192.168.1.10` and times after them. */
function isDateOrAddress(shape: string): boolean {
  return /^(?:(?:19|20)[0-9]{2}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:19|20)[0-9]{2}|[0-9]{1,3}(?:\.[0-9]{1,3}){3}$)/.test(shape);
}
