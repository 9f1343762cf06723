import { cardGroupings, cardIssuers, cardWords } from "../data/card-issuers.js";
import type { Detector } from "../detector.js";
import { type DigitGroups, gapMax, groupsAt, standsAlone } from "../text/digit-groups.js";
import type { TextScan } from "../text/scan.js";
import { type WordIndex, wordIndex } from "../text/word-index.js";
import { isRepeatedDigit, luhn } from "./number-checks.js";

const groupings = cardGroupings.map((lengths) => ({ lengths, separators: " -." }));
/** How far from the number a word for a card counts, in UTF-16 units. */
const reach = 40;

/**
 * Payment card numbers of 12 to 19 digits: the Luhn check digit must hold, and either the issuer prefix is in
 * use at that length or a word for a card is within 40 characters.
 */
export const card: Detector = {
  kind: "card",
  tier: "floor",
  anchors: cardWords,
  anchorsStartWords: true,
  readsDigits: true,
  find(scan, hits, report) {
    const { text, runStarts, runEnds } = scan;
    const words = wordIndex(scan, hits, cardWords);
    for (let run = 0; run < runStarts.length; run++) {
      const start = runStarts[run] ?? 0;
      const length = (runEnds[run] ?? 0) - start;
      if (length < 4 || length > 19) continue;
      if (length >= 12) {
        const end = start + length;
        if (isCard(scan, { start, end, digits: text.slice(start, end) }, words)) report(start, end, "plain");
        continue;
      }
      if ((length !== 4 && length !== 6 && length !== 8) || (runStarts[run + 1] ?? Number.POSITIVE_INFINITY) - start - length > gapMax)
        continue;
      const next = (runEnds[run + 1] ?? 0) - (runStarts[run + 1] ?? 0);
      for (const shape of groupings) {
        if (shape.lengths[0] !== length || shape.lengths[1] !== next) continue;
        const found = groupsAt(scan, run, shape);
        if (found !== undefined && isCard(scan, found, words)) {
          report(found.start, found.end, "grouped");
          break;
        }
      }
    }
  },
};

function isCard(scan: TextScan, { start, end, digits }: DigitGroups, words: WordIndex): boolean {
  // With a plus before it, it is a telephone number whose country code looks like an issuer.
  return (
    scan.text[start - 1] !== "+" &&
    luhn(digits) &&
    !isRepeatedDigit(digits) &&
    standsAlone(scan, start, end, words.labels(start, end)) &&
    (isIssued(digits) || words.has(start - reach, end + reach) || words.labels(start, end))
  );
}

function isIssued(digits: string): boolean {
  return cardIssuers.some((issuer) => {
    const prefix = Number(digits.slice(0, issuer.digits));
    return prefix >= issuer.from && prefix <= issuer.to && issuer.lengths.includes(digits.length);
  });
}
