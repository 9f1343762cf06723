import { expect, test } from "vitest";
import { findFault } from "./faults.js";

const error = (fields: object) => Object.assign(new Error("secret"), fields);
const coded = (code: string) => error({ code });

test.each([
  [coded("SQLITE_FULL"), "The server's disk is full."],
  [coded("ENOSPC"), "The server's disk is full."],
  [error({ code: "P2010", meta: { driverAdapterError: error({ cause: { originalCode: "53100" } }) } }), "The server's disk is full."],
  [new Error("outer", { cause: coded("EMFILE") }), "The server has no file descriptors left."],
  [coded("Z_MEM_ERROR"), "There is no memory left."],
  [coded("SQLITE_IOERR_WRITE"), "The disk of the database fails."],
  [coded("SQLITE_READONLY_DBMOVED"), "The database file is gone."],
  [coded("SQLITE_READONLY_ROLLBACK"), "A crash left an unfinished change in the database."],
  [coded("SQLITE_READONLY"), "The database is read-only."],
  [coded("SQLITE_NOTADB"), "The database file is damaged, or is not a database."],
  [coded("SQLITE_CORRUPT_VTAB"), "The database is damaged."],
  [coded("SQLITE_BUSY_SNAPSHOT"), "Another program keeps the database locked."],
  [new AggregateError([coded("ECONNREFUSED")]), "The database server cannot be reached."],
  [coded("E_OTHER"), undefined],
  ["text", undefined],
])("names a known cause in words: %o", (thrown, words) => {
  expect(findFault(thrown)?.what).toBe(words);
});
