import type { CallRequest, RemoteMethod } from "../protocol/index.js";
import type { ContextSync } from "./context-sync.js";

type Method = (sync: ContextSync, ...args: never[]) => Promise<unknown>;

/** What pages of the extension may call: they are the extension itself, and hand in what the types of `connectContextSync` let them. */
const methods: Readonly<Record<RemoteMethod, Method>> = {
  explain: (sync, message: Parameters<ContextSync["explain"]>[0]) => sync.explain(message),
  flush: (sync, options?: { deadlineMs?: number }) => sync.flush(options ?? {}),
  status: (sync) => sync.status(),
  pause: (sync, ms?: number | null) => sync.pause(ms ?? undefined),
  resume: (sync) => sync.resume(),
  purge: (sync, account: string) => sync.purge(account),
  "deadLetters.list": (sync, limit: number) => sync.deadLetters.list(limit),
  "deadLetters.retry": (sync, ids: readonly string[]) => sync.deadLetters.retry(ids),
  "deadLetters.discard": (sync, ids: readonly string[]) => sync.deadLetters.discard(ids),
  "rules.get": (sync) => sync.rules.get(),
  "rules.set": (sync, rules: Parameters<ContextSync["rules"]["set"]>[0]) => sync.rules.set(rules),
};

/** Calls a method for a page. Rejects as the method does, and with a TypeError for one that there is not. */
export async function callRemote(sync: ContextSync, { method, args }: CallRequest): Promise<unknown> {
  if (!Object.hasOwn(methods, method)) throw new TypeError(`There is no method "${method}".`);
  return await methods[method](sync, ...(args as never[]));
}
