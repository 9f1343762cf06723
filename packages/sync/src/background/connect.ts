import { type Answer, globalApis, protocolVersion, type Request } from "../protocol.js";
import type { ContextSync } from "./context-sync.js";

const methods = ["flush", "status", "check", "pause", "resume", "removeAccount"] as const;
const letterMethods = ["list", "retry", "discard"] as const;

/** The background as pages of the extension see it. Each call rejects with the background's words when it fails. */
export type RemoteContextSync = Pick<ContextSync, (typeof methods)[number] | "deadLetters">;

/**
 * Calls a method for a page of the extension. Messages are JSON: they carry no functions, and `undefined` as null.
 * @throws TypeError when there is no such method for pages
 */
export async function callMethod(sync: ContextSync, name: string, args: readonly unknown[]): Promise<unknown> {
  const own = methods.find((each) => each === name);
  const letter = letterMethods.find((each) => `deadLetters.${each}` === name);
  const method: ((...args: never[]) => Promise<unknown>) | undefined = own ? sync[own] : letter && sync.deadLetters[letter];
  if (method === undefined) throw new TypeError(`There is no method "${name}".`);
  return await method(...(args.map((arg) => arg ?? undefined) as never[]));
}

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
export function connectContextSync(runtime = (globalApis() as { runtime?: Runtime } | undefined)?.runtime): RemoteContextSync {
  if (runtime === undefined) throw new TypeError("There are no extension APIs here. Call this in a page of one.");
  const call = async (method: string, args: unknown[]): Promise<unknown> => {
    const request: Request = { periscope: protocolVersion, kind: "call", method, args };
    const answer = (await runtime.sendMessage(request)) as Answer<unknown> | undefined | null;
    if (answer === undefined || answer === null)
      throw new Error("The background did not answer. Call `createContextSync` at its top level.");
    if (!answer.ok) throw new Error(answer.error);
    return answer.value;
  };
  const remote = (prefix: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => call(prefix + name, args)]));
  return { ...remote("", methods), deadLetters: remote("deadLetters.", letterMethods) } as object as RemoteContextSync;
}
