/** A column of a Markdown table; figures stand right. */
export interface MarkdownColumn {
  title: string;
  isText?: boolean;
}

/** A table as the formatter of this repository leaves it: cells as wide as the widest of their column. */
export function markdownTable(columns: readonly MarkdownColumn[], rows: ReadonlyArray<readonly string[]>): string[] {
  const widths = columns.map(({ title }, index) => Math.max(3, title.length, ...rows.map((row) => row[index]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${columns.map(({ isText }, index) => pad(cells[index] ?? "", widths[index] ?? 0, isText === true)).join(" | ")} |`;
  const rule = columns.map(({ isText }, index) => (isText ? "-".repeat(widths[index] ?? 3) : `${"-".repeat((widths[index] ?? 3) - 1)}:`));
  return [line(columns.map(({ title }) => title)), `| ${rule.join(" | ")} |`, ...rows.map(line)];
}

function pad(text: string, width: number, isText: boolean): string {
  return isText ? text.padEnd(width) : text.padStart(width);
}

/** Columns of text, then columns of figures. */
export function columnsOf(texts: readonly string[], figures: readonly string[]): MarkdownColumn[] {
  return [...texts.map((title) => ({ title, isText: true })), ...figures.map((title) => ({ title }))];
}
