import { ErrorBody, type ErrorCode } from "@periscope/schemas";
import { type EndpointMeta, takesBody } from "../trpc/endpoint.js";
import { errorsByStatus, errorTexts } from "./openapi-errors.js";
import type { DocumentedSchemas } from "./openapi-schemas.js";
import type { Example, Header, OpenApiResponse, Reference } from "./openapi-types.js";

/** Headers of every answer, errors included. */
const always = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];

/** Headers that come with one status only. */
const byStatus: Readonly<Record<number, string>> = { 401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After", 503: "Retry-After" };

export const headers: Readonly<Record<string, Header>> = {
  "X-RateLimit-Limit": {
    description: "Requests that the user may make in a window of 60 seconds, in the budget that the request drew on.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 600,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in the window.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 598,
  },
  "X-RateLimit-Reset": {
    description: "When the window ends, in whole Unix seconds.",
    required: true,
    schema: { type: "integer", minimum: 0 },
    example: 1_769_862_900,
  },
  "X-Request-Id": {
    description: "The request's id: the caller's own `X-Request-Id` where it is 1 to 64 of `A-Z a-z 0-9 . _ -`, else a new one.",
    required: true,
    schema: { type: "string" },
    example: "7d0f6d5e-3b0c-4c7e-9d25-0f6f3c0d7a41",
  },
  "Retry-After": {
    description: "Seconds to wait before the next try.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  "WWW-Authenticate": { description: "The scheme to authenticate with.", required: true, schema: { type: "string" }, example: "Bearer" },
  Allow: { description: "The methods that the path has.", required: true, schema: { type: "string" }, example: "GET, HEAD" },
};

/** Every answer of an operation, by status: references where the answer is the same everywhere. */
export function responsesOf(meta: EndpointMeta, schemas: DocumentedSchemas): Record<string, OpenApiResponse | Reference> {
  const success = meta.success.map(({ status, description, body }): [number, OpenApiResponse] => {
    const content = body && { "application/json": { schema: schemas.ref(body), examples: schemas.examples(body) } };
    return [status, { description, headers: headersOf(status), ...(content && { content }) }];
  });
  const errors = [...errorsByStatus(takesBody(meta), meta.errors)].map(([status, codes]): [number, OpenApiResponse | Reference] => {
    const [only, ...more] = codes;
    const shared = only !== undefined && more.length === 0;
    return [status, shared ? { $ref: `#/components/responses/${componentName(only)}` } : errorResponse(status, codes, schemas)];
  });
  return Object.fromEntries([...success, ...errors]);
}

/** The error answers of one code alone, which operations refer to. */
export function sharedResponses(schemas: DocumentedSchemas, used: ReadonlySet<string>): Record<string, OpenApiResponse> {
  const all = [...errorsByStatus(true, [])].flatMap(([status, codes]) => codes.map((code) => ({ status, code })));
  const own = { status: 404, code: "not_found" as const };
  return Object.fromEntries(
    [...all, own]
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
