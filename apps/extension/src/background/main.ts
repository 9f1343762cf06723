import { createContextSync } from "@periscope/sync/background";
import { createClient } from "../connection/client.js";
import { extensionApi } from "../extension-api.js";
import { forgetSite } from "../forget/forget-site.js";
import { withdrawConsent } from "../forget/withdraw-consent.js";
import { answer } from "../messages.js";
import { askedPages } from "../recording/asked-pages.js";
import { asksForConsent, haltOf, readsPdf, recordingOf, ruleAgainst } from "../recording/page-state.js";
import { recordingFilter } from "../recording/recording-filter.js";
import { createSettingsStore } from "../settings/settings-store.js";
import { hasAccessTo } from "../sites/site-access.js";
import type { Outcome } from "../words/badge.js";
import { wordsOf } from "../words/words.js";
import { destinationOf } from "./destination.js";
import { keepInLine, resumeAlarm } from "./keep-in-line.js";
import { createPageNotes } from "./page-notes.js";
import { pdfReader } from "./pdf-reader.js";
import { answerRequests } from "./requests.js";
import { markBlockedTabs } from "./tab-badges.js";
import { withWantedNavigations } from "./wanted-navigations.js";
import { whenever } from "./whenever.js";

// The worker: everything is made and every listener registered in this one turn, since the event that started it comes right after.

const api = extensionApi();
const now = () => Date.now();
const outcomeMs = 3_000;
const words = wordsOf(api.i18n);
const store = createSettingsStore(api.storage, navigator.locks);
const asked = askedPages();
const notes = createPageNotes(api, now);
const filter = notes.noting(
  recordingFilter({
    settings: store.read,
    now,
    hasAccess: async (url, message) => (await hasAccessTo(api.permissions, url)) || asked.covers({ ...message, url }),
  }),
);
const apis = withWantedNavigations(api, async (url) => {
  const settings = await store.read();
  return haltOf(settings, now()) === undefined && ruleAgainst(settings, url) === undefined;
});
const readPdf = pdfReader(api);
const sync = createContextSync({
  ...destinationOf(store),
  apis,
  filter,
  onEvent: () => void inLine(),
  onSettled: (settled) => void notes.settle(settled),
  readPage: async ({ url }) => (readsPdf(await store.read(), url, now()) ? await readPdf(url) : undefined),
});
let outcome: Outcome | undefined;
const markTabs = markBlockedTabs(api, { store, words, now });
const inLine = keepInLine({ api, store, sync, words, now, outcome: () => outcome, markTabs });

async function show(next: Outcome): Promise<void> {
  outcome = next;
  await inLine();
  await new Promise((resolve) => setTimeout(resolve, outcomeMs));
  outcome = undefined;
  await inLine();
}

store.onChange(inLine);
whenever(api.permissions.onAdded, inLine);
whenever(api.permissions.onRemoved, inLine);
whenever(api.alarms.onAlarm, async ({ name }) => {
  if (name === resumeAlarm) await inLine();
});
whenever(api.runtime.onInstalled, async ({ reason }) => {
  if (asksForConsent(reason, await store.read())) await api.tabs.create({ url: api.runtime.getURL("welcome.html") });
});
const { recordNow } = answerRequests({ api, store, words, now, asked, show });
answer(api.runtime, {
  recording: async () => recordingOf(await store.read(), now()),
  pageNote: ({ tabId }) => notes.of(tabId),
  recordNow: ({ tabId }) => recordNow(tabId),
  withdrawConsent: () => withdrawConsent({ store, sync }).then(() => true as const),
  forgetSite: ({ site }) => forgetSite({ store, sync, client }, site),
});

async function client() {
  const { settings, key } = await store.readWithKey();
  return settings.server === "" || key === "" ? undefined : createClient(settings.server, key);
}

// Scripts in pages can read `storage.local` unless they are kept out; Firefox keeps them out of nothing, and gives no way to.
void (api.storage.local as Partial<typeof api.storage.local>).setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
void inLine();
