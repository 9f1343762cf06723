import { byId, onPress } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { hasConsent } from "../recording/page-state.js";
import type { Settings } from "../settings/settings.js";
import { everySite } from "../sites/match-patterns.js";

/** The consent, and how to withdraw it: then nothing is recorded, what waits is deleted, and the browser's leave is given back. Returns how to show it. */
export function consentSection({ api, store, sync, words }: PageContext, changed: () => Promise<void>) {
  const shown = byId("consent", HTMLElement);
  const withdraw = byId("withdraw", HTMLButtonElement);

  onPress(withdraw, async () => {
    const { account } = await store.change((settings) => ({ ...settings, consent: null }));
    if (account !== "") await sync.purge(account);
    // Not every browser gives back what it gave at the installation.
    await api.permissions.remove({ origins: [...everySite] }).catch(() => false);
    await changed();
    shown.textContent = words("aboutWithdrawn");
  });

  return (settings: Settings): void => {
    const at = settings.consent?.at;
    const isGiven = hasConsent(settings) && at !== undefined;
    shown.textContent = isGiven
      ? words("aboutConsent", new Intl.DateTimeFormat(undefined, { dateStyle: "long" }).format(at))
      : words("aboutNoConsent");
    withdraw.hidden = !isGiven;
    byId("read", HTMLAnchorElement).hidden = isGiven;
  };
}
