import { variable } from "./environment.js";
import { PeriscopeError } from "./errors/periscope-error.js";

/** How much is logged: each level has what those before it have. */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug";

/**
 * Where log lines go, such as `console`. A logger that takes the details first, as pino does, needs an adapter.
 *
 * @example
 * const line = (level: "error" | "warn" | "info" | "debug") => (message: string, fields: object) => pino[level](fields, message);
 * const logger = { error: line("error"), warn: line("warn"), info: line("info"), debug: line("debug") };
 */
export interface Logger {
  /** Writes a line of the level `error`: what happened, and its details. */
  error(message: string, fields: object): void;
  /** The same of the level `warn`. */
  warn(message: string, fields: object): void;
  /** The same of the level `info`. */
  info(message: string, fields: object): void;
  /** The same of the level `debug`. */
  debug(message: string, fields: object): void;
}

/** Writes a line when the level asks for it. Lines hold methods, paths, statuses, times and addresses of the service: no keys, no queries, no content. */
export type Log = (level: Exclude<LogLevel, "off">, message: string, fields: object) => void;

const levels: readonly string[] = ["off", "error", "warn", "info", "debug"];

/**
 * The log of a client. Without options: warnings, to the console.
 * @throws PeriscopeError when the level, of the option or of PERISCOPE_LOG, is none
 */
export function createLog(logger: Logger = console, level: string | undefined = variable("PERISCOPE_LOG")): Log {
  const most = levels.indexOf((level ?? "warn").toLowerCase());
  if (most < 0) throw new PeriscopeError(`logLevel and PERISCOPE_LOG must be one of ${levels.join(", ")}.`);
  return (wanted, message, fields) => {
    if (levels.indexOf(wanted) <= most) logger[wanted](`periscope: ${message}`, fields);
  };
}
