import { isDigit } from "./chars.js";
import { columnBits, type KeywordAutomaton } from "./keyword-automaton.js";
import { isSpecial, type VisibleText, visibleText } from "./invisible.js";
import { Layout } from "./layout.js";
import { nextStandIn } from "./stand-ins.js";
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
  /** Keyword occurrences, by group of the automaton; nothing for a group of which none was found. */
  readonly hits: ReadonlyArray<Hits | undefined>;
  /** Which values belong to a label. */
  readonly layout: Layout;
}

export interface VisibleScan extends TextScan, Pick<VisibleText, "toOriginal"> {}

/**
 * Scans a text once: keywords and runs of digits, outside of what stands in for removed values. Linear in the text. Where the text has units that are
 * matched otherwise than they are written, it is made visible first; most texts have none, which the same pass tells.
 */
export function scanOriginal(original: string, format: "text" | "markdown" | undefined, automaton: KeywordAutomaton): VisibleScan {
  return (
    scanText(visibleText(original, { format, hasSpecial: false }), automaton, true) ??
    scanText(visibleText(original, { format, hasSpecial: true }), automaton, false)
  );
}

function scanText(visible: VisibleText, automaton: KeywordAutomaton, isChecked: false): VisibleScan;
function scanText(visible: VisibleText, automaton: KeywordAutomaton, isChecked: boolean): VisibleScan | undefined;
function scanText({ text, seams, toOriginal }: VisibleText, automaton: KeywordAutomaton, isChecked: boolean): VisibleScan | undefined {
  const { columns, lower, next, outputs, firstTelling } = automaton;
  // Most keywords are in hardly any text, so that their lists are made when the first is found.
  const hits: Array<{ starts: number[]; anchors: number[] }> = [];
  const runStarts: number[] = [];
  const runEnds: number[] = [];
  let standIn = nextStandIn(text, 0);
  let digitsEnd = -1;
  let state = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    state = next[(state << columnBits) | (columns[c] ?? 0)] ?? 0;
    if (state < firstTelling) continue;
    if (c > 0x7f && isChecked && isSpecial(c)) return undefined;
    while (i >= standIn.end) standIn = nextStandIn(text, standIn.end);
    if (i >= standIn.start) continue;
    if (isDigit(c)) {
      if (i !== digitsEnd) {
        if (digitsEnd > 0) runEnds.push(digitsEnd);
        runStarts.push(i);
      }
      digitsEnd = i + 1;
    }
    const found = outputs[state - firstTelling];
    if (found === undefined) continue;
    for (let index = 0; index < found.length; index++) {
      const keyword = found[index];
      if (keyword === undefined) continue;
      const start = i + 1 - keyword.text.length;
      if (keyword.isShared && !isWritten(text, start, keyword.text, lower)) continue;
      if (keyword.startsWord && !startsWord(text, start) && !seams.has(start)) continue;
      const list = (hits[keyword.group] ??= { starts: [], anchors: [] });
      list.starts.push(start);
      list.anchors.push(keyword.index);
    }
  }
  if (digitsEnd > 0) runEnds.push(digitsEnd);
  return { text, runStarts, runEnds, hits, layout: new Layout(text, seams), toOriginal };
}

function isWritten(text: string, start: number, keyword: string, lower: Uint16Array): boolean {
  for (let index = keyword.length - 1; index >= 0; index--) {
    if (lower[text.charCodeAt(start + index)] !== keyword.charCodeAt(index)) return false;
  }
  return true;
}
