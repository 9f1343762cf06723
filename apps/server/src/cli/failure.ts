import { CommanderError } from "commander";
import { ConfigError } from "../config/config.js";
import { DomainError } from "../domain-error.js";
import { explainSystemError } from "../system/explain-error.js";

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
