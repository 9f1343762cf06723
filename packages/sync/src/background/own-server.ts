import { readSetting } from "../core/connection.js";
import { accountOf } from "../core/options.js";
import type { ContextSyncOptions } from "./context-sync.js";

/**
 * Returns how to ask whether an address is one of the server itself: of the origin (scheme, host and port) that `baseUrl` has at that moment. Its pages are not
 * recorded, since they show what was recorded: a text that is deleted or restricted there would be stored once more.
 */
export function ownServer(options: Pick<ContextSyncOptions, "baseUrl" | "account">): (url: string) => Promise<boolean> {
  const readAccount = accountOf(options);
  return async (url) => {
    const origin = originOf(url);
    return origin !== undefined && origin === originOf((await readSetting(options.baseUrl, (await readAccount()) ?? "")) ?? "");
  };
}

/** Undefined for what is no address of a web page. */
function originOf(address: string): string | undefined {
  const text = address.trim();
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).origin : undefined;
}
