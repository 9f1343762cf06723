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

/** An error for the log: its kind, code and stack frames, without its message, which may quote content. */
export function describeFailure(failure: unknown): Record<string, unknown> {
  if (!(failure instanceof Error)) return { kind: typeof failure };
  const code = "code" in failure && typeof failure.code === "string" ? failure.code : undefined;
  const cause = failure.cause === undefined ? undefined : describeFailure(failure.cause);
  return { kind: failure.name, code, frames: framesOf(failure), cause };
}

/** Frames are looked for after the message only: lines of a message may look like frames. */
function framesOf({ stack = "", message }: Error): string[] {
  const at = stack.indexOf(message);
  if (at < 0) return [];
  const lines = stack.slice(at + message.length).split("\n");
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => line.trim());
}
