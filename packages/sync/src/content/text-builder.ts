import { betweenSigns, fitJson } from "./fit-text.js";

/** Puts a text together from what stands in elements, as it would be read: words with one blank between them, blocks on lines of their own. */
export interface TextBuilder {
  /** Text as it is in the page; of white space one blank is kept, unless it is `isPre`. */
  add(text: string, isPre?: boolean): void;
  /** Text that has its lines already. */
  addWhole(text: string): void;
  /** A line ends here; of several that end at once the largest count holds. */
  endLine(lines?: 1 | 2): void;
  /** A line break, or a tab between cells. */
  put(mark: "\n" | "\t"): void;
  /** Whether something did not fit, so that no more is taken. */
  readonly isFull: boolean;
  text(): string;
}

/** Units of a text that are looked at together: of a text of many megabytes only the beginning is. */
const chunkUnits = 16_384;

/** Takes at most `bytesMax` bytes, as counted in JSON. */
export function textBuilder(bytesMax: number): TextBuilder {
  const parts: string[] = [];
  let left = bytesMax;
  let lines = 0;
  let hasBlank = false;
  let isLineEmpty = true;
  let isFull = false;

  function push(text: string): void {
    if (isFull || text === "") return;
    const { bytes, end } = fitJson(text, left);
    left -= bytes;
    isFull = end < text.length;
    if (end > 0) parts.push(isFull ? text.slice(0, betweenSigns(text, end)) : text);
  }

  function begin(): void {
    if (lines > 0 && parts.length > 0) push("\n".repeat(lines));
    else if (hasBlank && !isLineEmpty) push(" ");
    lines = 0;
    hasBlank = false;
    isLineEmpty = false;
  }

  function addWords(text: string): void {
    const words = text.replaceAll(/[\t\n\f\r ]+/g, " ");
    hasBlank ||= words.startsWith(" ");
    const [start, end] = [words.startsWith(" ") ? 1 : 0, words.length - (words.endsWith(" ") ? 1 : 0)];
    if (start >= end) return;
    begin();
    push(words.slice(start, end));
    hasBlank = end < words.length;
  }

  return {
    add(text, isPre = false) {
      if (isPre) {
        if (text === "") return;
        begin();
        push(text);
        return;
      }
      for (let at = 0; at < text.length && !isFull;) {
        let end = Math.min(text.length, at + chunkUnits);
        end = betweenSigns(text, end);
        addWords(text.length <= chunkUnits ? text : text.slice(at, end));
        at = end;
      }
    },
    addWhole(text) {
      const start = /^\n*/.exec(text)?.[0].length ?? 0;
      let end = text.length;
      while (end > start && text.charCodeAt(end - 1) === 0x0a) end -= 1;
      if (start >= end) return;
      begin();
      push(text.slice(start, end));
    },
    endLine(count = 1) {
      lines = Math.max(lines, count);
      isLineEmpty = true;
      hasBlank = false;
    },
    put(mark) {
      if (mark === "\n") {
        lines = Math.min(2, lines + 1);
        isLineEmpty = true;
        hasBlank = false;
      } else if (!isLineEmpty) {
        push(mark);
        isLineEmpty = true;
        hasBlank = false;
      }
    },
    get isFull() {
      return isFull;
    },
    text: () => parts.join(""),
  };
}
