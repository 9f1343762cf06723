import { floorLabels, type Label, labels } from "../data/labels.js";
import { sentenceEnd } from "../data/layout-words.js";
import type { Detector, DetectorTier } from "../detector.js";
import { isDigit, isWordish } from "../text/chars.js";
import type { Place, Relation } from "../text/layout.js";
import { matchEnd, matchesAt } from "../text/match-at.js";
import type { Cell } from "../text/table.js";
import { isPlaceholder } from "../text/placeholders.js";

/** Relations that a number of any kind could have to a word of prose. */
const loose: ReadonlySet<Relation> = new Set(["blank", "comma", "glued"]);
/** A shorter label that stands right before letters and digits is part of a name. */
const gluedMin = 7;

/** The shape of each label's value, to be tried at one place; same index as the table. */
export function labelShapes(table: readonly Label[]): RegExp[] {
  return table.map(({ value }) => new RegExp(`(?:${value})(?![A-Za-z0-9]|[.,][0-9])`, "y"));
}

/**
 * Values that nothing but their label gives away, by a table of labels. Where a value may stand the layout says; what it must look like, the
 * table. Only the value goes.
 */
function labelled(kind: string, tier: DetectorTier, table: readonly Label[]): Detector {
  const words = table.flatMap((label) => label.words);
  const owners = table.flatMap((label, index) => label.words.map(() => index));
  const shapes = labelShapes(table);
  return {
    kind,
    alsoFinds: [...new Set(table.map((label) => label.kind))].filter((other) => other !== kind),
    tier,
    anchors: words,
    anchorsStartWords: true,
    find({ text, layout }, { starts, anchors }, report) {
      // The values of all labels end with a letter or a digit.
      const isPossible = ({ by, end }: Place): boolean => by !== "before" || isWordish(text.charCodeAt(end - 1));
      starts.forEach((at, index) => {
        if (isDigit(text.charCodeAt(at - 1))) return;
        const anchor = anchors[index] ?? 0;
        const end = at + (words[anchor]?.length ?? 0);
        const owner = owners[anchor] ?? 0;
        const label = table[owner];
        const shape = shapes[owner];
        if (label === undefined || shape === undefined || !layout.endsWord(end)) return;
        const list = label.kind === "recovery_code" && layout.isHeading(at) ? codesBelow(text, end, shape) : undefined;
        if (list !== undefined) report(list.start, list.end, "list:recovery_code", label.kind);
        layout.values({ start: at, end }, shape, isPossible, (start, to, by) => {
          // `CVV 123` at the end of a line, and `door code 4711` at the end of a part of a sentence.
          const isPart = (): boolean => by === "blank" && text.slice(at, end).includes(" ") && matchesAt(sentenceEnd, text, to);
          const isLine = (): boolean => (layout.isLine(start, to) && layout.isHeading(at)) || isPart();
          if (label.isStrict === true && !isJoined(text, at, { start, end: to }, { by, isLine })) return;
          if (by === "glued" && end - at < gluedMin && text[start - 1] !== "-" && label.isStrict !== true) return;
          if (/[^0-9]/.test(text.slice(start, to)) && isPlaceholder(text.slice(start, to))) return;
          // In `MRN-1447606` the label is part of the value.
          report(text[start - 1] === "-" && start - 1 === end ? at : start, to, `label:${label.kind}`, label.kind);
        });
      });
    },
  };
}

/** How far below its heading a list starts. */
const listReach = 320;
const lineStart = /\n[ \t>*•-]{0,4}(?:[0-9]{1,2}[.)][ \t])?/g;

/** The first list of two codes or more below a heading, a few sentences on, each code on a line of its own. */
function codesBelow(text: string, from: number, shape: RegExp): Cell | undefined {
  for (const line of text.slice(from, from + listReach).matchAll(lineStart)) {
    const start = from + line.index + line[0].length;
    const end = matchEnd(shape, text, start);
    if (text.slice(start, end).includes("\n") && /[\r\n]|^$/.test(text.charAt(end))) return { start, end };
  }
  return undefined;
}

/** Whether a short number belongs to its label for certain. */
function isJoined(text: string, at: number, value: Cell, { by, isLine }: { by: Relation; isLine: () => boolean }): boolean {
  const { start, end } = value;
  // `Card PIN4711` on a line of its own: elements that only a style sets apart.
  if (by === "glued" && (text[start - 1] === "-" || !/^[\r\n]?$/.test(text.charAt(end)))) return false;
  if (by === "below" || by === "glued") return isLine();
  if (by === "answer") return !isYear(text.slice(start, end));
  if (!loose.has(by)) return true;
  // `CVV 123`, `PIN 4711` and `OTP 482913` in capitals, or at the end of a line.
  const length = end - start;
  return (
    by === "blank" &&
    !isYear(text.slice(start, end)) &&
    (length === 3 ||
      isLine() ||
      (/^[A-Z]{3}(?![0-9])/.test(text.slice(at, at + 4)) && !cardLabel.test(text.slice(at, at + 3)) && length !== 5))
  );
}

/** Values of cards have three digits, but for one issuer whose four stand behind a sign. */
const cardLabel = /^C[VI]/;

function isYear(value: string): boolean {
  return /^(?:19|20)[0-9]{2}$/.test(value);
}

/** Card verification values, PINs, one-time codes, set-up keys of authenticators, recovery codes. */
export const labelledCode: Detector = labelled("one_time_code", "floor", floorLabels);

/** Bank accounts, passports, driving licences, medical records, national ids without a format, and dates of birth. */
export const labelledValue: Detector = labelled("labelled_value", "identifier", labels);
