import { type Answer, type CallRequest, protocolVersion } from "../protocol.js";
import type { ContextSync } from "./context-sync.js";

/** Methods that pages of the extension may call, with what they are called with as JSON: messages carry no functions, and `undefined` as null. */
export const remoteMethods = {
  flush: (sync: ContextSync, options?: Parameters<ContextSync["flush"]>[0] | null) => sync.flush(options ?? {}),
  status: (sync: ContextSync) => sync.status(),
  check: (sync: ContextSync) => sync.check(),
  pause: (sync: ContextSync, ms?: number | null) => sync.pause(ms ?? undefined),
  resume: (sync: ContextSync) => sync.resume(),
  removeAccount: (sync: ContextSync, account: string) => sync.removeAccount(account),
  "deadLetters.list": (sync: ContextSync, limit: number) => sync.deadLetters.list(limit),
  "deadLetters.retry": (sync: ContextSync, ids: readonly string[]) => sync.deadLetters.retry(ids),
  "deadLetters.discard": (sync: ContextSync, ids: readonly string[]) => sync.deadLetters.discard(ids),
};

/** The background as pages of the extension see it. Each call rejects with the background's words when it fails. */
export type RemoteContextSync = Omit<ContextSync, "enqueue" | "explain" | "remove">;

interface Runtime {
  sendMessage(message: unknown): Promise<unknown>;
}

/**
 * The handle of the background for pages of the extension, such as popup and options: they ask the worker, which alone opens the database and
 * sends, so that none of them can hold it up.
 *
 * @example
 * ```ts
 * const sync = connectContextSync();
 * const { waiting, lastError } = await sync.status();
 * ```
 * @param runtime default: the browser's
 */
export function connectContextSync(runtime: Runtime = browserRuntime()): RemoteContextSync {
  const method =
    <T>(method: keyof typeof remoteMethods) =>
    async (...args: unknown[]): Promise<T> => {
      const request: CallRequest = { periscope: protocolVersion, kind: "call", method, args };
      const answer = (await runtime.sendMessage(request)) as Answer<T> | undefined;
      if (answer === undefined || answer === null)
        throw new Error("The background did not answer. Does it call `createContextSync` in its first turn?");
      if (!answer.ok) throw new Error(answer.error);
      return answer.value;
    };
  return {
    flush: method("flush"),
    status: method("status"),
    check: method("check"),
    pause: method("pause"),
    resume: method("resume"),
    removeAccount: method("removeAccount"),
    deadLetters: { list: method("deadLetters.list"), retry: method("deadLetters.retry"), discard: method("deadLetters.discard") },
  };
}

function browserRuntime(): Runtime {
  const { browser, chrome } = globalThis as { browser?: { runtime?: Runtime }; chrome?: { runtime?: Runtime } };
  const runtime = browser?.runtime ?? chrome?.runtime;
  if (runtime === undefined) throw new TypeError("There are no extension APIs here. Call this in a page of an extension.");
  return runtime;
}
