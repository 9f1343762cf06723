import { expect, test } from "vitest";
import { memoryLocks } from "@periscope/sync/testing";
import { memoryStorage } from "../../test/memory-storage.js";
import { createSettingsStore } from "./settings-store.js";

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
