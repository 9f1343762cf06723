import { fit, widthOf } from "./text-width.ts";

/** Columns between two cells. */
const gap = 2;

/** A column of a table. */
export interface Column {
  title: string;
  align?: "left" | "right";
  /** Gives way when the table is too wide, never below `minimum` columns. */
  minimum?: number;
}

/**
 * Lines of a table at most `width` columns wide, its header first and a rule below it.
 * A cell may have several lines, parted by `\n`; a line that does not fit is cut with `…`.
 */
export function renderTable(columns: readonly Column[], rows: ReadonlyArray<readonly string[]>, width = 100): string[] {
  const widths = widthsOf(columns, rows, width);
  const line = (cells: readonly string[]) =>
    columns
      .map((column, index) => cell(cells[index] ?? "", widths[index] ?? 0, column))
      .join(" ".repeat(gap))
      .trimEnd();
  const header = line(columns.map(({ title }) => title));
  const rule = widths.map((columnWidth) => "─".repeat(columnWidth)).join(" ".repeat(gap));
  return [header, rule, ...rows.flatMap((row) => linesOf(row).map(line))];
}

/** The lines of a row, each with a cell per column. */
function linesOf(row: readonly string[]): string[][] {
  const cells = row.map((text) => text.split("\n"));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) => cells.map((lines) => lines[index] ?? ""));
}

function cell(text: string, width: number, { align = "left" }: Column): string {
  const shown = fit(text, width);
  const blank = " ".repeat(Math.max(0, width - widthOf(shown)));
  return align === "right" ? blank + shown : shown + blank;
}

/** Widest line of each column; those that give way share what is too much, the widest first. */
function widthsOf(columns: readonly Column[], rows: ReadonlyArray<readonly string[]>, width: number): number[] {
  const widths = columns.map(({ title }, index) => {
    const lines = rows.flatMap((row) => (row[index] ?? "").split("\n"));
    return Math.max(widthOf(title), ...lines.map(widthOf));
  });
  let excess = widths.reduce((sum, columnWidth) => sum + columnWidth, gap * (columns.length - 1)) - width;
  for (; excess > 0; excess -= 1) {
    const widest = widestFlexible(columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function widestFlexible(columns: readonly Column[], widths: readonly number[]): number | undefined {
  let widest: number | undefined;
  for (const [index, { minimum }] of columns.entries()) {
    const columnWidth = widths[index] ?? 0;
    if (minimum === undefined || columnWidth <= minimum) continue;
    if (widest === undefined || columnWidth > (widths[widest] ?? 0)) widest = index;
  }
  return widest;
}
