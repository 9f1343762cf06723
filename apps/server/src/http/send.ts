import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";
import { unavailable } from "../domain-error.js";
import { type ErrorReply, toDomainError, toErrorReply } from "./error-reply.js";
import type { RequestState } from "./request-state.js";

/** Answers with JSON, or with no body at all when it is undefined. */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
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

/** Answers with an error, and keeps the cause of an unexpected one for the log. */
export function sendError(res: ServerResponse, state: RequestState, thrown: unknown): void {
  const error = toDomainError(thrown);
  if (error.cause !== undefined) state.failure = error.cause;
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const reply: ErrorReply = toErrorReply(error, state.requestId);
  for (const [name, value] of Object.entries(reply.headers)) res.setHeader(name, value);
  sendJson(res, reply.status, reply.body);
}

/** The answer to every request once shutting down has begun. */
export const shuttingDown = unavailable("The server is shutting down; retry after the time in Retry-After.", 5);
