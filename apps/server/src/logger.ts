import { write, writeSync } from "node:fs";
import { type Logger, pino } from "pino";
import type { Config } from "./config/config.js";

/** A logger to standard output, in JSON lines or, on a terminal, readable ones. */
export async function createServerLog({ logLevel, logFormat }: Pick<Config, "logLevel" | "logFormat">): Promise<Logger> {
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (logFormat !== "pretty" && (logFormat !== "auto" || !process.stdout.isTTY)) return pino(options, { write: writeLine });
  const prettify = await createPrettifier();
  return pino(options, { write: (line) => writeLine(prettify(line)) });
}

const standardOutput = 1;
const retryMs = 100;
/** UTF-16 units of lines that wait for a reader who is late. */
const waitingUnitsMax = 1_048_576;

/**
 * Writes lines without waiting for them. What cannot be written is dropped: a full disk under the log, or a pipe that nobody reads, must not
 * stop the service.
 */
function createLineWriter(): (line: string) => void {
  let waiting = "";
  let isWriting = false;

  function writeWaiting(): void {
    isWriting = waiting !== "";
    if (isWriting) writeBytes(Buffer.from(waiting));
    waiting = "";
  }

  function writeBytes(bytes: Buffer): void {
    write(standardOutput, bytes, (error, written) => {
      // The reader of a pipe is late.
      if (error?.code === "EAGAIN") setTimeout(writeBytes, retryMs, bytes);
      else if (!error && written < bytes.length) writeBytes(bytes.subarray(written));
      else writeWaiting();
    });
  }

  process.once("exit", () => {
    try {
      if (waiting !== "") writeSync(standardOutput, waiting);
    } catch {
      // Dropped, as above.
    }
  });

  return (line) => {
    if (waiting.length + line.length > waitingUnitsMax) return;
    waiting += line;
    if (!isWriting) writeWaiting();
  };
}

/** One for the process, as its output is. */
const writeLine = createLineWriter();

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
