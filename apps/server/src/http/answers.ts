import { type ErrorBody, ErrorCode, statusOfError } from "@periscope/schemas";
import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import type { Response } from "express";
import { invalidRequest } from "../contexts/issues.js";
import { badRequest, DomainError, internalError, unavailable } from "../domain-error.js";
import { findFault, toUnavailable } from "../storage/faults.js";
import { holdAnswer } from "./bounds.js";
import { discardBody } from "./input.js";
import { type RequestState, stateOf } from "./request-log.js";

/** Answers with JSON; without a body when it is undefined. A success throws when the bounds leave no room for it. */
export function sendJson(res: Response, status: number, body: unknown): void {
  const text = body === undefined ? "" : JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  if (status < 400) holdAnswer(res, bytes);
  res.statusCode = status;
  if (body === undefined) {
    res.end();
    return;
  }
  res.setHeader("Content-Type", "application/json; charset=utf-8");
  res.setHeader("Content-Length", bytes);
  res.setHeader("Cache-Control", "no-store");
  res.end(text);
}

/** The one place where errors become HTTP. An unexpected error is logged and says nothing of itself to the client. */
export function sendError(res: Response, thrown: unknown): void {
  const state = stateOf(res);
  const error = toDomainError(thrown);
  const { details, maxBytes, allow, challenge, retryAfterSeconds } = error.extra;
  noteFailure(state, error);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (res.req.headers["transfer-encoding"] !== undefined && res.req.readableFlowing === null) discardBody(res.req);
  if (error.code === "unauthorized") res.setHeader("WWW-Authenticate", challenge === undefined ? "Bearer" : `Bearer ${challenge}`);
  if (error.code === "upgrade_required") res.setHeader("Upgrade", "websocket");
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

/** Puts what went wrong in the server into the request's line in the log; nothing for what the client did. */
export function noteFailure(state: RequestState, error: DomainError): void {
  if (error.cause !== undefined) state.failure = error.cause;
  if (statusOfError[error.code] < 500) return;
  const reason = findFault(error.cause)?.what ?? (error.code === "unavailable" ? error.message : undefined);
  if (reason !== undefined) state.reason = reason;
}

/** The domain error for anything thrown while a request is served; an unexpected error becomes its `cause`. */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof TRPCError) {
    const { cause } = thrown;
    if (cause instanceof DomainError) return cause;
    if (thrown.code === "BAD_REQUEST" && hasIssues(cause)) return invalidRequest(cause.issues);
    // What tRPC itself refuses: a page of an older version may ask for what is gone.
    const code = codeOfStatus(getHTTPStatusCodeFromError(thrown));
    if (code === "payload_too_large") return new DomainError(code, "The request is too large. Send less at once.");
    if (code !== "internal_error") return new DomainError(code, "The server does not know this request. Reload the page, then try again.");
    return internal(cause ?? thrown);
  }
  if (thrown instanceof URIError) return badRequest("The path is not valid percent-encoded UTF-8.");
  return internal(thrown);
}

/** The answer to every request once shutting down has begun. */
export const shuttingDown = unavailable("The server is shutting down. Retry after the time in Retry-After.", 5);

/** The code that fits best to a status of a library. */
export function codeOfStatus(status: number): ErrorCode {
  const fallback = status < 500 ? "bad_request" : "internal_error";
  return ErrorCode.options.find((code) => statusOfError[code] === status) ?? fallback;
}

function internal(cause: unknown): DomainError {
  const fault = findFault(cause);
  if (fault?.isShortage) return toUnavailable(fault, cause);
  return internalError(cause);
}

type WithIssues = { issues: Parameters<typeof invalidRequest>[0] };

function hasIssues(cause: unknown): cause is WithIssues {
  return typeof cause === "object" && cause !== null && "issues" in cause && Array.isArray(cause.issues);
}
