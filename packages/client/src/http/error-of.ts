import type { ErrorBody } from "@periscope/schemas";
import { retryAfterMs } from "@periscope/delivery";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  RateLimitError,
  ServerError,
} from "../errors/api-error.js";
import type { ErrorDetails } from "../errors/periscope-error.js";
import { redact } from "../redact.js";
import { rateLimitOf } from "../rate-limit.js";
import type { Answer } from "./attempt.js";

/** Characters of a body that is not the service's that an error keeps. */
const bodyCharsMax = 1_000;

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
};

/**
 * The error that an answer outside of 2xx stands for.
 * @param call what was asked, and what else the reader should know
 * @param baseUrl the address in use
 * @param keys the keys that were sent; none of them stands in the error
 */
export function errorOf(
  answer: Answer,
  { call, baseUrl, keys, ...about }: ErrorDetails & { call: string; baseUrl: string; keys: readonly string[] },
): ApiError {
  const { status, headers } = answer;
  const text = redact(answer.text, keys);
  const said = errorBodyOf(text);
  const code = said?.error ?? `http_${status}`;
  const location = headers.get("Location");
  // Browsers hide all of a redirect that is not followed, its status too.
  const isRedirect = answer.type === "opaqueredirect" || (status < 400 && location);
  const noAnswer = said ? isNoPath(said) && "the service has no such path" : "not an answer of Periscope";
  const base = redact(baseUrl, keys);
  const address = `baseUrl ${base}`;
  const why = isRedirect
    ? `a redirect${location ? targetOf(redact(location, keys), base) : ""}, which is not followed; correct ${address}.`
    : noAnswer
      ? `${noAnswer}; check ${address}, and proxies on the way.`
      : said?.message;
  const reference = about.requestId ? ` (request ${about.requestId})` : "";
  const message = `${call}: ${status ? `${status} ${code}, ` : ""}${why}${reference}`;
  const details = { ...about, status, code, body: said ?? text.slice(0, bodyCharsMax) };
  if (status === 429) {
    const none = { limit: null, remaining: null, resetAt: null };
    return new RateLimitError(message, {
      ...details,
      ...(rateLimitOf(headers) ?? none),
      retryAfterMs: retryAfterMs(headers, Date.now()) ?? 1_000,
    });
  }
  if (status === 413) return new PayloadTooLargeError(message, { ...details, maxBytes: said?.maxBytes ?? null });
  return new (status < 500 ? (classes[status] ?? ApiError) : ServerError)(message, details);
}

/** Where a redirect leads, without what can be a secret: a password, a query, a fragment. Empty when it is no address. */
function targetOf(location: string, base: string): string {
  try {
    const { origin, pathname } = new URL(location, base);
    return ` to ${origin}${pathname}`;
  } catch {
    return "";
  }
}

/** Identifier of an answer; null when it has none. */
export function requestIdOf({ headers }: Answer): string | null {
  return headers.get("X-Request-Id");
}

/** A body in which the service says what went wrong; undefined when it is something else, such as the page of a proxy. */
export function errorBodyOf(text: string): Partial<ErrorBody> | undefined {
  const body = parsed(text) as Partial<ErrorBody> | null | undefined;
  return typeof body?.error === "string" && typeof body.message === "string" ? body : undefined;
}

/**
 * Whether an error body says that there is no such path, rather than no such context. The service has one code for both; these are the
 * words that all its versions have for the first.
 */
export function isNoPath({ message }: Partial<ErrorBody>): boolean {
  return message?.startsWith("There is nothing at this path") === true;
}

/** A JSON text as a value; undefined when it is none, which no JSON text is. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
