import type { ContextSyncOptions } from "@periscope/sync/background";
import { hasConsent } from "../recording/page-state.js";
import type { SettingsStore } from "../settings/settings-store.js";

/**
 * Where messages go, and as whose, by the settings of that moment. Address and key are given for the account that they belong to alone: it names server and
 * person, so that a key never goes to another server, even if the settings change while a request is made.
 */
export function destinationOf(
  store: Pick<SettingsStore, "read" | "readWithKey">,
): Required<Pick<ContextSyncOptions, "account" | "baseUrl" | "apiKey">> {
  async function settingsOf(account: string) {
    const found = await store.readWithKey();
    return found.settings.account === account ? found : undefined;
  }
  return {
    async account() {
      const settings = await store.read();
      const { account, server } = settings;
      // Without consent nothing is sent of what still waits, either.
      return server === "" || account === "" || !hasConsent(settings) ? null : account;
    },
    baseUrl: async (account) => (await settingsOf(account))?.settings.server,
    apiKey: async (account) => (await settingsOf(account))?.key,
  };
}
