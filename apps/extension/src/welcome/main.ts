import { ApiError, type HistoryItem } from "@periscope/client";
import { createClient } from "../connection/connection.js";
import { byId, onPress, say } from "../pages/elements.js";
import { startPage } from "../pages/page-context.js";
import { serverForm } from "../pages/server-form.js";
import { hasConsent } from "../recording/page-state.js";
import { siteRulesOf } from "../recording/policy.js";
import { consentVersion, type Settings } from "../settings/settings.js";
import { everySite } from "../sites/sites.js";
import { readTrouble } from "../words/state-words.js";
import { messageName, timeWords } from "../words/words.js";

// The page that opens when the extension is installed: consent, then server and key, then the first page that arrives. Nothing is recorded or put into pages
// before consent.

/** Milliseconds between two looks at the server. */
const lookMs = 1_000;
const context = startPage();
const { api, store, sync, words, now } = context;
const openedAt = now();
const showServer = serverForm(context);
let step: "agree" | "connect" | "ready" | undefined;

onPress(byId("agree"), async () => {
  const siteMode: Settings["siteMode"] = byId("all", HTMLInputElement).checked ? "all-but" : "only";
  // First of all: the browser asks only in the very turn of the press.
  const isAllowed = siteMode === "only" || (await api.permissions.request({ origins: [...everySite] }));
  say(byId("outcome"), isAllowed ? undefined : words("consentRefused"));
  if (!isAllowed) return;
  await store.change((settings) => ({ ...settings, siteMode, isRecording: true, consent: { version: consentVersion, at: now() } }));
});
onPress(byId("decline"), () => say(byId("outcome"), words("consentDeclined")));
onPress(byId("open-options"), async () => await api.runtime.openOptionsPage());

async function show(): Promise<void> {
  const settings = await store.read();
  const next = !hasConsent(settings) ? "agree" : settings.account === "" ? "connect" : "ready";
  await showServer();
  const isUnnamed = settings.siteMode === "only" && siteRulesOf(settings).recorded.length === 0;
  say(byId("ready-lead"), words(isUnnamed ? "readyLeadUnnamed" : "readyLead"));
  say(byId("open-options"), words(isUnnamed ? "readyNameSite" : "popupOptions"));
  byId("open-options").classList.toggle("primary", isUnnamed);
  byId("first").hidden = isUnnamed;
  if (next === step) return;
  step = next;
  const names = ["agree", "connect", "ready"] as const;
  for (const [index, name] of names.entries()) {
    byId(`step-${name}`).hidden = name !== next;
    const mark = byId(`mark-${name}`);
    mark.dataset["done"] = String(index < names.indexOf(next));
    if (name === next) mark.setAttribute("aria-current", "step");
    else mark.removeAttribute("aria-current");
  }
  if (document.body.dataset["ready"] !== undefined) byId(`title-${next}`).focus();
}

/** Shows the first page that was stored since this one was opened, and whether the button is pinned. Resolves to whether there is nothing left to look for. */
async function look(): Promise<boolean> {
  if (step !== "ready") return false;
  // Firefox does not say it in every version.
  const pinned = await (api.action as Partial<typeof api.action>).getUserSettings?.();
  byId("pin").dataset["done"] = String(pinned?.isOnToolbar === true);
  const { settings, key } = await store.readWithKey();
  const since = new Date(openedAt).toISOString();
  const first = await createClient(settings.server, key)
    .history({ limit: 1, type: "page", since })
    .then(
      ({ items }) => items[0],
      (error: unknown) => (ApiError.is(error) && error.code === "forbidden" ? "not-readable" : undefined),
    );
  if (first !== undefined) {
    if (first === "not-readable") say(byId("first-state"), words("firstNotReadable"));
    else showFirst(first);
    return pinned === undefined || pinned.isOnToolbar;
  }
  const status = await sync.status();
  const trouble = await readTrouble(api.permissions, words, { server: settings.server, key, status, now: now() });
  say(byId("first-state"), trouble?.text ?? (status.waiting > 0 ? words("queueSending", status.waiting) : words("firstWaiting")));
  return false;
}

function showFirst({ title, url, timestamp, privacyLevel }: HistoryItem): void {
  byId("first").dataset["done"] = "true";
  say(byId("first-state"), words("firstArrived"));
  say(byId("first-title"), title || url);
  say(
    byId("first-more"),
    [new URL(url).host, timeWords(Date.parse(timestamp), now()), words(messageName("level", privacyLevel))].join(" · "),
  );
}

store.onChange(show);
await show();
document.body.dataset["ready"] = "";
// Each look may wake the background, so nobody looks while nobody sees it.
for (let isDone = false; !isDone;) {
  if (document.visibilityState === "visible") isDone = await look().catch(() => false);
  await new Promise((resolve) => setTimeout(resolve, lookMs));
}
