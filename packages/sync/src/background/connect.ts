import { type Answer, type CallRequest, protocolVersion, type RemoteMethod } from "../protocol/index.js";
import type { ContextSync } from "./context-sync.js";

/** The background as pages of the extension see it. Each call rejects with the background's words when it fails. */
export type RemoteContextSync = Omit<ContextSync, "enqueue" | "on" | "withdraw" | "forget">;

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
  async function call<T>(method: RemoteMethod, ...args: unknown[]): Promise<T> {
    const request: CallRequest = { periscope: protocolVersion, kind: "call", method, args };
    const answer = (await runtime.sendMessage(request)) as Answer<T> | undefined;
    if (answer === undefined || answer === null)
      throw new Error("The background did not answer. Does it call `createContextSync` in its first turn?");
    if (!answer.ok) throw new Error(answer.error);
    return answer.value;
  }
  return {
    explain: (message) => call("explain", message),
    flush: (options = {}) => call("flush", options),
    status: () => call("status"),
    pause: (ms) => call("pause", ms ?? null),
    resume: () => call("resume"),
    purge: (account) => call("purge", account),
    deadLetters: {
      list: (limit) => call("deadLetters.list", limit),
      retry: (ids) => call("deadLetters.retry", ids),
      discard: (ids) => call("deadLetters.discard", ids),
    },
    rules: { get: () => call("rules.get"), set: (rules) => call("rules.set", rules) },
  };
}

function browserRuntime(): Runtime {
  const { browser, chrome } = globalThis as { browser?: { runtime?: Runtime }; chrome?: { runtime?: Runtime } };
  const runtime = browser?.runtime ?? chrome?.runtime;
  if (runtime === undefined) throw new TypeError("There are no extension APIs here. Call this in a page of an extension.");
  return runtime;
}
