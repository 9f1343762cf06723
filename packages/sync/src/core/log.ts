import type { ErrorCode, Settled, SyncEvent, Trouble } from "./outcomes.js";

export type Log = ReturnType<typeof createLog>;

/** Causes that stay until somebody changes something: settings, manifest or server. */
const misconfigurations: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["key-refused", "no-access", "network", "wrong-server"]);

/** What a developer reads in the console: each step, when that is asked for, and one warning for what is set up wrongly. No content, no keys. */
export function createLog(isDebug: boolean, sink: Pick<Console, "info" | "warn"> = console) {
  let warned: ErrorCode | undefined;
  const step = (words: string) => {
    if (isDebug) sink.info(`periscope: ${words}`);
  };
  return {
    step,
    /** Why nothing is sent; warned of once, until a batch goes through or it is something else, if somebody has to change something. */
    trouble(trouble: Trouble | undefined) {
      if (trouble === undefined || trouble.code === warned || !misconfigurations.has(trouble.code)) return;
      warned = trouble.code;
      sink.warn(`periscope: ${trouble.error} Messages are kept and wait.`);
    },
    event({ type, ...facts }: SyncEvent) {
      if (type === "batch") warned = undefined;
      step(`${type} ${JSON.stringify(facts)}`);
    },
    settled(settled: Settled) {
      const why = "code" in settled ? `: ${settled.code}` : "reason" in settled ? `: ${settled.reason}` : "";
      step(`message ${settled.id} ${settled.status}${why}`);
    },
  };
}
