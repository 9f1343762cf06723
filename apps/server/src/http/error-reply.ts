import { TRPCError } from "@trpc/server";
import { type ErrorBody, type ErrorCode, limits, statusOfError } from "@periscope/schemas";
import { firstOf, toDetails } from "../contexts/issues.js";
import { badRequest, DomainError } from "../domain-error.js";

/** An error as it goes out. */
export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
}

/** The one place where errors become HTTP. Whatever is not a `DomainError` says nothing of itself to the client. */
export function toErrorReply(thrown: unknown, requestId: string): ErrorReply {
  const error = toDomainError(thrown);
  const { details, maxBytes, allow, retryAfterSeconds } = error.extra;
  const headers: Record<string, string> = {};
  if (allow) headers["Allow"] = allow.join(", ");
  if (retryAfterSeconds !== undefined) headers["Retry-After"] = String(retryAfterSeconds);
  const body = {
    error: error.code,
    message: error.message,
    ...(details && { details: [...details] }),
    requestId,
    ...(maxBytes !== undefined && { maxBytes }),
  };
  return { status: statusOfError[error.code], headers, body };
}

/** The domain error that stands for anything thrown on the way of a request; an unexpected one is its `cause`. */
export function toDomainError(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof TRPCError) {
    if (thrown.cause instanceof DomainError) return thrown.cause;
    if (thrown.code === "BAD_REQUEST" && hasIssues(thrown.cause)) {
      const details = toDetails(thrown.cause.issues);
      return badRequest(firstOf(details), details);
    }
    return internal(thrown.cause ?? thrown);
  }
  return fromBodyParser(thrown) ?? internal(thrown);
}

function internal(cause: unknown): DomainError {
  return new DomainError("internal_error", "Unexpected server error; retry with exponential backoff.", { cause });
}

type WithIssues = { issues: Parameters<typeof toDetails>[0] };

function hasIssues(cause: unknown): cause is WithIssues {
  return typeof cause === "object" && cause !== null && "issues" in cause && Array.isArray(cause.issues);
}

const bodyErrors: Record<string, { code: ErrorCode; message: string; maxBytes?: number }> = {
  "entity.too.large": {
    code: "payload_too_large",
    message: `The body is larger than ${limits.bodyBytesMax} bytes once decoded; send less at a time.`,
    maxBytes: limits.bodyBytesMax,
  },
  "charset.unsupported": { code: "unsupported_media_type", message: "This charset is not understood; send JSON in UTF-8." },
  "entity.parse.failed": { code: "bad_request", message: "body: is not valid JSON." },
  "request.aborted": { code: "bad_request", message: "body: ended before its Content-Length." },
  "request.size.invalid": { code: "bad_request", message: "body: its length differs from Content-Length." },
};

function fromBodyParser(thrown: unknown): DomainError | undefined {
  if (!(thrown instanceof Error) || !("status" in thrown) || typeof thrown.status !== "number" || thrown.status >= 500) return undefined;
  const known = "type" in thrown && typeof thrown.type === "string" ? bodyErrors[thrown.type] : undefined;
  if (!known) return badRequest("body: could not be decoded; check Content-Encoding.");
  return new DomainError(known.code, known.message, known.maxBytes === undefined ? {} : { maxBytes: known.maxBytes });
}
