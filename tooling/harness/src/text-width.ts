import { stripVTControlCharacters } from "node:util";

/** Characters that take two columns: East Asian wide forms and emoji. */
const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Characters that take none: accents that join the letter before, joiners, variation selectors. */
const joining = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** One line that cannot steer a terminal: control characters and line ends become spaces. */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** Columns that `text` takes on a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** `text` in at most `width` columns; what is cut off is shown by `…`. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return width < 1 ? "" : `${startOf(text, width - 1).trimEnd()}…`;
}

/** `text` over at most `linesMax` lines of `width` columns, broken at spaces; the last one is cut with `…`. */
export function wrap(text: string, width: number, linesMax: number): string[] {
  const lines: string[] = [];
  let rest = oneLine(text);
  while (rest !== "" && lines.length < linesMax - 1 && widthOf(rest) > width) {
    const line = startOf(rest, width);
    const space = line.lastIndexOf(" ");
    const end = rest[line.length] === " " || space <= 0 ? line.length : space;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? lines : [...lines, fit(rest, width)];
}

/** The longest start of `text` that takes at most `width` columns. */
function startOf(text: string, width: number): string {
  let end = 0;
  let used = 0;
  for (const character of text) {
    used += columnsOf(character);
    if (used > width) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function columnsOf(character: string): number {
  if (character < "\u0300") return 1;
  return wide.test(character) ? 2 : Number(!joining.test(character));
}
