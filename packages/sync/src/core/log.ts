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
    event(event) {
      if (event.type === "batch") warned = undefined;
      step(wordsOfEvent(event));
    },
    settled(settled) {
      step(
        `message ${settled.id} ${settled.status}${settled.status === "stored" ? "" : `: ${"code" in settled ? settled.code : settled.reason}`}`,
      );
    },
  };
}

function wordsOfEvent(event: SyncEvent): string {
  switch (event.type) {
    case "batch":
      return `sent ${event.sent} messages in ${event.ms} ms: ${event.synced} stored, ${event.duplicates} known, ${event.failed} refused`;
    case "dropped":
      return `dropped ${event.count} ${event.kind ?? "message"}: ${event.reason}`;
    case "filtered":
      return `kept out by the rule ${event.rule}`;
    case "blocked":
      return `waiting until ${new Date(event.until).toISOString()} (${event.code}): ${event.error}`;
    case "recovered":
      return "sending again";
    case "storage":
      return `the disk of the browser failed: ${event.error}`;
    case "failed":
      return event.error;
  }
}
