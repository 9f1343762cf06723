import type { ErrorCode, ErrorDetail } from "@periscope/schemas";
import type { BoundName } from "./metrics/metrics.js";

/** An expected failure, in words meant for the client. Anything else that is thrown is an internal error, whose text stays in the log. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: ErrorCode;
  readonly extra: DomainErrorExtra;

  // No parameter properties: in tests, worker threads run this file with its types stripped.
  constructor(code: ErrorCode, message: string, extra: DomainErrorExtra = {}) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.code = code;
    this.extra = extra;
  }
}

export interface DomainErrorExtra {
  details?: readonly ErrorDetail[] | undefined;
  /** Seconds for the `Retry-After` header. */
  retryAfterSeconds?: number;
  /** Parameters of the `WWW-Authenticate` header. */
  challenge?: string;
  /** Methods for the `Allow` header. */
  allow?: readonly string[];
  maxBytes?: number;
  /** The bound on what clients may occupy that was passed, for the metrics. */
  bound?: BoundName | undefined;
  /** For the log only. */
  cause?: unknown;
}

/** The request is wrong; `details` name the fields. */
export const badRequest = (message: string, details?: readonly ErrorDetail[]): DomainError =>
  new DomainError("bad_request", message, { details });

/** A parameter is wrong: the message and the detail name it. */
export const badParameter = (path: string, message: string): DomainError => badRequest(`${path}: ${message}`, [{ path, message }]);

export const notFound = (message: string): DomainError => new DomainError("not_found", message);

/** The request carries no key that is valid now; `hasKey` when it carries one. */
export const unauthorized = (hasKey = true): DomainError =>
  new DomainError(
    "unauthorized",
    hasKey
      ? "The API key was not accepted: it is wrong, expired or revoked. Make another one on the portal's page Keys, or with `periscope keys create`."
      : "An API key is required. Send it as Authorization: Bearer <key>.",
  );

/** The same at `/mcp`, where a host can get access by itself. @param metadata address of the protected resource's metadata */
export const unauthorizedAgent = (hasKey: boolean, metadata: string): DomainError =>
  new DomainError(
    "unauthorized",
    `${hasKey ? "The access token or API key was not accepted: it is wrong, expired or revoked." : "Access to this server needs a sign-in or an API key."} ` +
      "In your MCP host, add this server by its address only, and sign in when it asks. Or send an API key, made on the portal's page Keys, as Authorization: Bearer <key>.",
    { challenge: `resource_metadata="${metadata}"${hasKey ? ', error="invalid_token"' : ""}` },
  );

export const unauthorizedTicket = (): DomainError =>
  new DomainError("unauthorized", "The ticket was not accepted: it is wrong, used or expired. Get a new one with POST /live/tickets.");

export const methodNotAllowed = (path: string, allow: readonly string[]): DomainError =>
  new DomainError("method_not_allowed", `${path} allows ${allow.join(", ")} only.`, { allow });

/** The path is a WebSocket, or a stream of events, and the request asks for neither. */
export const upgradeRequired = (
  message = "This is a WebSocket. Connect with the subprotocol periscope.v1, or send Accept: text/event-stream.",
): DomainError => new DomainError("upgrade_required", message);

export const conflict = (message: string): DomainError => new DomainError("conflict", message);

export const payloadTooLarge = (message: string, maxBytes: number, bound?: BoundName): DomainError =>
  new DomainError("payload_too_large", message, { maxBytes, bound });

export const rateLimited = (message: string, retryAfterSeconds: number, bound?: BoundName): DomainError =>
  new DomainError("rate_limited", message, { retryAfterSeconds, bound });

export const forbidden = (message: string): DomainError => new DomainError("forbidden", message);

/** The service cannot answer for now: it shuts down, its database is gone, or a search ran out of time. */
export const unavailable = (message: string, retryAfterSeconds: number, cause?: unknown): DomainError =>
  new DomainError("unavailable", message, { retryAfterSeconds, cause });

/** Something unexpected: clients learn nothing of the cause. */
export const internalError = (cause: unknown): DomainError =>
  new DomainError("internal_error", "Unexpected server error. Retry with exponential backoff.", { cause });

/** Too much of one user, or of one address without a key, waits for its turn. */
export const tooManyWait = (): DomainError =>
  new DomainError("unavailable", "Too many of your requests wait for their turn. Send fewer at once, or in one batch.", {
    retryAfterSeconds: 1,
    bound: "waiting",
  });

/** The turn of a request did not come in time. */
export const waitedTooLong = (): DomainError =>
  new DomainError("unavailable", "The server is busy: this request waited too long for its turn. Try again in a moment.", {
    retryAfterSeconds: 1,
    bound: "waiting",
  });
