import type { WorkerAsk } from "../background/asks.js";
import { byId, onPress } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { hasConsent } from "../recording/page-state.js";
import type { Settings } from "../settings/settings.js";
import { everySite } from "../sites/match-patterns.js";

/** The consent, and how to withdraw it: then nothing is recorded, what waits is deleted, and the browser's leave is given back. Returns how to show it. */
export function consentSection({ api, store, words }: PageContext, changed: () => Promise<void>) {
  const shown = byId("consent", HTMLElement);
  const withdraw = byId("withdraw", HTMLButtonElement);

  onPress(withdraw, async () => {
    const ask: WorkerAsk = { extension: "periscope", ask: "withdraw-consent" };
    const isDone = (await api.runtime.sendMessage(ask).catch(() => null)) === true;
    // Without an answer too: nothing more is recorded.
    if (!isDone) await store.change((settings) => ({ ...settings, consent: null }));
    // Not every browser gives back what it gave at the installation.
    await api.permissions.remove({ origins: [...everySite] }).catch(() => false);
    await changed();
    shown.textContent = words(isDone ? "aboutWithdrawn" : "troubleBackground");
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
