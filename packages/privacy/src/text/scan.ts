import { columnBits, type KeywordAutomaton } from "./keyword-automaton.js";
import type { VisibleText } from "./invisible.js";
import { Layout } from "./layout.js";

/** Where the keywords of one group were found, in the order of their ends. */
export interface Hits {
  /** First unit of each occurrence. */
  readonly starts: readonly number[];
  /** Which keyword of the group it was. */
  readonly anchors: readonly number[];
}

/** What one pass over a text found: every detector reads from it instead of searching again. */
export interface TextScan {
  /** The text as matched: invisible characters are left out. */
  readonly text: string;
  /** First unit of each maximal run of ASCII digits, rising. */
  readonly runStarts: readonly number[];
  /** First unit past each run, same index. */
  readonly runEnds: readonly number[];
  /** Keyword occurrences, by group of the automaton. */
  readonly hits: readonly Hits[];
  /** Which values belong to a label. */
  readonly layout: Layout;
}

interface Found extends Hits {
  readonly starts: number[];
  readonly anchors: number[];
}

const nothing: Found = { starts: [], anchors: [] };
const nowhere: readonly number[] = [];

/** Scans the text once: keywords and runs of digits. Linear in the text. */
export function scanText({ text, seams }: Pick<VisibleText, "text" | "seams">, automaton: KeywordAutomaton): TextScan {
  const { columns, next, outputs, firstOutput, isShared, keywords, lengths, groups, indexes, groupCount } = automaton;
  // Most keywords are in hardly any text, so that their lists are made when the first is found.
  const hits: Found[] = Array.from({ length: groupCount }, () => nothing);
  const runStarts: number[] = [];
  const runEnds: number[] = [];
  let state = 0;
  let inRun = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    state = next[(state << columnBits) | (columns[c] ?? 0)] ?? 0;
    if (state >= firstOutput) {
      const found = outputs[state - firstOutput] ?? nowhere;
      for (let k = 0; k < found.length; k++) {
        const keyword = found[k] ?? 0;
        const start = i + 1 - (lengths[keyword] ?? 0);
        if (isShared[keyword] === true && text.slice(start, i + 1).toLowerCase() !== keywords[keyword]) continue;
        const group = groups[keyword] ?? 0;
        let list = hits[group] ?? nothing;
        if (list === nothing) hits[group] = list = { starts: [], anchors: [] };
        list.starts.push(start);
        list.anchors.push(indexes[keyword] ?? 0);
      }
    }
    const isDigit = c >= 0x30 && c <= 0x39;
    if (isDigit !== inRun) {
      (isDigit ? runStarts : runEnds).push(i);
      inRun = isDigit;
    }
  }
  if (inRun) runEnds.push(text.length);
  return { text, runStarts, runEnds, hits, layout: new Layout(text, seams) };
}
