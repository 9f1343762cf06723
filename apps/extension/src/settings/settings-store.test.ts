import { expect, test } from "vitest";
import { memoryLocks } from "@periscope/sync/testing";
import { memoryStorage } from "../../test/memory-storage.js";
import { createSettingsStore, SettingsRefused } from "./settings-store.js";

test("changes of two pages at once are both kept", async () => {
  const storage = memoryStorage();
  const locks = memoryLocks();
  const request = <T>(name: string, work: () => Promise<T>) => locks.request(name, {}, work);
  const [options, popup] = [createSettingsStore(storage, { request }), createSettingsStore(storage, { request })];
  await Promise.all([
    options.change((settings) => ({ ...settings, blockedSites: ["a.example"] })),
    popup.change((settings) => ({ ...settings, isRecording: false })),
  ]);
  expect(await options.read()).toMatchObject({ blockedSites: ["a.example"], isRecording: false });
  expect(await options.read()).toBe(await options.read());
});

test("a change that could not be read again is refused, and what was there stays", async () => {
  const store = createSettingsStore(memoryStorage(), { request: (_, work) => work() });
  const sites = Array.from({ length: 1_000 }, (_, index) => `s${index}.example`);
  await store.change((settings) => ({ ...settings, consent: { version: 1, at: 1 }, blockedSites: sites }));
  await expect(store.change((settings) => ({ ...settings, blockedSites: [...sites, "more.example"] }))).rejects.toThrow(SettingsRefused);
  await expect(store.changeWithKey((settings) => ({ ...settings, onlySites: ["a b"] }), "psk_other")).rejects.toThrow("onlySites");
  expect(await store.readWithKey()).toMatchObject({ settings: { consent: { at: 1 }, blockedSites: sites, onlySites: [] }, key: "" });
});

test("the key is beside the settings and never in them", async () => {
  const storage = memoryStorage();
  const store = createSettingsStore(storage, { request: (_, work) => work() });
  let told = 0;
  store.onChange(async () => void (told += 1));
  const settings = await store.changeWithKey((settings) => ({ ...settings, server: "https://periscope.example/api/v1" }), "psk_secret");
  expect(JSON.stringify(settings)).not.toContain("psk_secret");
  expect(await store.readWithKey()).toEqual({ settings, key: "psk_secret" });
  expect(told).toBe(1);
});
