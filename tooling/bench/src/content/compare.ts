/** What an article consists of, as somebody marked it. */
export interface Expected {
  text: string;
  /** Text of each block of code. */
  code: readonly string[];
  /** Cells of each row of a table. */
  rows: readonly (readonly string[])[];
}

/** How much of an article a side has, and how much of what it has is of the article. */
export interface Score {
  recall: number;
  precision: number;
  /** Blocks of code that are fenced. */
  fenced: number;
  /** Rows of tables that stand on one line. */
  rows: number;
}

/** Compares words, by how often each is there. */
export function scoreOf(expected: Expected, { text, markdown = "" }: { text: string; markdown?: string }): Score {
  const [wanted, found] = [countWords(expected.text), countWords(text)];
  let common = 0;
  for (const [word, count] of wanted) common += Math.min(count, found.get(word) ?? 0);
  const sum = (words: ReadonlyMap<string, number>) => [...words.values()].reduce((all, count) => all + count, 0);
  const fences = [...markdown.matchAll(/^[ >]*(`{3,}).*\n([\s\S]*?)^[ >]*\1$/gm)].map(([, , code]) =>
    squeeze((code ?? "").replaceAll(/^[ >]*/gm, "")),
  );
  const lines = (markdown === "" ? text : markdown).split("\n").map((line) => squeeze(plainOf(line)));
  return {
    recall: sum(wanted) === 0 ? 1 : common / sum(wanted),
    precision: sum(found) === 0 ? 0 : common / sum(found),
    fenced: expected.code.filter((code) => fences.some((fence) => fence.includes(squeeze(code)))).length,
    rows: expected.rows.filter((cells) => lines.some((line) => hasInOrder(line, cells.map(squeeze)))).length,
  };
}

/** Markdown without its signs and addresses. */
export const plainOf = (markdown: string): string =>
  markdown
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, " ")
    .replaceAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\([^)\s]*(?: "[^"]*")?\)/g, "$1")
    .replaceAll(/^[ >]*`{3,}.*$/gm, " ")
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, "")
    .replaceAll(/\*+|\b_+|_+\b|`|<[^>]*>/g, "");

const squeeze = (text: string): string => text.replaceAll(/\s+/g, "");

function hasInOrder(line: string, cells: readonly string[]): boolean {
  let at = 0;
  for (const cell of cells) {
    const found = line.indexOf(cell, at);
    if (found < 0) return false;
    at = found + cell.length;
  }
  return true;
}

function countWords(text: string): Map<string, number> {
  const words = new Map<string, number>();
  // Without blanks between words, as Chinese is, each sign counts.
  for (const [word] of text.toLowerCase().matchAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu))
    words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}
