import { destination, type Logger, pino } from "pino";
import type { Config } from "./config/config.js";

/** A logger to standard output, in JSON lines or, on a terminal, readable ones; and what writes its last lines before the process ends. */
export async function createServerLog({
  logLevel,
  logFormat,
}: Pick<Config, "logLevel" | "logFormat">): Promise<{ logger: Logger; flush: () => void }> {
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (logFormat === "pretty" || (logFormat === "auto" && process.stdout.isTTY)) {
    const prettify = await createPrettifier();
    // Each line is written at once, so none is lost when the process ends.
    const output = destination({ dest: 1, sync: true });
    return { logger: pino(options, { write: (line) => void output.write(prettify(line)) }), flush: () => output.flushSync() };
  }
  const output = destination({ dest: 1, sync: false, minLength: 0 });
  return { logger: pino(options, output), flush: () => output.flushSync() };
}

async function createPrettifier(): Promise<(line: string) => string> {
  const { prettyFactory } = await import("pino-pretty");
  return prettyFactory({
    singleLine: true,
    translateTime: "SYS:HH:MM:ss",
    ignore: "method,route,status,ms",
    messageFormat: ({ msg, method, route, status, ms }) =>
      typeof msg === "string" ? msg : `${String(method)} ${String(route)} ${String(status)} in ${String(ms)} ms`,
  });
}
