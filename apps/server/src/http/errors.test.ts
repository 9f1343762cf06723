import { expect, test } from "vitest";
import { badRequest } from "../domain-error.js";
import { toDomainError } from "./errors.js";

const error = (fields: object, made: Error = new Error("secret")) => Object.assign(made, fields);

test("a path with broken encoding: 400", () => {
  const { code, cause, message } = toDomainError(new URIError("secret"));
  expect([code, cause]).toEqual(["bad_request", undefined]);
  expect(message).not.toContain("secret");
});

test.each([
  ["no memory to decompress a body", error({ code: "Z_MEM_ERROR" }), "unavailable"],
  ["no memory to parse a body", new RangeError("secret"), "internal_error"],
  ["an unknown failure", error({ code: "ERR_SOMETHING" }), "internal_error"],
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
