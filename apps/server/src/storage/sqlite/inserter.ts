import type { Database } from "better-sqlite3";

// Rows that one statement takes, largest first: FTS5 flushes its index once a statement.
const rowsPerStatement = [50, 10, 1];

/** Inserts rows by as few statements as can be kept prepared. */
export function inserter<T>(connection: Database, table: string, columns: ReadonlyArray<keyof T & string>): (rows: readonly T[]) => void {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const row = `(${columns.map(() => "?").join(", ")})`;
  const statements = rowsPerStatement.map((count) => ({
    count,
    statement: connection.prepare(`INSERT INTO "${table}" (${names}) VALUES ${Array<string>(count).fill(row).join(", ")}`),
  }));
  return (rows) => {
    let next = 0;
    for (const { count, statement } of statements) {
      for (; rows.length - next >= count; next += count)
        statement.run(rows.slice(next, next + count).flatMap((values) => columns.map((column) => stored(values[column]))));
    }
  };
}

// Times are stored as milliseconds, as the adapter writes them.
function stored(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}
