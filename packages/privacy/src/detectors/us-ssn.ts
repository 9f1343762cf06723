import { ssnWords as words } from "../data/number-words.js";
import type { Detector } from "../detector.js";
import { groupsAt, standsAlone } from "../text/digit-groups.js";
import { wordIndex } from "../text/word-index.js";
import { isRepeatedDigit } from "./number-checks.js";

const shape = { lengths: [3, 2, 4], separators: "- ." };
/** How far before and after the number a word counts. */
const reach = 48;
const reachAfter = 24;
/** After the label, digits that a scanner (the optical kind) read as letters: `B6O-85-6118`. */
const scannedShape = /[\s:#="'>]{1,6}([0-9A-Za-z]{3}-[0-9A-Za-z]{2}-[0-9A-Za-z]{4})(?![0-9A-Za-z])/y;

/**
 * US Social Security numbers. With dashes, any number that can have been issued (SSA POMS RM 10201.035: area not 000,
 * 666 or 900 to 999, group not 00, serial not 0000); with blanks or dots, as nine digits, or out of the issued ranges
 * (ITIN too) only beside a word that says so.
 */
export const usSsn: Detector = {
  kind: "us_ssn",
  tier: "government",
  anchors: words,
  anchorsStartWords: true,
  readsDigits: true,
  find(scan, hits, report) {
    const { text, runStarts, runEnds } = scan;
    const near = wordIndex(scan, hits, words);
    for (let run = 0; run < runStarts.length; run++) {
      const start = runStarts[run] ?? 0;
      const length = (runEnds[run] ?? 0) - start;
      if (length === 3) {
        const found = groupsAt(scan, run, shape);
        if (found === undefined) continue;
        const isLabelled = near.labels(found.start, found.end);
        if (!standsAlone(scan, found.start, found.end, isLabelled)) continue;
        const isDashed = text[runEnds[run] ?? 0] === "-";
        if ((isDashed && isIssued(found.digits)) || isLabelled || near.has(found.start - reach, found.end + reachAfter))
          report(found.start, found.end, isDashed ? "dashed" : "labelled");
      } else if (length === 9) {
        const end = start + 9;
        const digits = text.slice(start, end);
        if (isRepeatedDigit(digits)) continue;
        const isLabelled = near.labels(start, end);
        if (standsAlone(scan, start, end, isLabelled) && (isLabelled || near.has(start - reach, start))) report(start, end, "labelled");
      }
    }
    for (const [index, at] of hits.starts.entries()) {
      if (hits.anchors[index] !== 0) continue;
      scannedShape.lastIndex = at + 3;
      const value = scannedShape.exec(text)?.[1];
      if (value !== undefined && value.replaceAll(/[^0-9]/g, "").length >= 5)
        report(scannedShape.lastIndex - value.length, scannedShape.lastIndex, "scanned");
    }
  },
};

/** Taxpayer numbers (ITIN) have areas from 900 on and these groups (IRS Publication 1915). */
const itinGroup = /^9[0-9]{2}(?:5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-24-9])/;

function isIssued(digits: string): boolean {
  const area = digits.slice(0, 3);
  return (
    area !== "000" &&
    area !== "666" &&
    (area < "900" || itinGroup.test(digits)) &&
    digits.slice(3, 5) !== "00" &&
    digits.slice(5) !== "0000"
  );
}
