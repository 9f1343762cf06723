import "./config.ts";
import { createContextSync, type ExtensionApis } from "@periscope/sync/background";
import { privacyFilter, type QueueStep } from "@periscope/sync/core";

const { baseUrl, key, blockedSites, remakesAlarm } = config;
const apis = chrome as unknown as ExtensionApis;
let parkAt: QueueStep | undefined;

createContextSync({
  baseUrl,
  apiKey: key,
  account: "ada",
  filter: privacyFilter({ blockedSites }),
  extensionId: "e2e",
  batch: { waitMs: 200 },
  ...(remakesAlarm && { apis: { ...apis, alarms: forgetful(apis.alarms) } }),
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

/** Alarms that never know of one that exists. */
function forgetful(alarms: ExtensionApis["alarms"]): ExtensionApis["alarms"] {
  return {
    get: () => Promise.resolve(undefined),
    create: (name, info) => alarms.create(name, info),
    clear: (name) => alarms.clear(name),
    onAlarm: alarms.onAlarm,
  };
}
