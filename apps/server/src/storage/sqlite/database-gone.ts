import { type DomainError, unavailable } from "../../domain-error.js";

/**
 * Families of SQLite's codes that say that the database itself cannot be had: missing, damaged, locked, or on a disk that fails.
 * A full disk and whatever one statement does wrong are not among them.
 */
const families = /^SQLITE_(?:BUSY|CANTOPEN|CORRUPT|IOERR|NOTADB|READONLY_DBMOVED)(?:_|$)/;

/** `unavailable`, when this was thrown because the database cannot be had; undefined for any other failure. */
export function databaseGone(error: unknown): DomainError | undefined {
  const code = codeOf(error);
  if (code === undefined || !families.test(code)) return undefined;
  return unavailable("The database does not answer; try again in a moment.", 5, error);
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
