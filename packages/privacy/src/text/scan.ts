import { isDigit } from "./chars.js";
import { columnBits, type Keyword, type KeywordAutomaton } from "./keyword-automaton.js";
import { isSpecial, type VisibleText, visibleText } from "./invisible.js";
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
const none: readonly Keyword[] = [];

/**
 * Scans a text once: keywords and runs of digits. Linear in the text. Where the text has units that are matched otherwise than they are written, it is
 * made visible first; most texts have none, which the same pass tells.
 */
export function scanOriginal(original: string, format: "text" | "markdown" | undefined, automaton: KeywordAutomaton): VisibleScan {
  const unescaped = visibleText(original, { format, hasSpecial: false });
  const scan = scanText(unescaped, automaton, true);
  if (scan !== undefined) return { ...scan, toOriginal: unescaped.toOriginal };
  const visible = visibleText(original, { format, hasSpecial: true });
  return { ...scanText(visible, automaton, false), toOriginal: visible.toOriginal };
}

export interface VisibleScan extends TextScan, Pick<VisibleText, "toOriginal"> {}

function scanText(visible: VisibleText, automaton: KeywordAutomaton, isChecked: false): TextScan;
function scanText(visible: VisibleText, automaton: KeywordAutomaton, isChecked: boolean): TextScan | undefined;
function scanText({ text, seams }: VisibleText, automaton: KeywordAutomaton, isChecked: boolean): TextScan | undefined {
  const { columns, next, outputs, firstTelling, groupCount } = automaton;
  // The inner loop does as little as it can; what it found is read after it.
  const places: number[] = [];
  const states: number[] = [];
  let state = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    state = next[(state << columnBits) | (columns[c] ?? 0)] ?? 0;
    if (state < firstTelling) continue;
    if (c > 0x7f && isChecked && isSpecial(c)) return undefined;
    places.push(i);
    states.push(state);
  }
  // Most keywords are in hardly any text, so that their lists are made when the first is found.
  const hits: Found[] = Array.from({ length: groupCount }, () => nothing);
  const runStarts: number[] = [];
  const runEnds: number[] = [];
  let digitsEnd = -1;
  for (let k = 0; k < places.length; k++) {
    const i = places[k] ?? 0;
    if (isDigit(text.charCodeAt(i))) {
      if (i !== digitsEnd) {
        if (digitsEnd > 0) runEnds.push(digitsEnd);
        runStarts.push(i);
      }
      digitsEnd = i + 1;
    }
    const found = outputs[(states[k] ?? 0) - firstTelling] ?? none;
    for (let index = 0; index < found.length; index++) {
      const keyword = found[index];
      if (keyword === undefined) continue;
      const start = i + 1 - keyword.text.length;
      if (keyword.isShared && text.slice(start, i + 1).toLowerCase() !== keyword.text) continue;
      if (keyword.startsWord && !startsWord(text, start) && !seams.has(start)) continue;
      let list = hits[keyword.group] ?? nothing;
      if (list === nothing) hits[keyword.group] = list = { starts: [], anchors: [] };
      list.starts.push(start);
      list.anchors.push(keyword.index);
    }
  }
  if (digitsEnd > 0) runEnds.push(digitsEnd);
  return { text, runStarts, runEnds, hits, layout: new Layout(text, seams) };
}
