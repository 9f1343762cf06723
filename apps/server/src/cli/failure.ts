import { CommanderError } from "commander";
import { ConfigError } from "../config/config.js";
import { DomainError } from "../domain-error.js";
import { findFault } from "../storage/faults.js";

/** How a command ends: 0 done, 1 failed, 2 wrong usage or settings, 130 stopped before the end (128 + SIGINT). */
export type ExitCode = 0 | 1 | 2 | 130;

/** What a failed command prints on standard error, and how it ends. */
export interface Failure {
  /** Plain lines that say what to do; empty when they were printed already. */
  message: string;
  exitCode: ExitCode;
}

/** A command did not reach its goal; the message says what to do. */
export class CommandFailed extends Error {
  override readonly name: string = "CommandFailed";
  readonly exitCode: ExitCode = 1;
}

/** Wrong usage that the parser cannot see. */
export class UsageError extends CommandFailed {
  override readonly name = "UsageError";
  override readonly exitCode = 2;
}

/** The user stopped the command; the message says how to go on. */
export class Interrupted extends CommandFailed {
  override readonly name = "Interrupted";
  override readonly exitCode = 130;
}

/** Explains an error to the person who typed the command; never with a stack. */
export function explainFailure(error: unknown): Failure {
  // The parser has printed its own message.
  if (error instanceof CommanderError) return { message: "", exitCode: error.exitCode === 0 ? 0 : 2 };
  if (!(error instanceof Error)) return { message: `Unexpected failure: ${String(error)}`, exitCode: 1 };
  const { message } = error;
  if (error instanceof CommandFailed) return { message, exitCode: error.exitCode };
  if (error instanceof ConfigError) return { message, exitCode: 2 };
  if (error instanceof DomainError) return { message, exitCode: 1 };
  return { message: explainSystemError(error), exitCode: 1 };
}

interface SystemError extends Error {
  code?: unknown;
  path?: unknown;
  address?: unknown;
  port?: unknown;
  hostname?: unknown;
}

function explainSystemError({ code, message, path, address, port, hostname }: SystemError): string {
  const place = `${String(address)}:${String(port)}`;
  switch (code) {
    case "EADDRINUSE":
      return `${place} is in use by another program. Stop it, or choose another port: --port 0 picks a free one.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `This machine does not have the address ${String(address ?? hostname)}. Set HOST or --host to one of its addresses, such as 127.0.0.1.`;
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return path === undefined && port !== undefined
        ? `This user may not listen on ${place}. Choose a port above 1023 with --port.`
        : `This user cannot write to ${String(path)}. Choose another place with --data-dir, or change its owner.`;
    case "ENOTDIR":
    case "EEXIST":
      return `${String(path)} is a file, but must be a directory. Choose another place with --data-dir.`;
    default: {
      // Of this error alone: one that wraps another says more than the cause.
      const fault = findFault({ code });
      if (fault) return `${fault.what} ${fault.advice}`;
      // Libraries append code excerpts and hints to their messages.
      return message.split("\n").find((line) => line.trim() !== "") ?? "Unexpected failure without a message.";
    }
  }
}
