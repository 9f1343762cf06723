import { type Label, labels } from "../data/labels.js";
import type { Detector } from "../detector.js";
import { isDigit } from "../text/chars.js";
import { startsWord } from "../text/word-index.js";

const words = labels.flatMap((label) => label.words);
const owners = labels.flatMap((label, index) => label.words.map(() => index));
/** What may end a label: `number`, `no.`, `nummer` (joined in German and Dutch), `n°`, `番号`. */
const ending =
  "(?:[.]?[ _-]?(?:[Nn]umber|NUMBER|[Nn]ummer|NUMMER)(?![A-Za-z])|[.]?[ _-](?:[Nn]o\\.?|NO\\.?|[Nn]r\\.?|[Nn]um\\.?|[Nn]\\.|[Nn][°º]|№|[Ii]d|ID|#)(?![A-Za-z])|#|号码|號碼|番号|号|번호|(?<![A-Za-z])|(?![A-Za-z0-9]))";
/**
 * Between label and value: the rest of the label, how to fill it in (`(DD/MM/YYYY)`), quotes and a bracket of JSON or code, the end of a tag,
 * one of the signs or words that join the two. A date may also come after a question (`date of birth?` and the answer on the next line).
 */
const between = `${ending}(?:(?<=[Nn][or])\\.)?(?:[ ]\\([A-Za-z/. -]{2,20}\\))?["'\`*)]{0,3}[ \\t]{0,3}(?:[:：=#?>-]|\\|| (?:is|was|ist|lautet|es|est|è|on):? |, )?[ \\t\\n]{0,4}(?:A:[ ]|is[ ]|(?:[Nn]o|[Nn]r)\\.?[ ])?["'\`*(]{0,3}`;
/** What stands behind a label, up to the end of its value; same index as {@link labels}. */
export const labelledShapes = labels.map(({ value }) => new RegExp(`${between}(${value})(?![A-Za-z0-9])`, "dy"));

/**
 * Bank accounts, passports, driving licences, medical records, national ids without a format, and dates of birth: nothing in such a
 * value tells what it is, so only a label right before it counts, and only the value goes.
 */
export const labelledValue: Detector = {
  kind: "labelled_value",
  alsoFinds: [...new Set(labels.map(({ kind }) => kind))],
  tier: "identifier",
  anchors: words,
  find({ text }, { starts, anchors }, report) {
    let done = 0;
    starts.forEach((at, index) => {
      if (at < done || isDigit(text.charCodeAt(at - 1)) || !startsWord(text, at)) return;
      const anchor = anchors[index] ?? 0;
      const owner = owners[anchor] ?? 0;
      const label: Label | undefined = labels[owner];
      const shape = labelledShapes[owner];
      if (label === undefined || shape === undefined) return;
      shape.lastIndex = at + (words[anchor]?.length ?? 0);
      const [start, end] = shape.exec(text)?.indices?.[1] ?? [];
      if (start === undefined || end === undefined) return;
      // In `MRN-1447606` the label is part of the value.
      report(
        text[start - 1] === "-" && start - 1 === at + (words[anchor]?.length ?? 0) ? at : start,
        end,
        `label:${label.kind}`,
        label.kind,
      );
      done = end;
    });
  },
};
