import { type DomainError, unavailable } from "../../domain-error.js";

/** What a SQLSTATE says about the database, whatever was asked of it. The first that fits counts. */
const causes: ReadonlyArray<readonly [states: RegExp, message: string]> = [
  [/^53100$/, "The database server's disk is full. Free some room there, then try again."],
  [/^25006$/, "The database server is read-only and accepts no writes. Try again when it does."],
  [/^53300$/, "The database server has no connection left. Try again in a moment."],
  // Connection trouble (08), no room or memory (53), shutting down or starting (57P), a timeout of ours (57014, 55P03, 25P03), failing
  // disks (58, XX001, XX002), and conflicts that were tried again in vain (40001, 40P01).
  [/^(?:08...|53...|57P..|57014|55P03|25P03|58...|XX001|XX002|40001|40P01)$/, "The database does not answer. Try again in a moment."],
];

const socketCodes = /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;

/** The driver has no codes for these. */
const driverMessages =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** Prisma's own codes and kinds for a connection that could not be had or broke, a transaction that could not start or end, and a conflict. */
const prismaCodes = /^P(?:1001|1002|1008|1017|2024|2028|2034|2037)$/;
const adapterKinds = /^(?:DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TransactionWriteConflict)$/;

const retryAfterSeconds = 5;

/** `unavailable`, with the cause, when this was thrown because the database cannot be read or written; undefined for any other failure. */
export function databaseGone(error: unknown): DomainError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = next(cause), depth++) {
    const code = stateOf(cause) ?? "";
    const message = causes.find(([states]) => states.test(code))?.[1];
    if (message !== undefined) return unavailable(message, retryAfterSeconds, error);
    if (driverMessages.test(cause.message) || socketCodes.test(code) || prismaCodes.test(code) || adapterKinds.test(kindOf(cause)))
      return unavailable("The connection to the database is lost. Try again in a moment.", retryAfterSeconds, error);
  }
  return undefined;
}

/** What a server that became a standby is answered with. */
export const readOnly = (): DomainError => unavailable(causes[1]?.[1] ?? "", retryAfterSeconds);

/** Whether a transaction lost against another one, and may be run again. */
export function isConflict(error: unknown): boolean {
  const code = stateOf(error);
  return code === "40001" || code === "40P01" || code === "P2034";
}

/** Whether a row was there already. */
export function isDuplicate(error: unknown): boolean {
  const code = stateOf(error);
  return code === "23505" || code === "P2002";
}

/** Whether the statement was cancelled, by its timeout or by an operator. */
export function isCancelled(error: unknown): boolean {
  return stateOf(error) === "57014";
}

interface WrappedError extends Error {
  code?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: Error & { cause?: { originalCode?: unknown } } };
}

/** The database's or the system's code, of the driver's own error or of one that Prisma and its adapter have wrapped. */
function stateOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { meta, cause, code } = error as WrappedError;
  const original = (given: unknown) =>
    typeof given === "object" && given !== null && "originalCode" in given ? given.originalCode : undefined;
  const found = original(meta?.driverAdapterError?.cause) ?? original(cause) ?? code;
  return typeof found === "string" ? found : undefined;
}

function kindOf(error: Error): string {
  const { meta, cause } = error as WrappedError;
  const mapped: unknown = meta?.driverAdapterError?.cause ?? cause;
  return typeof mapped === "object" && mapped !== null && "kind" in mapped ? String(mapped.kind) : "";
}

function next(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause;
}
