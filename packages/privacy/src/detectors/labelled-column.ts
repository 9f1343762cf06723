import { type Label, labels } from "../data/labels.js";
import type { Detector } from "../detector.js";
import { tableColumns } from "../text/table-columns.js";

const columns = new Map<string, Label>();
for (const label of labels) for (const word of label.words) columns.set(word.replace(/[\s:.#]{1,4}$/, ""), label);
const ending = /[ ]?(?:number|no\.?|nr\.?|nummer|#|id)$/;
/** The shapes of the labels, as the whole of a cell. */
const shapes = new Map(labels.map((label) => [label, new RegExp(`^(?:${label.value})$`)]));

/** What a label says beside one value the heading of a column says of a whole table: dates of birth, accounts, passports in a list. */
export const labelledColumn: Detector = {
  kind: "labelled_value",
  alsoFinds: [...new Set(labels.map(({ kind }) => kind))],
  tier: "identifier",
  anchors: [...new Set([...columns.keys()].filter((word) => word.length > 2))],
  find({ text }, hits, report) {
    tableColumns(
      text,
      hits,
      (heading) => columns.get(heading) ?? columns.get(heading.replace(ending, "")),
      ({ start, end }, label) => {
        if (shapes.get(label)?.test(text.slice(start, end)) === true) report(start, end, `column:${label.kind}`, label.kind);
      },
    );
  },
};
