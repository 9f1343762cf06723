/** Causes that a retry can outlive: something has run out. */
const shortages: ReadonlyArray<[RegExp, string]> = [
  [/^(?:ENOSPC|SQLITE_FULL|53100|EDQUOT)$/, "The disk is full."],
  [/^(?:ENOMEM|ENOBUFS|SQLITE_NOMEM|53200|ERR_MEMORY_ALLOCATION_FAILED|Z_MEM_ERROR)/, "There is no memory left."],
  [/^(?:EMFILE|ENFILE)$/, "The server has no file descriptors left."],
];

/** Other known causes of a failed request. */
const faults: ReadonlyArray<[RegExp, string]> = [
  [/^(?:SQLITE_BUSY|SQLITE_LOCKED|55P03)/, "Another program keeps the database locked."],
  [/^(?:SQLITE_READONLY|EROFS|25006)/, "The database is read-only."],
  [/^(?:SQLITE_CANTOPEN|EACCES|EPERM)/, "The database file is missing, or the server may not open it."],
  [/^(?:SQLITE_CORRUPT|SQLITE_NOTADB|XX001|XX002)/, "The database is damaged."],
  [/^(?:SQLITE_IOERR|58...|EIO$)/, "The disk under the database fails."],
  [/^(?:53300|P2037)$/, "The database has no connections left."],
  [/^57P0[123]$/, "The database server is shutting down or starting."],
  [/^(?:57014|25P03|P2024|P1008)$/, "The database took too long."],
  [
    /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|08...|P1001|P1002|P1017)$/,
    "The database server cannot be reached.",
  ],
  [/^(?:28...|3D000)$/, "The database server refuses the server's user or database name."],
];

/** Why something failed, by the code of Node, SQLite or PostgreSQL, in a sentence for an operator; undefined if the cause is not known. */
export function knownReason(error: unknown): string | undefined {
  return find(error, [...shortages, ...faults]);
}

/** The same for what has run out alone: disk, memory, file descriptors. */
export function shortageOf(error: unknown): string | undefined {
  return find(error, shortages);
}

function find(error: unknown, reasons: typeof faults): string | undefined {
  for (const code of codesOf(error)) {
    const found = reasons.find(([pattern]) => pattern.test(code));
    if (found) return found[1];
  }
  return undefined;
}

interface WrappedError {
  code?: unknown;
  originalCode?: unknown;
  cause?: unknown;
  errors?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/** Codes of an error and of what it wraps: Prisma and its adapters keep the database's own code further inside. */
function* codesOf(error: unknown, depth = 0): Generator<string> {
  if (typeof error !== "object" || error === null || depth > 5) return;
  const { code, originalCode, cause, errors, meta } = error as WrappedError;
  for (const inner of [meta?.driverAdapterError, cause, ...(Array.isArray(errors) ? errors : [])]) yield* codesOf(inner, depth + 1);
  for (const own of [originalCode, code]) if (typeof own === "string") yield own;
}
