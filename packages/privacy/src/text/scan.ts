import { isDigit } from "./chars.js";
import { columnBits, type KeywordAutomaton } from "./keyword-automaton.js";
import type { VisibleText } from "./invisible.js";
import { Layout } from "./layout.js";
import { startsWord } from "./word-index.js";

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

/** Scans the text once: keywords and runs of digits. Linear in the text. */
export function scanText({ text, seams }: Pick<VisibleText, "text" | "seams">, automaton: KeywordAutomaton): TextScan {
  const { columns, next, outputs, firstTelling, groupCount } = automaton;
  // Most keywords are in hardly any text, so that their lists are made when the first is found.
  const hits: Found[] = Array.from({ length: groupCount }, () => nothing);
  const runStarts: number[] = [];
  const runEnds: number[] = [];
  let state = 0;
  let digitsEnd = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    state = next[(state << columnBits) | (columns[c] ?? 0)] ?? 0;
    if (state < firstTelling) continue;
    if (isDigit(c)) {
      if (i !== digitsEnd || i === 0) {
        if (runStarts.length > 0) runEnds.push(digitsEnd);
        runStarts.push(i);
      }
      digitsEnd = i + 1;
    }
    for (const keyword of outputs[state - firstTelling] ?? []) {
      const start = i + 1 - keyword.text.length;
      if (keyword.isShared && text.slice(start, i + 1).toLowerCase() !== keyword.text) continue;
      if (keyword.startsWord && !startsWord(text, start) && !seams.has(start)) continue;
      let list = hits[keyword.group] ?? nothing;
      if (list === nothing) hits[keyword.group] = list = { starts: [], anchors: [] };
      list.starts.push(start);
      list.anchors.push(keyword.index);
    }
  }
  if (runStarts.length > 0) runEnds.push(digitsEnd);
  return { text, runStarts, runEnds, hits, layout: new Layout(text, seams) };
}
