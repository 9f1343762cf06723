import { createContextSync } from "@periscope/sync/background";
import type { SyncEvent } from "@periscope/sync/core";
import { extensionApi } from "../extension-api.js";
import { forgetSite } from "../forget/forget-site.js";
import { withdrawConsent } from "../forget/withdraw-consent.js";
import { askedPages } from "../recording/asked-pages.js";
import { asksForConsent, haltOf, ruleAgainst } from "../recording/page-state.js";
import { recordingPrivacy } from "../recording/recording-privacy.js";
import { answered } from "../settings/account.js";
import { createSettingsStore } from "../settings/settings-store.js";
import { hasAccessTo } from "../sites/site-access.js";
import type { Outcome } from "../words/badge.js";
import { wordsOf } from "../words/words.js";
import { answerAsks } from "./asks.js";
import { destinationOf } from "./destination.js";
import { keepInLine, resumeAlarm } from "./keep-in-line.js";
import { answerRequests } from "./requests.js";
import { withWantedNavigations } from "./wanted-navigations.js";
import { whenever } from "./whenever.js";

// The worker: everything is made and every listener registered in this one turn, since the event that started it comes right after.

const api = extensionApi();
const now = () => Date.now();
const outcomeMs = 3_000;
const send = (url: string, init: RequestInit) => fetch(url, init);
const words = wordsOf(api.i18n);
const store = createSettingsStore(api.storage, navigator.locks);
const asked = askedPages();
const privacy = recordingPrivacy({
  settings: store.read,
  now,
  hasAccess: async (url, message) => (await hasAccessTo(api.permissions, url)) || asked.covers({ ...message, url }),
});
const apis = withWantedNavigations(api, async (url) => {
  const settings = await store.read();
  return haltOf(settings, now()) === undefined && ruleAgainst(settings, url) === undefined;
});
const sync = createContextSync({ ...destinationOf(store, send), apis, privacy, onEvent });
let outcome: Outcome | undefined;
const inLine = keepInLine({ api, store, sync, words, now, outcome: () => outcome });

function onEvent({ type }: SyncEvent): void {
  void inLine();
  if (type === "batch") void noteAnswer();
}

async function show(next: Outcome): Promise<void> {
  outcome = next;
  await inLine();
  await new Promise((resolve) => setTimeout(resolve, outcomeMs));
  outcome = undefined;
  await inLine();
}

async function noteAnswer(): Promise<void> {
  const { server, answeredServer } = await store.read();
  if (server !== answeredServer) await store.change(answered);
}

store.onChange(inLine);
whenever(api.permissions.onAdded, inLine);
whenever(api.permissions.onRemoved, inLine);
whenever(api.alarms.onAlarm, async ({ name }) => {
  if (name === resumeAlarm) await inLine();
});
whenever(api.runtime.onInstalled, async ({ reason }) => {
  if (asksForConsent(reason, await store.read())) await api.tabs.create({ url: api.runtime.getURL("consent.html") });
});
answerRequests({ api, store, words, now, asked, show });
answerAsks(api.runtime, {
  captures: async () => {
    const settings = await store.read();
    return haltOf(settings, now()) === undefined ? settings.captures : undefined;
  },
  withdrawConsent: () => withdrawConsent({ store, sync }),
  forgetSite: (site) => forgetSite({ store, sync, fetch: send }, site),
});
// Scripts in pages can read `storage.local` unless they are kept out; Firefox keeps them out of nothing, and gives no way to.
void (api.storage.local as Partial<typeof api.storage.local>).setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
void inLine();
