import { expect, test } from "vitest";
import { findFault } from "./faults.js";

const error = (fields: object) => Object.assign(new Error("secret"), fields);

test.each([
  [error({ code: "SQLITE_FULL" }), "The server's disk is full."],
  [error({ code: "SQLITE_IOERR_WRITE" }), "The disk of the database fails."],
  [error({ code: "P2010", meta: { driverAdapterError: error({ cause: { originalCode: "53100" } }) } }), "The server's disk is full."],
  [new Error("outer", { cause: error({ code: "EMFILE" }) }), "The server has no file descriptors left."],
  [new AggregateError([error({ code: "ECONNREFUSED" })]), "The database server cannot be reached."],
  [error({ code: "E_OTHER" }), undefined],
  ["text", undefined],
])("names a known cause in words: %o", (thrown, words) => {
  expect(findFault(thrown)?.what).toBe(words);
});
