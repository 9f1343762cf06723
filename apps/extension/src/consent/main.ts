import { byId, onPress } from "../pages/elements.js";
import { startPage } from "../pages/page-context.js";
import { consentVersion, type Settings } from "../settings/settings.js";
import { everySite } from "../sites/match-patterns.js";

// The page that opens when the extension is installed. Nothing is recorded, and nothing put into pages, before its button is pressed.

const { api, store, words, now } = startPage();
const outcome = byId("outcome", HTMLElement);
const all = byId("all", HTMLInputElement);

onPress(byId("agree", HTMLButtonElement), async () => {
  const siteMode: Settings["siteMode"] = all.checked ? "all-but" : "only";
  // First of all: the browser asks only in the very turn of the press.
  const isAllowed = siteMode === "only" || (await api.permissions.request({ origins: [...everySite] }));
  if (!isAllowed) {
    outcome.textContent = words("consentRefused");
    return;
  }
  await store.change((settings) => ({
    ...settings,
    siteMode,
    account: settings.account || crypto.randomUUID(),
    isRecording: true,
    consent: { version: consentVersion, at: now() },
  }));
  location.assign("options.html");
});

onPress(byId("decline", HTMLButtonElement), () => {
  outcome.textContent = words("consentDeclined");
});
