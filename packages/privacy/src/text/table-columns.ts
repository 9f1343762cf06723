import type { Hits } from "./scan.js";

/** One cell of a table, without the blanks and quotes around it. */
export interface Cell {
  readonly start: number;
  readonly end: number;
}

/** Longer lines are no rows of a table. */
const lineMax = 2000;
/** Cells of a heading are names: no signs of code, no sentences. */
const headingCell = /^[\p{L}\p{N} _.()#/*-]{1,40}$/u;
const rule = /^[\s|:=+-]{3,2000}$/;
/** No heading has such signs; most lines with a label have a colon. */
const notHeading = /[:={}<>?!$%&@]/;
/** `login(user, password)`: a line of code. */
const code = /[A-Za-z0-9_]\(/;
const delimiters = ["|", "\t", ";", ","];

/**
 * Finds tables whose heading names a column that `columnOf` knows, and gives the cells of those columns, row by row: comma-separated values
 * (RFC 4180, quotes too), tabs, semicolons, and tables of markdown. A table ends where a line has another number of cells.
 * Every line is read a constant number of times.
 */
export function tableColumns<TColumn>(
  text: string,
  { starts }: Hits,
  columnOf: (heading: string) => TColumn | undefined,
  found: (cell: Cell, column: TColumn) => void,
): void {
  let lineStart = 0;
  let lineEnd = -1;
  let done = 0;
  for (const at of starts) {
    if (at <= lineEnd || at < done) continue;
    lineStart = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
    lineEnd = endOfLine(text, at);
    if (lineEnd - lineStart > lineMax || lineEnd >= text.length) continue;
    const heading = headingAt(text, lineStart, lineEnd, columnOf);
    if (heading !== undefined) done = rows(text, lineEnd + 1, heading, found);
  }
}

interface Heading<TColumn> {
  readonly delimiter: string;
  readonly count: number;
  readonly columns: ReadonlyMap<number, TColumn>;
}

function headingAt<TColumn>(
  text: string,
  start: number,
  end: number,
  columnOf: (heading: string) => TColumn | undefined,
): Heading<TColumn> | undefined {
  const line = text.slice(start, end);
  if (notHeading.test(line)) return undefined;
  const delimiter = delimiters.find((unit) => line.includes(unit));
  if (delimiter === undefined) return undefined;
  const cells = split(text, start, end, delimiter);
  const names = cells.map((cell) => text.slice(cell.start, cell.end));
  if (cells.length < 2 || !names.every((name) => name === "" || headingCell.test(name))) return undefined;
  const columns = new Map<number, TColumn>();
  names.forEach((name, index) => {
    const column = columnOf(name.toLowerCase().replaceAll(/[_*]/g, " ").trim());
    if (column !== undefined) columns.set(index, column);
  });
  return columns.size === 0 ? undefined : { delimiter, count: cells.length, columns };
}

function rows<TColumn>(text: string, from: number, heading: Heading<TColumn>, found: (cell: Cell, column: TColumn) => void): number {
  let at = from;
  while (at < text.length) {
    const end = endOfLine(text, at);
    if (end - at > lineMax) break;
    if (!rule.test(text.slice(at, end))) {
      const cells = split(text, at, end, heading.delimiter);
      if (cells.length !== heading.count || code.test(text.slice(cells[0]?.start, cells[0]?.end))) break;
      for (const [index, column] of heading.columns) {
        const cell = cells[index];
        if (cell !== undefined && cell.end > cell.start) found(cell, column);
      }
    }
    at = end + 1;
  }
  return at;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
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

const around = new Set(" \t\r\"'`");

function trimmed(text: string, start: number, end: number): Cell {
  let first = start;
  let last = end;
  while (first < last && around.has(text.charAt(first))) first++;
  while (last > first && around.has(text.charAt(last - 1))) last--;
  return { start: first, end: last };
}
