import { expect, test } from "vitest";
import { englishWords } from "../../test/english-words.js";
import { memoryStorage } from "../../test/memory-storage.js";
import { initialSettings, type Settings } from "../settings/settings.js";
import { createSettingsStore } from "../settings/settings-store.js";
import { createSettingsApplier } from "./apply-settings.js";

type Parts = Parameters<typeof createSettingsApplier>[0];

const ready: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, server: "https://periscope.example/api/v1", account: "a" };

/** What applying the settings does, with a queue that says this of itself. */
async function applied(status: () => Promise<object>, settings: Partial<Settings> = {}) {
  const storage = memoryStorage();
  await storage.local.set({ settings: { ...ready, ...settings }, key: "psk_1" });
  const done: string[] = [];
  const does = (name: string) => async (given?: object) => void done.push(given === undefined ? name : `${name} ${JSON.stringify(given)}`);
  let badge = "";
  const api = {
    action: {
      setBadgeText: async ({ text }: { text: string }) => void (badge = text),
      setTitle: async () => {},
      setBadgeBackgroundColor: async () => {},
    },
    alarms: { create: async () => void done.push("alarm"), clear: async () => {} },
    permissions: { contains: async () => true },
    scripting: { getRegisteredContentScripts: async () => [], registerContentScripts: does("script") },
  } as unknown as Parts["api"];
  const sync = { status, pause: does("pause"), resume: does("resume") } as unknown as Parts["sync"];
  const store = createSettingsStore(storage);
  await createSettingsApplier({
    api,
    store,
    sync,
    words: englishWords,
    now: () => 1_000,
    outcome: () => undefined,
    markTabs: does("tabs"),
  })();
  return { badge, done: done.map((each) => each.split(" ")[0]) };
}

const well = { waiting: 0, deadLetters: 0, blockedUntil: null, reason: "idle", lastErrorCode: null, unreported: {} };

test("a disk that cannot be read is on the badge, and the rest is applied", async () => {
  const failing = () => Promise.reject(new Error("The database did not open in 5 s."));
  expect(await applied(failing)).toEqual({ badge: "!", done: ["script", "tabs"] });
});

test.each<[string, object, Partial<Settings>, string[]]>([
  ["begins a pause", well, { pausedUntil: 5_000 }, ["alarm", "pause", "tabs"]],
  ["leaves a pause as it is", { ...well, reason: "paused" }, { pausedUntil: 5_000 }, ["alarm", "tabs"]],
  ["ends a pause", { ...well, reason: "paused" }, { pausedUntil: 500 }, ["script", "resume", "tabs"]],
])("%s", async (_, status, settings, done) => {
  expect((await applied(async () => status, settings)).done).toEqual(done);
});
