/** A stretch of a text, such as one cell of a table without the blanks and quotes around it. */
export interface Cell {
  readonly start: number;
  readonly end: number;
}

/** A table whose first line names its columns. */
export interface Table {
  readonly start: number;
  /** First unit past its rows, which are read when a column is asked for. */
  readonly end: number;
  readonly heading: readonly Cell[];
  /** The cells of one column, without the heading and empty ones. */
  column(index: number): Cell[];
}

/** Longer lines are no rows of a table. */
const lineMax = 2000;
/** Cells of a heading are names: no signs of code, no sentences. */
const headingCell = /^[\p{L}\p{M}\p{N} _.()#/*'’-]{1,40}$/u;
const rule = /^[\s|:=+-]{3,2000}$/;
/** No heading has such signs; most lines with a label have a colon. */
const notHeading = /[:={}<>?!$%&@]/;
/** `login(user, password)`: a line of code. */
const code = /[A-Za-z0-9_]\(/;
const delimiters = ["|", "\t", ";", ","];

/**
 * Reads the table whose heading is a line: comma-separated values (RFC 4180, quotes too), tabs, semicolons, and
 * tables of markdown. It ends where a line has another number of cells. `undefined` when the line is no heading.
 */
export function readTable(text: string, { start, end }: Cell): Table | undefined {
  if (end - start > lineMax || end >= text.length) return undefined;
  const line = text.slice(start, end);
  if (notHeading.test(line)) return undefined;
  const delimiter = delimiters.find((unit) => line.includes(unit));
  if (delimiter === undefined) return undefined;
  const heading = split(text, start, end, delimiter);
  if (heading.length < 2 || !heading.every((cell) => cell.start === cell.end || headingCell.test(text.slice(cell.start, cell.end))))
    return undefined;
  let read: Rows | undefined;
  const rows = (): Rows => (read ??= readRows(text, end + 1, { delimiter, count: heading.length }));
  return {
    heading,
    start,
    get end() {
      return read?.end ?? end;
    },
    column(index) {
      const cells: Cell[] = [];
      for (const row of rows().cells) {
        const cell = row[index];
        if (cell !== undefined && cell.end > cell.start) cells.push(cell);
      }
      return cells;
    },
  };
}

interface Rows {
  readonly cells: Cell[][];
  readonly end: number;
}

function readRows(text: string, from: number, { delimiter, count }: { delimiter: string; count: number }): Rows {
  const rows: Cell[][] = [];
  let at = from;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    if (end - at > lineMax) break;
    if (!rule.test(text.slice(at, end))) {
      const cells = split(text, at, end, delimiter);
      if (cells.length !== count || code.test(text.slice(cells[0]?.start, cells[0]?.end))) break;
      rows.push(cells);
    }
    at = end + 1;
  }
  return { cells: rows, end: at };
}

function split(text: string, start: number, end: number, delimiter: string): Cell[] {
  const cells: Cell[] = [];
  let from = start;
  let isQuoted = false;
  for (let at = start; at <= end; at++) {
    const unit = text.charAt(at);
    if (unit === '"' && delimiter !== "|") isQuoted = !isQuoted;
    if (at < end && (unit !== delimiter || isQuoted)) continue;
    cells.push(trimmed(text, from, at));
    from = at + 1;
  }
  return cells;
}

const around = new Set(" \t\r\"'`*");

function trimmed(text: string, start: number, end: number): Cell {
  let first = start;
  let last = end;
  while (first < last && around.has(text.charAt(first))) first++;
  while (last > first && around.has(text.charAt(last - 1))) last--;
  return { start: first, end: last };
}
