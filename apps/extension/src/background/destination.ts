import type { SettingsStore } from "../settings/settings-store.js";

/** Where messages go, and as whose: what the queue asks for before each attempt. */
export interface Destination {
  /** Stands for whichever server is set; nothing ever goes there. */
  endpoint: string;
  account: () => Promise<string | null>;
  token: (account: string) => Promise<string>;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

const endpoint = "https://server-of-the-settings.invalid/api/v1";

/**
 * The server of the settings as the queue sees it, which is made before anything can be read. A key goes only to the server that it was beside when it was
 * read, even if the settings change while a request is made.
 */
export function destinationOf(store: Pick<SettingsStore, "read" | "readWithKey">, send: Destination["fetch"]): Destination {
  let last: { authorization: string; server: string } | undefined;
  return {
    endpoint,
    async account() {
      const { account, server } = await store.read();
      return server === "" || account === "" ? null : account;
    },
    async token(account) {
      const { settings, key } = await store.readWithKey();
      if (key === "" || settings.account !== account) throw new Error("There is no key for this account.");
      last = { authorization: `Bearer ${key}`, server: settings.server };
      return key;
    },
    async fetch(url, init) {
      const authorization = new Headers(init.headers).get("Authorization");
      if (last === undefined || last.authorization !== authorization || !url.startsWith(endpoint)) {
        throw new Error("There is no server for this request.");
      }
      return await send(last.server + url.slice(endpoint.length), init);
    },
  };
}
