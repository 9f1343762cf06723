import { ErrorBody, type ErrorCode, limits, statusOfError } from "@periscope/schemas";
import type { DocumentedSchemas } from "./schemas.js";
import { type EndpointMeta, takesBody } from "../src/trpc/endpoint.js";
import type { Example, Header, OpenApiResponse, Reference } from "./types.js";

/** Headers of every answer, errors included. */
const always = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];

/** Headers of one status only. */
const byStatus: Readonly<Record<number, string>> = {
  401: "WWW-Authenticate",
  405: "Allow",
  426: "Upgrade",
  429: "Retry-After",
  503: "Retry-After",
};

export const headers: Readonly<Record<string, Header>> = {
  "X-RateLimit-Limit": {
    description: "Requests that the user may make in this minute in the budget of the request.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 600,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in this minute.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 598,
  },
  "X-RateLimit-Reset": {
    description: "When the minute ends, in whole Unix seconds.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 1_769_862_900,
  },
  "X-Request-Id": {
    description:
      "The request's id. It is the caller's own `X-Request-Id` if that is 1 to 64 characters of `A-Z a-z 0-9 . _ -`, else a new one.",
    required: true,
    schema: { type: "string" },
    example: "7d0f6d5e-3b0c-4c7e-9d25-0f6f3c0d7a41",
  },
  "Retry-After": {
    description: "Seconds to wait before a retry.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  "WWW-Authenticate": { description: "The scheme to authenticate with.", required: true, schema: { type: "string" }, example: "Bearer" },
  Upgrade: { description: "The protocol to connect with.", required: true, schema: { type: "string" }, example: "websocket" },
  Allow: { description: "The methods of the path.", required: true, schema: { type: "string" }, example: "GET, HEAD" },
};

/** Every answer of an operation, by status. Answers that all operations share are references. */
export function responsesOf(meta: EndpointMeta, schemas: DocumentedSchemas): Record<string, OpenApiResponse | Reference> {
  const success = meta.success.map(({ status, description, body, type = "application/json" }): [number, OpenApiResponse] => {
    const content = body && { [type]: { schema: schemas.ref(body), examples: schemas.examples(body) } };
    return [status, { description, headers: headersOf(status), ...(content && { content }) }];
  });
  const errors = [...errorsByStatus(takesBody(meta), meta.errors ?? [])].map(([status, codes]): [number, OpenApiResponse | Reference] => {
    const [only, ...more] = codes;
    const shared = only !== undefined && more.length === 0;
    return [status, shared ? { $ref: `#/components/responses/${componentName(only)}` } : errorResponse(status, codes, schemas)];
  });
  return Object.fromEntries([...success, ...errors]);
}

/** The error answers that operations refer to: those with one code. */
export function sharedResponses(schemas: DocumentedSchemas, used: ReadonlySet<string>): Record<string, OpenApiResponse> {
  const all = [...errorsByStatus(true, [])].flatMap(([status, codes]) => codes.map((code) => ({ status, code })));
  const own = [
    { status: 404, code: "not_found" as const },
    { status: 409, code: "conflict" as const },
    { status: 426, code: "upgrade_required" as const },
  ];
  return Object.fromEntries(
    [...all, ...own]
      .toSorted((a, b) => a.status - b.status)
      .map(({ status, code }) => [componentName(code), errorResponse(status, [code], schemas)] as const)
      .filter(([name]) => used.has(`#/components/responses/${name}`)),
  );
}

function errorResponse(status: number, codes: readonly ErrorCode[], schemas: DocumentedSchemas): OpenApiResponse {
  const examples = Object.assign({}, ...codes.map(errorExamples)) as Record<string, Example>;
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTexts[code].when}`).join("\n\n"),
    headers: headersOf(status),
    content: { "application/json": { schema: schemas.ref(ErrorBody), examples } },
  };
}

function errorExamples(code: ErrorCode): Record<string, Example> {
  const entries = Object.entries(errorTexts[code].examples).map(([name, { summary, message, details, maxBytes }]): [string, Example] => {
    const requestId = headers["X-Request-Id"]?.example;
    const body = { error: code, message, ...(details && { details }), requestId, ...(maxBytes !== undefined && { maxBytes }) };
    return [name, { summary, value: body }];
  });
  return Object.fromEntries(entries);
}

function headersOf(status: number): Record<string, Reference> {
  const own = byStatus[status];
  const names = own === undefined ? always : [...always, own];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function componentName(code: ErrorCode): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** An error code in the document. */
interface ErrorText {
  /** When an operation gives this answer. */
  when: string;
  /** By name. */
  examples: Record<string, { summary: string; message: string; details?: ErrorBody["details"]; maxBytes?: number }>;
}

const errorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  bad_request: {
    when: "The body or a parameter is wrong. `details` names each problem. Nothing was stored.",
    examples: {
      parameter: {
        summary: "A parameter is wrong",
        message: "limit: must be at most 200",
        details: [{ path: "limit", message: "must be at most 200" }],
      },
      body: {
        summary: "A field of the body is missing",
        message: "payload.context.tabMetadata: required",
        details: [{ path: "payload.context.tabMetadata", message: "required" }],
      },
    },
  },
  message_id_reused: {
    when: "The message id was already used for another message of the same extension instance.",
    examples: {
      messageIdReused: {
        summary: "The message id was used before",
        message: "id: this message id was used for another message; send this one under a new id.",
      },
    },
  },
  unauthorized: {
    when: "The key is missing, unknown, expired or revoked.",
    examples: {
      unauthorized: { summary: "No valid key", message: "An API key is required. Send it as Authorization: Bearer <key>." },
    },
  },
  forbidden: {
    when: "The key lacks the scope, or has a maximum privacy level where that is not allowed. Or the message or the context to delete belongs to another user.",
    examples: {
      scope: { summary: "The key lacks the scope", message: "This key lacks the scope delete. Use a key that has it." },
      bound: {
        summary: "The key has a maximum privacy level",
        message:
          "This key has a maximum privacy level and may not do this, because it could show what the user hides. Use a key without one.",
      },
      owner: { summary: "Another user's context", message: "This context belongs to another user; you can delete only your own." },
    },
  },
  privacy_rejected: {
    when: "The page is never captured: a private window, a browser or extension page, or a blocked site.",
    examples: {
      privacyRejected: {
        summary: "The page is never captured",
        message: "This page is not captured (private-window); nothing was stored.",
      },
    },
  },
  not_found: {
    when: "There is no such context, or nothing has been synced yet. Another user's context is not found either; deleting it is 403.",
    examples: {
      notFound: { summary: "No such context", message: "There is no context with this id; check the id, or that it has not been deleted." },
    },
  },
  method_not_allowed: {
    when: "The path does not allow this method. `Allow` names the methods it has.",
    examples: { methodNotAllowed: { summary: "Another method", message: "/context/history allows GET, HEAD only." } },
  },
  request_timeout: {
    when: "The request was not sent whole within 2 minutes. Nothing was stored.",
    examples: {
      requestTimeout: { summary: "Sent too slowly", message: "The request was not sent whole within 120 seconds. Send it again." },
    },
  },
  conflict: {
    when: "What the request relies on has changed meanwhile; `message` says what. Nothing was changed.",
    examples: {
      conflict: {
        summary: "More contexts match than were confirmed",
        message: "15 contexts match by now, and 12 were confirmed. Nothing was deleted. Send a dry run again.",
      },
    },
  },
  payload_too_large: {
    when: `The body is larger than \`maxBytes\` after decoding: ${limits.bodyBytesMax} bytes (16 MiB).`,
    examples: {
      payloadTooLarge: {
        summary: "The body is too large",
        message: `The body is larger than ${limits.bodyBytesMax} bytes after decoding. Send less at a time.`,
        maxBytes: limits.bodyBytesMax,
      },
    },
  },
  unsupported_media_type: {
    when: "The body is not `application/json`, or its `Content-Encoding` or charset is not supported.",
    examples: {
      unsupportedMediaType: {
        summary: "The body is not JSON",
        message: "The body must be JSON. Send it with Content-Type: application/json.",
      },
    },
  },
  upgrade_required: {
    when: "The request asks neither for a WebSocket nor for `text/event-stream`.",
    examples: {
      upgradeRequired: {
        summary: "Neither a WebSocket nor a stream",
        message: "This is a WebSocket. Connect with the subprotocol periscope.v1, or send Accept: text/event-stream.",
      },
    },
  },
  rate_limited: {
    when: "The budget of this minute is used up, or the user has too much in progress; `message` says which. Retry after `Retry-After` seconds.",
    examples: {
      rateLimited: {
        summary: "Too many requests",
        message: "More than 600 requests in this minute. Wait until the minute is over, then retry.",
      },
    },
  },
  internal_error: {
    when: "An unexpected failure. Nothing was stored. Retry with exponential backoff.",
    examples: { internalError: { summary: "Unexpected failure", message: "Unexpected server error. Retry with exponential backoff." } },
  },
  unavailable: {
    when: "The server is shutting down, its database does not respond, its disk is full, or its memory is taken; `message` says which. Retry after `Retry-After` seconds.",
    examples: {
      unavailable: { summary: "Shutting down", message: "The server is shutting down. Retry after the time in Retry-After." },
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
const ofBodies: readonly ErrorCode[] = ["request_timeout", "payload_too_large", "unsupported_media_type"];

/** The error codes that an operation can answer, by status, in order of status. */
export function errorsByStatus(hasBody: boolean, own: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const codes = new Set([...everywhere, ...(hasBody ? ofBodies : []), ...own]);
  const statuses = [...new Set([...codes].map((code) => statusOfError[code]))].toSorted((a, b) => a - b);
  return new Map(statuses.map((status) => [status, [...codes].filter((code) => statusOfError[code] === status)]));
}
