import type { ContextSync } from "@periscope/sync/background";
import type { SettingsStore } from "../settings/settings-store.js";

/** What is needed to withdraw. */
export interface Withdrawing {
  store: Pick<SettingsStore, "change">;
  sync: Pick<ContextSync, "remove" | "removeAccount">;
}

/** Withdraws the consent, and deletes what waits: of the account of now, for which nothing is on its way afterwards, and of all that were before. */
export async function withdrawConsent({ store, sync }: Withdrawing): Promise<void> {
  const settings = await store.change((settings) => ({ ...settings, consent: null }));
  if (settings !== undefined && settings.account !== "") await sync.removeAccount(settings.account);
  await sync.remove(() => true);
}
