import { DomainError, unavailable } from "../domain-error.js";

/** Why something failed that is nobody's defect, in sentences for clients, logs and terminals. */
export interface Fault {
  what: string;
  advice: string;
  /** Something of the machine has run out, whether or not it was for the database. */
  isShortage: boolean;
}

const soon = "Try again in a moment.";

/** By codes of Node, SQLite, PostgreSQL (five characters) and Prisma, kinds of its adapter, and texts of the driver. The first that fits counts. */
const shortages: ReadonlyArray<readonly [codes: RegExp, what: string, advice: string]> = [
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT|53100)$/, "The server's disk is full.", "Free some space, then try again."],
  [/^(?:SQLITE_NOMEM|ENOMEM|ENOBUFS|53200|ERR_MEMORY_ALLOCATION_FAILED|Z_MEM_ERROR)$/, "There is no memory left.", soon],
  [/^(?:EMFILE|ENFILE)$/, "The server has no file descriptors left.", soon],
];

const databaseFaults: typeof shortages = [
  [/^SQLITE_(?:BUSY|LOCKED)/, "Another program keeps the database locked.", "Stop it, or try again in a moment."],
  [/^SQLITE_READONLY_DBMOVED$/, "The database file is gone.", "Move it back, or restore a backup and restart the server."],
  [
    /^WAL_GONE$/,
    "The write-ahead log of the database is gone.",
    "Stop the server without killing it, which saves the log, and start it again.",
  ],
  [/^SQLITE_READONLY_ROLLBACK$/, "A crash left an unfinished change in the database.", "Start the server once; it undoes the change."],
  [/^(?:SQLITE_READONLY|EROFS$)/, "The database is read-only.", "Let the server's user write to its file and folder."],
  [/^25006$/, "The database server is read-only.", "Try again when it accepts writes."],
  [
    /^(?:SQLITE_CANTOPEN|EACCES$|EPERM$)/,
    "The database cannot be opened.",
    "Check that its file and folder exist and can be written, or correct DATABASE_URL or --data-dir.",
  ],
  [/^SQLITE_NOTADB/, "The database file is damaged, or is not a database.", "Restore a backup, or correct DATABASE_URL."],
  [/^(?:SQLITE_CORRUPT|XX00[12]$)/, "The database is damaged.", "Restore a backup, or move the file away to start with an empty database."],
  [/^(?:SQLITE_IOERR|EIO$|58...$)/, "The disk of the database fails.", "Look into the log of the system."],
  [/^(?:53...|P2037|TooManyConnections)$/, "The database server has no connection left.", soon],
  [/^57P..$/, "The database server is shutting down or starting.", soon],
  [/^(?:57014|55P03|25P03|P1008|P2024|P2028|SocketTimeout|timeout expired|Query read timeout)$/, "The database took too long.", soon],
  [/^(?:40001|40P01|P2034|TransactionWriteConflict)$/, "The database could not finish this beside other changes.", soon],
  [
    /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|connect ENOENT.*|08...|P1001|P1002|P1017|DatabaseNotReachable|ConnectionClosed|Connection terminated.*|timeout exceeded when trying to connect|Client has encountered a connection error.*|Client was closed.*|Cannot use a pool after calling end.*)$/,
    "The database server cannot be reached.",
    soon,
  ],
  [/^(?:28...|3D000)$/, "The database server refuses the user or the name of the database.", "Correct DATABASE_URL."],
];

/** The known cause of an error; undefined for a defect. */
export function findFault(error: unknown): Fault | undefined {
  for (const code of codesOf(error)) {
    for (const list of [shortages, databaseFaults]) {
      const [, what, advice] = list.find(([codes]) => codes.test(code)) ?? [];
      if (what !== undefined && advice !== undefined) return { what, advice, isShortage: list === shortages };
    }
  }
  return undefined;
}

export function toUnavailable({ what, advice }: Fault, cause: unknown): DomainError {
  return unavailable(`${what} ${advice}`, 5, cause);
}

/** What an engine adds to the methods of its stores. */
export interface StoreHooks {
  /** Called before a method; throws when the database is of no use. */
  verify?: () => void;
  /** Called with what a method rejects with when the database is at fault. */
  onFault?: (failure: DomainError) => void;
}

/** Wraps stores so that their methods reject with `unavailable` where the database is at fault, whatever was asked of it. */
export function withUnavailableErrors<Stores extends object>(stores: Stores, hooks: StoreHooks = {}): Stores {
  const wrapped = Object.entries(stores).map(([name, each]: [string, object]) => [
    name,
    typeof each === "function" ? withFaultMapping(each as Method, hooks) : withUnavailableErrors(each, hooks),
  ]);
  return Object.fromEntries(wrapped) as Stores;
}

type Method = (...input: unknown[]) => Promise<unknown>;

function withFaultMapping(method: Method, { verify, onFault }: StoreHooks): Method {
  return async (...input) => {
    try {
      verify?.();
      return await method(...input);
    } catch (error) {
      // A domain error says better what is wrong, such as a search that ran out of time.
      const fault = error instanceof DomainError ? undefined : findFault(error);
      if (!fault) throw error;
      const failure = toUnavailable(fault, error);
      onFault?.(failure);
      throw failure;
    }
  };
}

/** Whether an error, or what it wraps, has a code that matches. */
export function hasCode(error: unknown, pattern: RegExp): boolean {
  return codesOf(error).some((code) => pattern.test(code));
}

type WrappedError = Partial<Record<"code" | "originalCode" | "kind" | "message" | "cause" | "errors", unknown>> & {
  meta?: { driverAdapterError?: unknown };
};

/** Codes of an error and of what it wraps: Prisma and its adapters keep the database's own code further inside. */
function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== "object" || error === null || depth > 5) return [];
  const { code, originalCode, kind, message, cause, errors, meta } = error as WrappedError;
  const wrapped = [meta?.driverAdapterError, cause, ...(Array.isArray(errors) ? errors : [])];
  const own = [originalCode, code, kind, message].filter((each) => typeof each === "string");
  return [...wrapped.flatMap((inner) => codesOf(inner, depth + 1)), ...own];
}
