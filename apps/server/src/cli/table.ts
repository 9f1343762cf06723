/** Rows as aligned columns under their headings, one line each, ending in a line break. */
export function table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** A time as it is printed: RFC 3339 in UTC to the second, or a word when there is none. */
export function time(at: number | null, none: string): string {
  return at === null ? none : new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** A time as JSON carries it. */
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
