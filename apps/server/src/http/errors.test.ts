import { expect, test } from "vitest";
import { badRequest } from "../domain-error.js";
import { toDomainError } from "./errors.js";

const error = (fields: object, made: Error = new Error("secret")) => Object.assign(made, fields);

/** As the body parser throws: every failure says 400. */
const parserError = (fields: object, made?: Error) => error({ status: 400, ...fields }, made);

// Broken bodies and paths are tested at the front door, in http-bodies.test.ts and http-edges.test.ts.
test.each([
  ["a connection that broke off", parserError({ type: "request.aborted" })],
  ["a wrong Content-Length", parserError({ type: "request.size.invalid" })],
])("%s: 400", (_, thrown) => {
  const { code, cause, message } = toDomainError(thrown);
  expect([code, cause]).toEqual(["bad_request", undefined]);
  expect(message).not.toContain("secret");
});

test.each([
  ["no memory to decompress a body", parserError({ code: "Z_MEM_ERROR" }), "unavailable"],
  ["no memory to parse a body", parserError({ type: "entity.parse.failed" }, new RangeError("secret")), "internal_error"],
  ["an unknown failure of the body parser", parserError({ code: "ERR_SOMETHING" }), "internal_error"],
  ["no file descriptors", error({ code: "EMFILE" }), "unavailable"],
  ["a full disk", error({ code: "SQLITE_FULL" }), "unavailable"],
  ["a defect", new TypeError("secret"), "internal_error"],
])("%s: not the client's fault", (_, thrown, code) => {
  const found = toDomainError(thrown);
  expect([found.code, found.cause]).toEqual([code, thrown]);
  expect(found.message).not.toContain("secret");
});

test("an expected error stays as it is", () => {
  const expected = badRequest("limit: too big");
  expect(toDomainError(expected)).toBe(expected);
});
