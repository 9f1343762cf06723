import { foldWord } from "./fold.js";
import { isSigned, scan, withoutJoiners } from "./scan.js";

/** The words of `text` in order, folded: parts of identifiers by themselves, a run of a dense script as one. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let runStart = -1;
  scan(text, {
    word: (start, end) => void words.push(foldWord(text.slice(start, end))),
    joined(start, end) {
      const whole = text.slice(start, end);
      if (isSigned(whole)) words.splice(-1, 1, foldWord(withoutJoiners(whole)));
    },
    gram(start, end, pairEnd) {
      if (runStart < 0) runStart = start;
      if (pairEnd > end) return;
      words.push(foldWord(text.slice(runStart, end)));
      runStart = -1;
    },
  });
  return words.filter((word) => word !== "");
}
