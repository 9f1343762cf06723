import type { ContextSync } from "@periscope/sync/background";
import type { ExtensionApi } from "../extension-api.js";

export interface HealthReporting {
  sync: Pick<ContextSync, "enqueue" | "status">;
  storage: Pick<ExtensionApi["storage"], "session">;
  version: string;
  /** To whom is told; `""` while nothing may be sent. */
  account: () => Promise<string>;
  now: () => number;
}

/** What was reported last, in this session of the browser. */
interface Reported {
  account: string;
  config: string | undefined;
  /** As the server knows it. */
  waiting: number;
  error: string | null;
  at: number;
}

const key = "health";
const betweenMs = 60_000;
/** Up to this many waiting messages are reported as none: they wait for a moment only. */
const backlogMin = 100;

/**
 * Reports version, queue length and errors to the server. The returned function sends only changes, at most once a minute, and nothing of a page.
 * Never rejects.
 */
export function createHealthReport({ sync, storage, version, account, now }: HealthReporting): () => Promise<void> {
  let running: Promise<void> | undefined;

  async function report(): Promise<void> {
    const to = await account();
    if (to === "") return;
    const { [key]: found } = await storage.session.get(key);
    const last = (found as Reported | undefined)?.account === to ? (found as Reported) : undefined;
    const { waiting, reason, deadLetters, lastError, lastErrorCode: error } = await sync.status();
    // While nothing can be sent, the report waits.
    const canSend = reason === "idle" || reason === "sending" || reason === "rate-limited";
    const health = { version, waitingMessages: waiting > backlogMin ? waiting : 0, refusedMessages: deadLetters };
    // When nothing waits any more, nothing may ask for a report for a long time.
    const isDrained = canSend && health.waitingMessages === 0 && last !== undefined && last.waiting > 0;
    if (!isDrained && last !== undefined && Math.abs(now() - last.at) < betweenMs) return;
    const config = canSend ? JSON.stringify(health) : last?.config;
    if (config === last?.config && error === last?.error) return;
    const told = canSend ? health.waitingMessages : (last?.waiting ?? 0);
    await storage.session.set({ [key]: { account: to, config, waiting: told, error, at: now() } satisfies Reported });
    if (config !== last?.config) await sync.enqueue({ type: "config", payload: { config: health } }, { mergeKey: "health" });
    if (error === null || error === last?.error) return;
    await sync.enqueue({ type: "error", payload: { code: error, message: lastError ?? error } }, { mergeKey: `health ${error}` });
  }

  return () =>
    (running ??= report()
      .catch(() => {})
      .finally(() => (running = undefined)));
}
