import { type DomainError, unavailable } from "../../domain-error.js";

/**
 * SQLSTATEs that say that the database cannot be had for now, whatever was asked: connection trouble (08), no room, memory or connections
 * (53), shutting down or starting (57P), a timeout of ours (57014, 55P03, 25P03), a server that became a replica (25006), failing
 * disks (58, XX001, XX002), and conflicts that were tried again in vain (40001, 40P01).
 */
const goneStates = /^(?:08...|53...|57P..|57014|55P03|25P03|25006|58...|XX001|XX002|40001|40P01)$/;

const socketCodes = /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;

/** What the driver says in words only: it has no codes for these. */
const driverWords =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** Prisma's own codes for a connection that could not be had or broke, a transaction that could not start or ended, and a conflict. */
const prismaCodes = /^P(?:1001|1002|1008|1017|2024|2028|2034|2037)$/;
const adapterKinds = /^(?:DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|TransactionWriteConflict)$/;

/** `unavailable`, when this was thrown because the database cannot be had; undefined for any other failure. */
export function databaseGone(error: unknown): DomainError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = next(cause), depth++) {
    const code = stateOf(cause);
    const isGone =
      driverWords.test(cause.message) ||
      (code !== undefined && (goneStates.test(code) || socketCodes.test(code) || prismaCodes.test(code))) ||
      adapterKinds.test(kindOf(cause));
    if (isGone) return unavailable("The database does not answer; try again in a moment.", 5, error);
  }
  return undefined;
}

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
  if (error instanceof AggregateError) return error.errors[0];
  return error.cause;
}
