import { type ErrorBody, type ErrorCode, limits, statusOfError } from "@periscope/schemas";

/** How an error code is shown in the document. */
export interface ErrorText {
  /** When an operation answers so. */
  when: string;
  /** By name: what the client reads. */
  examples: Record<string, { summary: string; message: string; details?: ErrorBody["details"]; maxBytes?: number }>;
}

/** The `Record` makes a code without a text a type error. */
export const errorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  bad_request: {
    when: "The body or a parameter is wrong; `details` names each thing. Nothing was stored.",
    examples: {
      parameter: {
        summary: "A parameter is wrong",
        message: "limit: Too big: expected number to be <=200",
        details: [{ path: "limit", message: "Too big: expected number to be <=200" }],
      },
      body: {
        summary: "A field of the body is missing",
        message: "payload.context.tabMetadata: required",
        details: [{ path: "payload.context.tabMetadata", message: "required" }],
      },
    },
  },
  message_id_reused: {
    when: "The message id was used for another message of the same extension instance.",
    examples: {
      messageIdReused: {
        summary: "The message id was used before",
        message: "id: this message id was used for another message; send this one under a new id.",
      },
    },
  },
  unauthorized: {
    when: "The key is missing, unknown, expired or revoked.",
    examples: { unauthorized: { summary: "No valid key", message: "A valid API key is needed; send it as Authorization: Bearer <key>." } },
  },
  forbidden: {
    when: "The key lacks the scope, or is bound to a privacy level where that is refused; or a message, or a context to delete, belongs to another user.",
    examples: {
      scope: { summary: "The key lacks the scope", message: "This key lacks the scope delete; use a key that has it." },
      bound: {
        summary: "The key is bound to a privacy level",
        message: "This key is bound to a privacy level, and the rules name what the user wants hidden; use a key without a bound.",
      },
      owner: { summary: "Another user's context", message: "This context belongs to another user; you can delete only your own." },
    },
  },
  privacy_rejected: {
    when: "The page is one that is never captured: a private window, a browser or extension page, a blocked site.",
    examples: {
      privacyRejected: {
        summary: "The page is never captured",
        message: "This page is not captured (private-window); nothing was stored.",
      },
    },
  },
  not_found: {
    when: "There is no such context, or none has been synced yet. Another user's context is not found either (to delete it is 403).",
    examples: {
      notFound: { summary: "No such context", message: "There is no context with this id; check the id, or that it has not been deleted." },
    },
  },
  method_not_allowed: {
    when: "The path does not have the method that was used; `Allow` names those it has.",
    examples: { methodNotAllowed: { summary: "Another method", message: "/context/history answers GET, HEAD only." } },
  },
  payload_too_large: {
    when: `The body, also after decoding, is over \`maxBytes\`: ${limits.bodyBytesMax} bytes (16 MiB).`,
    examples: {
      payloadTooLarge: {
        summary: "The body is too large",
        message: `The body is larger than ${limits.bodyBytesMax} bytes once decoded; send less at a time.`,
        maxBytes: limits.bodyBytesMax,
      },
    },
  },
  unsupported_media_type: {
    when: "The body is not `application/json`, or its `Content-Encoding` or charset is not understood.",
    examples: {
      unsupportedMediaType: {
        summary: "The body is not JSON",
        message: "The body must be JSON; send it with Content-Type: application/json.",
      },
    },
  },
  rate_limited: {
    when: "The requests of this minute are used up. Wait until `X-RateLimit-Reset`, then retry.",
    examples: {
      rateLimited: {
        summary: "Too many requests",
        message: "More than 600 requests in this minute; wait until X-RateLimit-Reset, then retry.",
      },
    },
  },
  internal_error: {
    when: "An unexpected failure; nothing was stored. Retry with exponential backoff.",
    examples: { internalError: { summary: "Unexpected failure", message: "Unexpected server error; retry with exponential backoff." } },
  },
  unavailable: {
    when: "The server is shutting down, or its database does not answer. Retry after `Retry-After` seconds.",
    examples: {
      unavailable: { summary: "Shutting down", message: "The server is shutting down; retry after the time in Retry-After." },
    },
  },
};

const everywhere: readonly ErrorCode[] = [
  "bad_request",
  "unauthorized",
  "forbidden",
  "method_not_allowed",
  "rate_limited",
  "internal_error",
  "unavailable",
];
const ofBodies: readonly ErrorCode[] = ["payload_too_large", "unsupported_media_type"];

/** The codes that an operation can answer, by status, in order of status. */
export function errorsByStatus(hasBody: boolean, own: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const codes = new Set([...everywhere, ...(hasBody ? ofBodies : []), ...own]);
  const statuses = [...new Set([...codes].map((code) => statusOfError[code]))].toSorted((a, b) => a - b);
  return new Map(statuses.map((status) => [status, [...codes].filter((code) => statusOfError[code] === status)]));
}
