import { createQueue } from "@periscope/sync/core";
import { memoryStore } from "@periscope/sync/testing";
import { expect, test } from "vitest";
import { memoryStorage } from "../../test/memory-storage.js";
import { createSettingsStore } from "../settings/settings-store.js";
import { withdrawConsent } from "./forget.js";

test("without consent nothing waits any more, of whatever account", async () => {
  const store = createSettingsStore(memoryStorage());
  const agreed = { version: 1, at: 1 };
  const sync = createQueue({
    baseUrl: "https://periscope.example",
    account: async () => (await store.read()).account,
    apiKey: "psk_1",
    filter: (message) => ({ keep: true, message }),
    store: memoryStore(),
  });
  const useAccount = (account: string) => store.change((settings) => ({ ...settings, consent: agreed, account }));
  const waiting = async () => (await sync.status()).waiting;
  for (const account of ["former", "present"]) {
    await useAccount(account);
    await sync.enqueue({ type: "heartbeat" });
    expect(await waiting()).toBe(1);
  }
  await withdrawConsent({ store, sync });
  expect((await store.read()).consent).toBeNull();
  expect(await waiting()).toBe(0);
  await useAccount("former");
  expect(await waiting()).toBe(0);
});
