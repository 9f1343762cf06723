import type { ErrorCode } from "@periscope/schemas";
import { type ErrorDetails, PeriscopeError } from "./periscope-error.js";

/** A code of the service, or `http_<status>` when something before it answered, such as a proxy. */
export type ApiErrorCode = ErrorCode | `http_${number}` | (string & {});

/** What an answer with an error is made of. */
export interface ApiErrorDetails extends ErrorDetails {
  status: number;
  code: ApiErrorCode;
  body: unknown;
}

/**
 * The service, or a proxy before it, answered with an error. A class below it says which one.
 *
 * @example
 * if (ApiError.is(error)) console.log(error.status, error.code, error.requestId);
 */
export class ApiError extends PeriscopeError {
  static override readonly kind: string = "ApiError";

  /** Status of the answer. */
  readonly status: number;
  /** The `error` of the answer, such as `not_found`; `http_<status>` when the answer was not the service's. */
  readonly code: ApiErrorCode;
  /** The answer's body: JSON, or the start of its text. Keys in it are blacked out. */
  readonly body: unknown;

  constructor(message: string, { status, code, body, ...details }: ApiErrorDetails) {
    super(message, details);
    this.status = status;
    this.code = code;
    this.body = body;
  }
}

/**
 * 400: the request is wrong; the message names what to change.
 *
 * @example
 * if (BadRequestError.is(error)) console.log(error.message);
 */
export class BadRequestError extends ApiError {
  static override readonly kind: string = "BadRequestError";
  declare readonly name: "BadRequestError";
}

/**
 * 401: the key is missing, unknown, expired or revoked.
 *
 * @example
 * if (AuthenticationError.is(error)) console.log("Ask the operator for a new key.");
 */
export class AuthenticationError extends ApiError {
  static override readonly kind: string = "AuthenticationError";
  declare readonly name: "AuthenticationError";
}

/**
 * 403: the key may not do this, the context is another user's, or the page is one that privacy keeps out (`privacy_rejected`).
 *
 * @example
 * if (PermissionError.is(error) && error.code === "privacy_rejected") return;
 */
export class PermissionError extends ApiError {
  static override readonly kind: string = "PermissionError";
  declare readonly name: "PermissionError";
}

/**
 * 404: there is no such context, or the key may not see it; or `baseUrl` is not the address of the service, which the message says.
 *
 * @example
 * if (NotFoundError.is(error)) return undefined;
 */
export class NotFoundError extends ApiError {
  static override readonly kind: string = "NotFoundError";
  declare readonly name: "NotFoundError";
}

/**
 * 409: the request contradicts what is stored.
 *
 * @example
 * if (ConflictError.is(error)) console.log(error.message);
 */
export class ConflictError extends ApiError {
  static override readonly kind: string = "ConflictError";
  declare readonly name: "ConflictError";
}

/**
 * 413: the message is larger than the service, or a proxy before it, takes.
 *
 * @example
 * if (PayloadTooLargeError.is(error)) console.log("at most", error.maxBytes, "bytes");
 */
export class PayloadTooLargeError extends ApiError {
  static override readonly kind: string = "PayloadTooLargeError";
  declare readonly name: "PayloadTooLargeError";

  /** Bytes that the service takes; null when the answer did not say. */
  readonly maxBytes: number | null;

  constructor(message: string, { maxBytes, ...details }: ApiErrorDetails & { maxBytes: number | null }) {
    super(message, details);
    this.maxBytes = maxBytes;
  }
}

/** What an answer to too many requests is made of. */
export interface RateLimitDetails extends ApiErrorDetails {
  limit: number | null;
  remaining: number | null;
  resetAt: Date | null;
  retryAfterMs: number;
}

/**
 * 429: too many requests, and the budget comes back later than this call may take.
 *
 * @example
 * if (RateLimitError.is(error)) await sleep(error.retryAfterMs);
 */
export class RateLimitError extends ApiError {
  static override readonly kind: string = "RateLimitError";
  declare readonly name: "RateLimitError";

  /** Requests in a window. */
  readonly limit: number | null;
  /** Requests left in it. */
  readonly remaining: number | null;
  /** When the window ends. */
  readonly resetAt: Date | null;
  /** Milliseconds to wait before the next request. */
  readonly retryAfterMs: number;

  constructor(message: string, { limit, remaining, resetAt, retryAfterMs, ...details }: RateLimitDetails) {
    super(message, details);
    this.limit = limit;
    this.remaining = remaining;
    this.resetAt = resetAt;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * 5xx: the service, or a proxy before it, failed.
 *
 * @example
 * if (ServerError.is(error)) console.log("tell the operator:", error.requestId);
 */
export class ServerError extends ApiError {
  static override readonly kind: string = "ServerError";
  declare readonly name: "ServerError";
}
