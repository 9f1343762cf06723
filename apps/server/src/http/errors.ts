import { Buffer } from "node:buffer";
import { type ErrorBody, limits, statusOfError } from "@periscope/schemas";
import { TRPCError } from "@trpc/server";
import type { Response } from "express";
import { invalidRequest } from "../contexts/issues.js";
import { badRequest, DomainError, unavailable } from "../domain-error.js";
import { findFault, toUnavailable } from "../storage/faults.js";
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
    const reason = findFault(error.cause)?.what ?? (error.code === "unavailable" ? error.message : undefined);
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
    if (thrown.code === "BAD_REQUEST" && hasIssues(cause)) return invalidRequest(cause.issues);
    return internal(cause ?? thrown);
  }
  if (thrown instanceof URIError) return badRequest("The path is not valid percent-encoded UTF-8.");
  return fromBodyParser(thrown) ?? internal(thrown);
}

/** The answer to every request once shutting down has begun. */
export const shuttingDown = unavailable("The server is shutting down. Retry after the time in Retry-After.", 5);

function internal(cause: unknown): DomainError {
  const fault = findFault(cause);
  if (fault?.isShortage) return toUnavailable(fault, cause);
  return new DomainError("internal_error", "Unexpected server error. Retry with exponential backoff.", { cause });
}

type WithIssues = { issues: Parameters<typeof invalidRequest>[0] };

function hasIssues(cause: unknown): cause is WithIssues {
  return typeof cause === "object" && cause !== null && "issues" in cause && Array.isArray(cause.issues);
}

/** What the body parser says, by the type of its error. */
const bodyErrors = new Map<unknown, DomainError>([
  [
    "entity.too.large",
    new DomainError("payload_too_large", `The body is larger than ${limits.bodyBytesMax} bytes after decoding. Send less at a time.`, {
      maxBytes: limits.bodyBytesMax,
    }),
  ],
  ["charset.unsupported", new DomainError("unsupported_media_type", "This charset is not supported. Send JSON in UTF-8.")],
  ["request.aborted", badRequest("body: ended before its Content-Length.")],
  ["request.size.invalid", badRequest("body: its length differs from Content-Length.")],
]);

/** Codes of zlib that say that the bytes are wrong, rather than that the server could not decode them. */
const wrongBytes = /^(?:Z_DATA_ERROR|Z_BUF_ERROR|Z_NEED_DICT|ERR_BROTLI_DECODER_ERROR_(?:FORMAT|UNREACHABLE)\w*|ERR__ERROR_FORMAT\w*)$/;

/** What the body parser says is the client's fault. It labels every failure 400, also those of the server, so the cause decides. */
function fromBodyParser(thrown: unknown): DomainError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { type, code } = thrown as { type?: unknown; code?: unknown };
  if (type === "entity.parse.failed") return thrown instanceof SyntaxError ? badRequest("body: is not valid JSON.") : undefined;
  if (typeof code === "string" && wrongBytes.test(code)) return badRequest("body: could not be decoded. Check Content-Encoding.");
  return bodyErrors.get(type);
}
