import { createContextSync } from "@periscope/sync/background";
import { clientOf } from "../connection/connection.js";
import { extensionApi, listen } from "../extension-api.js";
import { finishWithdrawal, forgetSite, withdrawConsent } from "../forget/forget.js";
import { answer } from "../messages.js";
import { askedPages, recordingFilter } from "../recording/recording-filter.js";
import { asksForConsent, haltOf, recordingOf } from "../recording/page-state.js";
import { createSettingsStore } from "../settings/settings-store.js";
import { hasAccessTo } from "../sites/sites.js";
import { markBlockedTabs, type Outcome } from "./badge.js";
import { createWords } from "../words/words.js";
import { destinationOf } from "./destination.js";
import { createSettingsApplier, resumeAlarm } from "./apply-settings.js";
import { createHealthReport } from "./health-report.js";
import { createInstallationId } from "./installation-id.js";
import { createPageNotes } from "./page-notes.js";
import { pdfReader } from "./pdf-reader.js";
import { recordedPages } from "./recorded-pages.js";
import { answerRequests } from "./requests.js";

// The worker. All listeners are registered in this first turn: the event that started it follows.

const api = extensionApi();
const now = () => Date.now();
const outcomeMs = 3_000;
const words = createWords(api.i18n);
const store = createSettingsStore(api.storage);
const asked = askedPages();
const notes = createPageNotes(api, now);
const filter = notes.noting(
  recordingFilter({
    settings: store.read,
    now,
    hasAccess: async (url, message) => (await hasAccessTo(api.permissions, url)) || asked.covers({ ...message, url }),
  }),
);
const sync = createContextSync({
  ...destinationOf(store),
  filter,
  // Agents hear within a second to which page the person has turned.
  batch: { waitMs: 500 },
  extensionId: createInstallationId(api.storage, navigator.userAgent),
  onEvent() {
    void applySettings();
    void reportHealth();
  },
  onSettled: (settled) => void notes.settle(settled),
  ...recordedPages({ store, permissions: api.permissions, scripting: api.scripting, now, readPdf: pdfReader(api) }),
});
const reportHealth = createHealthReport({
  sync,
  storage: api.storage,
  version: api.runtime.getManifest().version,
  async account() {
    const settings = await store.read();
    return haltOf(settings, now()) === undefined ? settings.account : "";
  },
  now,
});
let outcome: Outcome | undefined;
const markTabs = markBlockedTabs(api, { store, words, now });
const applySettings = createSettingsApplier({ api, store, sync, words, now, outcome: () => outcome, markTabs });

async function show(next: Outcome): Promise<void> {
  outcome = next;
  await applySettings();
  await new Promise((resolve) => setTimeout(resolve, outcomeMs));
  outcome = undefined;
  await applySettings();
}

store.onChange(applySettings);
store.onChange(reportHealth);
listen(api.permissions.onAdded, applySettings);
listen(api.permissions.onRemoved, applySettings);
listen(api.alarms.onAlarm, async ({ name }) => {
  if (name === resumeAlarm) await applySettings();
});
listen(api.runtime.onInstalled, async ({ reason }) => {
  if (asksForConsent(reason, await store.read())) await api.tabs.create({ url: api.runtime.getURL("welcome.html") });
});
const { recordNow } = answerRequests({ api, store, words, now, asked, show });
answer(api.runtime, {
  recording: async () => recordingOf(await store.read(), now()),
  pageNote: ({ tabId }) => notes.of(tabId),
  recordNow: ({ tabId }) => recordNow(tabId),
  withdrawConsent: () => withdrawConsent({ store, sync }).then(() => true as const),
  forgetSite: ({ site }) => forgetSite({ store, sync, client: async () => clientOf(await store.readWithKey()) }, site),
});

// Keeps content scripts out of `storage.local`. Firefox has no way to.
void (api.storage.local as Partial<typeof api.storage.local>).setAccessLevel?.({ accessLevel: "TRUSTED_CONTEXTS" });
void finishWithdrawal({ store, sync }).catch(() => {});
void applySettings();
void reportHealth();
