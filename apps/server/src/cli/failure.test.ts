import { CommanderError } from "commander";
import { expect, test } from "vitest";
import { ConfigError } from "../config/config.js";
import { notFound } from "../domain-error.js";
import { CommandFailed, explainFailure, Interrupted, UsageError } from "./failure.js";

const withCode = (code: string, fields = {}) => Object.assign(new Error(`${code}: raw text`), { code, ...fields });

test.each([
  [new CommanderError(0, "commander.helpDisplayed", "(outputHelp)"), "", 0],
  [new CommanderError(1, "commander.unknownOption", "unknown option"), "", 2],
  [new UsageError("Confirm with --yes."), "Confirm with --yes.", 2],
  [new ConfigError(["PORT: wrong", "HOST: wrong"]), "PORT: wrong\nHOST: wrong", 2],
  [notFound("There is no user ada."), "There is no user ada.", 1],
  [new CommandFailed("Restart the server."), "Restart the server.", 1],
  [new Interrupted("Stopped."), "Stopped.", 130],
  [new Error("\nInvalid `prisma.user.findMany()` invocation:\n\ncode frame"), "Invalid `prisma.user.findMany()` invocation:", 1],
  ["thrown text", "Unexpected failure: thrown text", 1],
])("explains %s", (error, message, exitCode) => {
  expect(explainFailure(error)).toEqual({ message, exitCode });
});

test.each([
  [withCode("EADDRINUSE", { address: "127.0.0.1", port: 3000 }), /^127\.0\.0\.1:3000 is in use.*--port 0/],
  [withCode("EACCES", { address: "0.0.0.0", port: 80 }), /0\.0\.0\.0:80.*above 1023/],
  [withCode("EACCES", { path: "/root/data" }), /cannot write to \/root\/data.*--data-dir/],
  [withCode("EADDRNOTAVAIL", { address: "10.9.9.9", port: 3000 }), /10\.9\.9\.9.*--host/],
  [withCode("ENOTFOUND", { hostname: "nowhere.example" }), /nowhere\.example.*--host/],
  [withCode("ENOTDIR", { path: "/data" }), /\/data is a file.*--data-dir/],
  [withCode("ENOSPC"), /disk is full/],
  [withCode("SQLITE_CANTOPEN_ISDIR"), /cannot be opened.*DATABASE_URL/],
  [withCode("SQLITE_READONLY_DBMOVED"), /database file is gone/],
  [withCode("SQLITE_READONLY"), /is read-only/],
  [withCode("SQLITE_NOTADB"), /not a database/],
  [withCode("SQLITE_CORRUPT_VTAB"), /damaged/],
  [withCode("SQLITE_BUSY_SNAPSHOT"), /locked/],
])("says what to do about %s", (error, words) => {
  const { message, exitCode } = explainFailure(error);
  expect(exitCode).toBe(1);
  expect(message).toMatch(words);
  expect(message).not.toContain("raw text");
});
