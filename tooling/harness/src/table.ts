/** Lines of a table: cells that look like figures are aligned right. The first row is the header. */
export function renderTable([header = [], ...rows]: ReadonlyArray<ReadonlyArray<string | number>>): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => String(row[column] ?? "").length)));
  const isFigure = header.map((_, column) => rows.every((row) => /^[-+–≥]?\d|^$|^–$/.test(String(row[column] ?? ""))));
  const line = (row: ReadonlyArray<string | number>) =>
    widths
      .map((width, column) =>
        isFigure[column] === true ? String(row[column] ?? "").padStart(width) : String(row[column] ?? "").padEnd(width),
      )
      .join("  ")
      .trimEnd();
  return [line(header), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

/** A number with separators, and with digits after the point where it is small. */
export function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
