import type { ErrorCode, Settled, SyncEvent } from "./outcomes.js";

/** What a developer reads in the console: each step, when that is asked for, and one warning for what is set up wrongly. No content, no keys. */
export interface Log {
  step(words: string): void;
  /** Why nothing is sent; warned of once, until a batch goes through or it is something else, if somebody has to change something. */
  trouble(code: ErrorCode | undefined, error: string | undefined): void;
  event(event: SyncEvent): void;
  settled(settled: Settled): void;
}

/** Causes that stay until somebody changes something: settings, manifest or server. */
const misconfigurations: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["key-refused", "no-access", "network", "wrong-server"]);

/** Logs to the console. */
export function createLog(isDebug: boolean, sink: Pick<Console, "info" | "warn"> = console): Log {
  let warned: ErrorCode | undefined;
  const step = (words: string) => {
    if (isDebug) sink.info(`periscope: ${words}`);
  };
  return {
    step,
    trouble(code, error) {
      if (code === undefined || code === warned || !misconfigurations.has(code)) return;
      warned = code;
      sink.warn(`periscope: ${error} Messages are kept and wait.`);
    },
    event({ type, ...facts }) {
      if (type === "batch") warned = undefined;
      step(`${type} ${JSON.stringify(facts)}`);
    },
    settled(settled) {
      const why = "code" in settled ? `: ${settled.code}` : "reason" in settled ? `: ${settled.reason}` : "";
      step(`message ${settled.id} ${settled.status}${why}`);
    },
  };
}
