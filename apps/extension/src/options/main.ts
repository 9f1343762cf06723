import { privacyLevels } from "@periscope/privacy";
import { send } from "../messages.js";
import { byId, make, onEvent, onPress } from "../pages/elements.js";
import { startPage } from "../pages/page-context.js";
import { serverForm } from "../pages/server-form.js";
import { hasConsent } from "../recording/page-state.js";
import { siteRulesOf } from "../recording/policy.js";
import type { Captures } from "../settings/settings.js";
import { everySite, hostPatternsOf } from "../sites/sites.js";
import { messageName } from "../words/words.js";
import { sitesSection } from "./sites-section.js";

// The options. Each change holds at once, but for server and key, which are saved together.

const context = startPage();
const { api, store, words } = context;
const recording = byId("recording", HTMLButtonElement);
const captures = [...document.querySelectorAll<HTMLInputElement>("[data-capture]")];
const switches = [...document.querySelectorAll<HTMLInputElement>("[data-switch]")];
const switchOf = (box: HTMLInputElement) => box.dataset["switch"] as "keepsWholePages" | "readsPdfs";
const nameOf = (box: HTMLInputElement) => box.dataset["capture"] as keyof Captures;
const showServer = serverForm(context);
const showSites = sitesSection(context);
let wanted: string[] = [];

const levels = privacyLevels.map((level) => {
  const radio = make("input", { type: "radio", name: "level", id: `level-${level}` });
  onEvent(radio, "change", async () => void (await store.change((settings) => ({ ...settings, level }))));
  const name = make("strong", {}, words(messageName("level", level)));
  const meaning = make("span", { class: "hint" }, words(messageName("meaning", level)));
  byId("levels").append(make("label", { class: "choice" }, radio, make("span", {}, name, meaning)));
  return [level, radio] as const;
});
onPress(recording, async () => void (await store.change((settings) => ({ ...settings, isRecording: !settings.isRecording }))));
// Read now: the box may be drawn again before the change is saved.
for (const box of switches) {
  onEvent(box, "change", async () => {
    const { checked } = box;
    await store.change((settings) => ({ ...settings, [switchOf(box)]: checked }));
  });
}
for (const box of captures) {
  onEvent(box, "change", async () => {
    const { checked } = box;
    await store.change((settings) => ({ ...settings, captures: { ...settings.captures, [nameOf(box)]: checked } }));
  });
}
onPress(byId("allow"), async () => {
  const isAllowed = await api.permissions.request({ origins: wanted });
  byId("access-outcome").textContent = isAllowed ? "" : words("accessRefused");
});
onPress(byId("withdraw"), async () => {
  const isDone = await send(api.runtime, "withdrawConsent", {}).catch(() => false);
  // Without an answer too: nothing more is recorded.
  if (!isDone) await store.change((settings) => ({ ...settings, consent: null }));
  // Not every browser gives back what it gave at the installation.
  await api.permissions.remove({ origins: [...everySite] }).catch(() => false);
  await show();
  byId("consent").textContent = words(isDone ? "aboutWithdrawn" : "troubleBackground");
});

async function show(): Promise<void> {
  const settings = await store.read();
  const { consent, level, siteMode } = settings;
  recording.setAttribute("aria-checked", String(settings.isRecording));
  for (const [each, radio] of levels) radio.checked = each === level;
  for (const box of captures) box.checked = settings.captures[nameOf(box)];
  for (const box of switches) box.checked = settings[switchOf(box)];
  wanted = siteMode === "only" ? siteRulesOf(settings).recorded.flatMap(hostPatternsOf) : [...everySite];
  byId("access").hidden = consent === null || wanted.length === 0 || (await api.permissions.contains({ origins: wanted }));
  const isGiven = hasConsent(settings);
  const date = new Intl.DateTimeFormat(undefined, { dateStyle: "long" }).format(consent?.at);
  byId("consent").textContent = isGiven ? words("aboutConsent", date) : words("aboutNoConsent");
  byId("withdraw").hidden = !isGiven;
  byId("read").hidden = isGiven;
  showSites(settings);
  await showServer();
}

store.onChange(show);
api.permissions.onAdded.addListener(() => void show());
api.permissions.onRemoved.addListener(() => void show());
await show();
document.body.dataset["ready"] = "";
