import "../config.ts";
import { createContextSync, type ExtensionApis } from "@periscope/sync/background";
import { privacyFilter, type QueueStep } from "@periscope/sync/core";

const apis = chrome as unknown as ExtensionApis;
let parkAt: QueueStep | undefined;

createContextSync({
  baseUrl: config.baseUrl,
  apiKey: config.key,
  account: "ada",
  filter: privacyFilter({ blockedSites: ["localhost"] }),
  extensionId: "e2e",
  batch: { waitMs: 200 },
  apis: { ...apis, alarms: { ...apis.alarms, get: alarmAt } },
  async hook(step) {
    if (step === parkAt) await new Promise(() => {});
  },
});

chrome.runtime.onMessage.addListener((message: { parkAt?: QueueStep }, _sender, respond) => {
  if (message.parkAt === undefined) return undefined;
  parkAt = message.parkAt;
  respond("armed");
  return undefined;
});

/** With `forgetsAlarms` set, no alarm is found, so each start creates it again. */
async function alarmAt(name: string) {
  const { forgetsAlarms } = await chrome.storage.session.get("forgetsAlarms");
  return forgetsAlarms === true ? undefined : await apis.alarms.get(name);
}
