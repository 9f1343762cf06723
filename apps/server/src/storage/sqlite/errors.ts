import { type DomainError, unavailable } from "../../domain-error.js";

export const diskFull = "The server's disk is full. Free some space on it, then try again.";

/** Families of SQLite's codes that say that the database itself cannot be used, whatever was asked, and what to tell the client. */
const causes: ReadonlyArray<readonly [RegExp, string]> = [
  [/^SQLITE_FULL/, diskFull],
  [/^SQLITE_(?:READONLY_DBMOVED|CANTOPEN)/, "The server's database file is gone. Restart the server, or restore the file."],
  [/^SQLITE_READONLY/, "The server's database is read-only. Make its file and folder writable for the server."],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, "The server's database is damaged. Restore it from a backup."],
  [/^SQLITE_IOERR/, "The server's disk fails. Look into the server's log."],
  [/^SQLITE_BUSY/, "Another program keeps the server's database locked; try again in a moment."],
];

/** `unavailable` with the cause in words, when this was thrown because the database cannot be used; undefined for any other failure. */
export function explainSqliteError(error: unknown): DomainError | undefined {
  const code = codeOf(error);
  const cause = code === undefined ? undefined : causes.find(([pattern]) => pattern.test(code));
  return cause && unavailable(cause[1], 5, error);
}

/** Whether another connection has the lock that was wanted. */
export function isBusy(error: unknown): boolean {
  return codeOf(error)?.startsWith("SQLITE_BUSY") === true;
}

/** SQLite's code, of the driver's own error or of one that Prisma and its adapter have wrapped. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { meta, cause, code } = error as WrappedError;
  const found = meta?.driverAdapterError?.cause?.originalCode ?? cause?.originalCode ?? code;
  return typeof found === "string" ? found : undefined;
}

interface WrappedError extends Error {
  code?: unknown;
  cause?: { originalCode?: unknown } | null;
  meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } };
}
