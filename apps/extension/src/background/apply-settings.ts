import type { ContextSync } from "@periscope/sync/background";
import type { ExtensionApi } from "../extension-api.js";
import { registerPageScript, wantedScript } from "../recording/page-scripts.js";
import type { Settings } from "../settings/settings.js";
import type { SettingsStore } from "../settings/settings-store.js";
import { badgeOf, type Outcome, showBadge } from "./badge.js";
import { readTrouble } from "../words/state-words.js";
import type { Words } from "../words/words.js";

interface SettingsApplierParts {
  api: Pick<ExtensionApi, "action" | "alarms" | "permissions" | "runtime" | "scripting">;
  store: SettingsStore;
  sync: Pick<ContextSync, "status" | "pause" | "resume">;
  words: Words;
  now: () => number;
  outcome: () => Outcome | undefined;
  markTabs: () => Promise<void>;
}

/** The alarm that ends a pause. */
export const resumeAlarm = "periscope-resume";

/**
 * Returns how to apply the settings as they are now: the script in pages, whether the queue sends, the alarm that ends a pause, the badge.
 * Calls that come while one runs are one more run after it. Never rejects: the next change or start tries again.
 */
export function createSettingsApplier({ api, store, sync, words, now, outcome, markTabs }: SettingsApplierParts): () => Promise<void> {
  let last = Promise.resolve();
  let isWaiting = false;

  async function run(): Promise<void> {
    isWaiting = false;
    const { settings, key } = await store.readWithKey();
    await registerPageScript(api.scripting, wantedScript(settings, now()));
    const status = await pauseAs(settings)
      .then(() => sync.status())
      .catch(() => undefined);
    const trouble = await readTrouble(api.permissions, words, { server: settings.server, key, status, now: now() });
    await showBadge(api.action, badgeOf(words, settings, outcome() ?? trouble, now()));
    await markTabs();
  }

  async function pauseAs({ pausedUntil }: Settings): Promise<void> {
    const { reason } = await sync.status();
    if (pausedUntil !== null && pausedUntil > now()) {
      await api.alarms.create(resumeAlarm, { when: pausedUntil });
      if (reason !== "paused") await sync.pause(pausedUntil - now());
    } else {
      await api.alarms.clear(resumeAlarm);
      if (reason === "paused") await sync.resume();
    }
  }

  return () => {
    if (!isWaiting) {
      isWaiting = true;
      last = last.then(run).catch(() => {});
    }
    return last;
  };
}
