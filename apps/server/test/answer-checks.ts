import { ErrorBody, type ErrorCode, statusOfError } from "@periscope/schemas";
import { errorsByStatus } from "../openapi/responses.js";
import { expect } from "vitest";
import * as z from "zod/mini";
import type { Route } from "../src/http/rest-api.js";
import type { Answer } from "./test-client.js";

/** The contract says exactly: a field more is a leak or a mistake. */
const ExactErrorBody = z.strictObject({ ...ErrorBody.shape, requestId: z.string() });

/** Words that only the inside of the server knows. */
const internals =
  /node_modules|\.[cm]?[jt]s\b|\bat \w+ \(|\bselect\b.*\bfrom\b|\binsert into\b|sqlite|prisma|trpc|zod|express|file:\/\/|\/(?:tmp|home|root|usr|var|work)\//i;

/** Checks all that the contract says of every error answer under the API's prefix: status, headers, and the exact body; see {@link expectRateHeaders} for `clock`. */
export function expectError(answer: Answer, code: ErrorCode, clock?: number): void {
  expect(answer.body).toMatchObject({ error: code });
  expect(answer.status).toBe(statusOfError[code]);
  expectErrorBody(answer);
  expectRateHeaders(answer, clock);
}

/** Checks the body of an error answer, whatever its code. */
function expectErrorBody({ headers, body }: Answer): void {
  expect(ExactErrorBody.safeParse(body).error?.issues).toBeUndefined();
  expect(body.requestId).toBe(headers.get("x-request-id"));
  expect(body.message).not.toBe("");
  expect("maxBytes" in body).toBe(body.error === "payload_too_large");
  const { requestId: _id, ...told } = body;
  expect(JSON.stringify(told)).not.toMatch(internals);
}

/** Checks the three headers that every answer carries but those of the keyless routes. `clock` is the server's time, where a test has set it. */
export function expectRateHeaders(
  { headers, askedAt }: Pick<Answer, "headers" | "askedAt">,
  clock?: number,
): { limit: number; remaining: number; reset: number } {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`) ?? "missing");
  expect([limit, remaining, reset]).toEqual([
    expect.stringMatching(/^\d+$/),
    expect.stringMatching(/^\d+$/),
    expect.stringMatching(/^\d+$/),
  ]);
  expect(Number(remaining)).toBeLessThanOrEqual(Number(limit));
  // The window is that of the moment at which the request arrived; both ends are whole seconds.
  const [earliest, latest] = clock === undefined ? [askedAt, Date.now()] : [clock, clock];
  expect(Number(reset) - earliest / 1000).toBeGreaterThan(-1);
  expect(Number(reset) - latest / 1000).toBeLessThanOrEqual(61);
  return { limit: Number(limit), remaining: Number(remaining), reset: Number(reset) };
}

/** What a schema has against a body; undefined when nothing. */
export const problemsOf = (schema: unknown, body: unknown) => z.safeParse(schema as z.ZodMiniType, body).error?.issues;

/** Checks that an answer is one of the operation's successes, with the body that this one is documented to have. */
export function expectSuccess(answer: Answer, route: Route): void {
  const success = route.meta.success.find(({ status }) => status === answer.status);
  expect(answer).toMatchObject({ status: success?.status ?? "a listed one" });
  const bodies: unknown[] =
    success?.type === "application/x-ndjson"
      ? String(answer.body)
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as unknown)
      : [answer.body];
  for (const body of bodies) expect(success?.body ? problemsOf(success.body, body) : body).toBeUndefined();
  expectRateHeaders(answer);
  expect(answer.headers.get("x-request-id")).toBeTruthy();
}

/** Checks that an answer is one that the operation is documented to give, by status, code and body, and no internal error. */
export function expectListed(answer: Answer, route: Route): void {
  if (answer.status < 400) return expectSuccess(answer, route);
  const codes = errorsByStatus(route.hasBody, route.meta.errors ?? []).get(answer.status) ?? [];
  const listed = codes.filter((code) => code !== "internal_error" && code !== "unavailable");
  expect(listed).toContain(answer.body?.error);
  expectError(answer, answer.body.error as ErrorCode);
}
