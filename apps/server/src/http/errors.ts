import { Buffer } from "node:buffer";
import { type ErrorBody, type ErrorCode, limits, statusOfError } from "@periscope/schemas";
import { TRPCError } from "@trpc/server";
import type { Response } from "express";
import { firstOf, toDetails } from "../contexts/issues.js";
import { badRequest, DomainError, unavailable } from "../domain-error.js";
import { stateOf } from "./request-log.js";

/** Answers with JSON; without a body when it is undefined. */
export function sendJson(res: Response, status: number, body: unknown): void {
  res.statusCode = status;
  if (body === undefined) {
    res.end();
    return;
  }
  const text = JSON.stringify(body);
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  res.setHeader("Content-Length", Buffer.byteLength(text));
  res.setHeader("Cache-Control", "no-store");
  res.end(text);
}

/** The one place where errors become HTTP. An unexpected error is logged and says nothing of itself to the client. */
export function sendError(res: Response, thrown: unknown): void {
  const state = stateOf(res);
  const error = toDomainError(thrown);
  const { details, maxBytes, allow, retryAfterSeconds } = error.extra;
  if (error.cause !== undefined) state.failure = error.cause;
  if (statusOfError[error.code] >= 500) {
    const reason = knownReason(error.cause) ?? (error.code === "unavailable" ? error.message : undefined);
    if (reason !== undefined) state.reason = reason;
  }
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (error.code === "unauthorized") res.setHeader("WWW-Authenticate", "Bearer");
  if (allow) res.setHeader("Allow", allow.join(", "));
  if (retryAfterSeconds !== undefined) res.setHeader("Retry-After", String(retryAfterSeconds));
  const body: ErrorBody = {
    error: error.code,
    message: error.message,
    ...(details && { details: [...details] }),
    requestId: state.requestId,
    ...(maxBytes !== undefined && { maxBytes }),
  };
  sendJson(res, statusOfError[error.code], body);
}

/** The domain error for anything thrown while a request is served; an unexpected error becomes its `cause`. */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof TRPCError) {
    const { cause } = thrown;
    if (cause instanceof DomainError) return cause;
    if (thrown.code === "BAD_REQUEST" && hasIssues(cause)) {
      const details = toDetails(cause.issues);
      return badRequest(firstOf(details), details);
    }
    return internal(cause ?? thrown);
  }
  if (thrown instanceof URIError) return badRequest("The path is not valid percent-encoded UTF-8.");
  return fromBodyParser(thrown) ?? internal(thrown);
}

/** The answer to every request once shutting down has begun. */
export const shuttingDown = unavailable("The server is shutting down. Retry after the time in Retry-After.", 5);

function internal(cause: unknown): DomainError {
  const shortage = shortageOf(cause);
  if (shortage !== undefined) return unavailable(`${shortage} Nothing was stored. Retry after the time in Retry-After.`, 30, cause);
  return new DomainError("internal_error", "Unexpected server error. Retry with exponential backoff.", { cause });
}

type WithIssues = { issues: Parameters<typeof toDetails>[0] };

function hasIssues(cause: unknown): cause is WithIssues {
  return typeof cause === "object" && cause !== null && "issues" in cause && Array.isArray(cause.issues);
}

const bodyErrors: Readonly<Record<string, { code: ErrorCode; message: string; maxBytes?: number }>> = {
  "entity.too.large": {
    code: "payload_too_large",
    message: `The body is larger than ${limits.bodyBytesMax} bytes after decoding. Send less at a time.`,
    maxBytes: limits.bodyBytesMax,
  },
  "charset.unsupported": { code: "unsupported_media_type", message: "This charset is not supported. Send JSON in UTF-8." },
  "request.aborted": { code: "bad_request", message: "body: ended before its Content-Length." },
  "request.size.invalid": { code: "bad_request", message: "body: its length differs from Content-Length." },
};

/** Codes of zlib that say that the bytes are wrong, rather than that the server could not decode them. */
const wrongBytes = /^(?:Z_DATA_ERROR|Z_BUF_ERROR|Z_NEED_DICT|ERR_BROTLI_DECODER_ERROR_(?:FORMAT|UNREACHABLE)\w*|ERR__ERROR_FORMAT\w*)$/;

/** What the body parser says is the client's fault. It labels every failure 400, also those of the server, so the cause decides. */
function fromBodyParser(thrown: unknown): DomainError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { type, code } = thrown as { type?: unknown; code?: unknown };
  if (type === "entity.parse.failed") return thrown instanceof SyntaxError ? badRequest("body: is not valid JSON.") : undefined;
  if (typeof type === "string" && Object.hasOwn(bodyErrors, type)) {
    const known = bodyErrors[type];
    return known && new DomainError(known.code, known.message, known.maxBytes === undefined ? {} : { maxBytes: known.maxBytes });
  }
  if (typeof code === "string" && wrongBytes.test(code)) return badRequest("body: could not be decoded. Check Content-Encoding.");
  return undefined;
}

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
function shortageOf(error: unknown): string | undefined {
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
