import { createQueue, type Store } from "@periscope/sync/core";
import { fakeService, memoryStore } from "@periscope/sync/testing";
import { expect, test } from "vitest";
import { memoryStorage } from "../../test/memory-storage.js";
import { destinationOf } from "../background/destination.js";
import { initialSettings } from "../settings/settings.js";
import { createSettingsStore } from "../settings/settings-store.js";
import { finishWithdrawal, withdrawConsent } from "./forget.js";

const agreed = { version: 1, at: 1 };

/** A background that has a server, a key and consent. */
async function startBackground(disk: Store = memoryStore()) {
  const storage = memoryStorage();
  const settings = { ...initialSettings, consent: agreed, server: "https://periscope.example/api/v1", account: "present" };
  await storage.local.set({ settings, key: "psk_1" });
  const store = createSettingsStore(storage);
  const service = fakeService();
  const sync = createQueue({
    ...destinationOf(store),
    filter: (message) => ({ keep: true, message }),
    store: disk,
    fetch: service.fetch,
  });
  return {
    store,
    service,
    sync,
    useAccount: (account: string) => store.change((settings) => ({ ...settings, consent: agreed, account })),
    waiting: async () => await disk.read(async (tx) => (await tx.all("heads")).length),
  };
}

test.each(["present", ""])("without consent nothing waits any more, of whatever account, when the account is now %o", async (now) => {
  const { store, sync, useAccount, waiting } = await startBackground();
  for (const account of ["former", "present"]) {
    await useAccount(account);
    await sync.enqueue({ type: "heartbeat" });
  }
  expect(await waiting()).toBe(2);
  await useAccount(now);
  await withdrawConsent({ store, sync });
  expect((await store.read()).consent).toBeNull();
  expect(await waiting()).toBe(0);
});

test("sends nothing more once the consent is withdrawn, and deletes at the next start what could not be deleted then", async () => {
  const { read, write } = memoryStore();
  let fails = false;
  const { store, service, sync, waiting } = await startBackground({
    read,
    write: (work, how) => (fails ? Promise.reject(new Error("The disk fails.")) : write(work, how)),
  });
  for (let index = 0; index < 250; index += 1) await sync.enqueue({ type: "heartbeat", payload: { contextId: `c${index}` } });
  // While the first batch is on its way.
  service.faults.push(async (answer) => {
    fails = true;
    await expect(withdrawConsent({ store, sync })).rejects.toThrow("The disk fails.");
    fails = false;
    return answer();
  });
  expect(await sync.flush()).toMatchObject({ requests: 1, synced: 100, endedBy: "no-account" });
  // The next start.
  expect(await sync.flush()).toMatchObject({ requests: 0, endedBy: "no-account" });
  expect(await waiting()).toBe(150);
  await finishWithdrawal({ store, sync });
  expect(await waiting()).toBe(0);
});

test("deletes nothing at a start with consent", async () => {
  const { store, sync, waiting } = await startBackground();
  await sync.enqueue({ type: "heartbeat" });
  await finishWithdrawal({ store, sync });
  expect(await waiting()).toBe(1);
});
