import { ibanLengths } from "../data/iban-lengths.js";
import type { Detector } from "../detector.js";
import { isAlnum, isLetter, oneOf, runEnd } from "../text/chars.js";
import { wordIndex } from "../text/word-index.js";
import { mod97 } from "./number-checks.js";

/** Longest IBAN in use (Russia), and the shortest account that a label makes credible. */
const lengthMax = 34;
const labelledLengthMin = 14;
const reach = 40;
const isGap = oneOf(" -\r");

/**
 * International bank account numbers (ISO 13616): country, two check digits, and exactly the country's length with
 * mod 97 equal to 1; groups may be set apart by blanks or dashes. Beside the word IBAN a number of that build is
 * removed although its check digits are wrong: a mistyped account is an account.
 */
export const iban: Detector = {
  kind: "iban",
  tier: "financial",
  anchors: ["iban"],
  anchorsStartWords: true,
  readsDigits: true,
  find(scan, hits, report) {
    const { text, layout, runStarts, runEnds } = scan;
    const words = wordIndex(scan, hits, this.anchors);
    let done = 0;
    for (let run = 0; run < runStarts.length; run++) {
      const digits = runStarts[run] ?? 0;
      const start = digits - 2;
      if (start < done || (runEnds[run] ?? 0) - digits < 2 || text[start - 1] === "_") continue;
      if (!isLetter(text.charCodeAt(start)) || !isLetter(text.charCodeAt(start + 1))) continue;
      if (isAlnum(text.charCodeAt(start - 1)) && !layout.isEdge(start) && !words.labels(start, start)) continue;
      const length = ibanLengths[text.slice(start, digits).toUpperCase()];
      const isNamed = words.has(start - reach, start) || words.labels(start, start);
      // Without the word, two letters of no country of the registry are letters.
      if (length === undefined && !isNamed) continue;
      const exact = length === undefined ? undefined : read(text, start, length);
      const isChecked = exact !== undefined && mod97(text.slice(start + 4, exact) + text.slice(start, start + 4)) === 1;
      const end = isChecked ? exact : isNamed ? (readUnspaced(text, start) ?? exact) : undefined;
      if (end === undefined) continue;
      report(start, end, isChecked ? "checked" : "labelled");
      done = end;
    }
  },
};

/** The end of exactly `length` letters and digits with single blanks or dashes in between, one of which may be a line break. */
function read(text: string, start: number, length: number): number | undefined {
  let at = start;
  let isBroken = false;
  for (let count = 0; count < length; at++) {
    if (isAlnum(text.charCodeAt(at))) count++;
    else if (!isBroken && text[at] === "\n") isBroken = true;
    else if (!(isGap(text.charCodeAt(at)) && (isAlnum(text.charCodeAt(at + 1)) || (!isBroken && text[at + 1] === "\n")))) return undefined;
  }
  return isAlnum(text.charCodeAt(at)) ? undefined : at;
}

function readUnspaced(text: string, start: number): number | undefined {
  const end = runEnd(text, start, lengthMax, isAlnum);
  return end - start < labelledLengthMin || isAlnum(text.charCodeAt(end)) ? undefined : end;
}
