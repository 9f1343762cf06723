import { CommanderError } from "commander";
import { ConfigError } from "../config/config.js";
import { DatabaseTaken, DataDirectoryTaken } from "./data-directory.js";
import { DomainError } from "../domain-error.js";

/** How a command ends: 0, 1 for a failure, 2 for wrong usage, 130 when it was stopped before its end (128 and the number of SIGINT). */
export type ExitCode = 0 | 1 | 2 | 130;

/** What a failed command says on standard error, and how it ends. */
export interface Failure {
  /** Plain lines that say what to do; empty when it was said already. */
  message: string;
  exitCode: ExitCode;
}

/** A wrong use of a command that the parser cannot see. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A command was told to stop before its end; the message says how to go on. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}

/** A command came to its end and not to its aim; the message says what to do. */
export class Incomplete extends Error {
  override readonly name = "Incomplete";
}

/** What `periscope doctor` ends with when it found problems, each of which it has printed. */
export class Unwell extends Error {
  override readonly name = "Unwell";
  constructor(problems: number) {
    super(`${problems} ${problems === 1 ? "problem" : "problems"} found.`);
  }
}

/** Turns whatever a command threw into words for the person who typed it; never a stack. */
export function explainFailure(error: unknown): Failure {
  // The parser has printed its own message.
  if (error instanceof CommanderError) return { message: "", exitCode: error.exitCode === 0 ? 0 : 2 };
  if (error instanceof Interrupted) return { message: error.message, exitCode: 130 };
  if (error instanceof UsageError) return { message: error.message, exitCode: 2 };
  if (error instanceof ConfigError) return { message: error.message, exitCode: 2 };
  if (error instanceof DomainError || error instanceof Unwell || error instanceof Incomplete)
    return { message: error.message, exitCode: 1 };
  if (error instanceof DataDirectoryTaken || error instanceof DatabaseTaken) return { message: error.message, exitCode: 1 };
  return { message: explainSystemError(error), exitCode: 1 };
}

interface SystemError extends Error {
  code?: unknown;
  path?: unknown;
  address?: unknown;
  port?: unknown;
}

function explainSystemError(error: unknown): string {
  if (!(error instanceof Error)) return `Something failed that should not have: ${String(error)}`;
  const { code, message, path, address, port } = error as SystemError;
  const place = `${String(address)}:${String(port)}`;
  // Extended codes of SQLite, such as SQLITE_CANTOPEN_ISDIR, are read as their family.
  switch (String(code).replace(/^(SQLITE_[A-Z]+)_.*$/, "$1")) {
    case "EADDRINUSE":
      return `${place} is in use by another program. Stop that, or choose another port: --port 0 takes a free one.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `This machine has no address ${String(address ?? (error as { hostname?: unknown }).hostname)} to listen on. Set HOST or --host to one that it has, such as 127.0.0.1.`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return path === undefined && port !== undefined
        ? `This user may not listen on ${place}. Choose a port above 1023 with --port.`
        : `${String(path)} cannot be written by this user. Choose another place with --data-dir, or change its owner.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${String(path)} is a file where a directory is needed. Choose another place with --data-dir.`;
    case "ENOSPC":
    case "SQLITE_FULL":
      return "The disk is full. Make room, then try again.";
    case "SQLITE_CANTOPEN":
      return "The database cannot be opened: its directory is missing or not writable by this user. Check DATABASE_URL and --data-dir.";
    case "SQLITE_READONLY":
      return "The database cannot be written by this user. Change the owner of its file and directory, or choose another with --data-dir.";
    case "SQLITE_NOTADB":
      return "The file that DATABASE_URL names is not a database. Name another, or move the file away.";
    case "SQLITE_CORRUPT":
      return "The database is damaged. Restore a copy, or move the file away to start with an empty one.";
    case "SQLITE_BUSY":
      return "Another program keeps the database locked. Stop that, then try again.";
    default:
      return firstLine(message);
  }
}

// Libraries append excerpts of code and hints to their messages.
const firstLine = (text: string) => text.split("\n").find((line) => line.trim() !== "") ?? "Something failed that should not have.";
