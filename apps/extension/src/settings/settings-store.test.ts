import { expect, test } from "vitest";
import { memoryStorage } from "../../test/memory-storage.js";
import { createSettingsStore } from "./settings-store.js";

test("changes of two pages at once are both kept", async () => {
  const storage = memoryStorage();
  const [options, popup] = [createSettingsStore(storage), createSettingsStore(storage)];
  await Promise.all([
    options.change((settings) => ({ ...settings, sites: [{ site: "a.example", rule: "blocked" }] })),
    popup.change((settings) => ({ ...settings, isRecording: false })),
  ]);
  expect(await options.read()).toMatchObject({ sites: [{ site: "a.example" }], isRecording: false });
  expect(await options.read()).toBe(await options.read());
});

test("a change that could not be read again is refused, and what was there stays", async () => {
  const store = createSettingsStore(memoryStorage());
  const sites = Array.from({ length: 1_000 }, (_, index) => ({ site: `s${index}.example`, rule: "blocked" as const }));
  await store.change((settings) => ({ ...settings, consent: { version: 1, at: 1 }, sites }));
  const more = [...sites, { site: "more.example", rule: "usual" as const }];
  expect(await store.change((settings) => ({ ...settings, sites: more }))).toBeUndefined();
  const wrong = [{ site: "a b", rule: "blocked" as const }];
  expect(await store.change((settings) => ({ ...settings, sites: wrong }), "psk_other")).toBeUndefined();
  expect(await store.readWithKey()).toMatchObject({ settings: { consent: { at: 1 }, sites }, key: "" });
});

test("the key is beside the settings and never in them", async () => {
  const storage = memoryStorage();
  const store = createSettingsStore(storage);
  let calls = 0;
  store.onChange(async () => void (calls += 1));
  const settings = await store.change((settings) => ({ ...settings, server: "https://periscope.example/api/v1" }), "psk_secret");
  expect(JSON.stringify(settings)).not.toContain("psk_secret");
  expect(await store.readWithKey()).toEqual({ settings, key: "psk_secret" });
  expect(calls).toBe(1);
});
