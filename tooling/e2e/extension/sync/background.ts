import "../config.ts";
import { createContextSync } from "@periscope/sync/background";
import { privacyFilter, type QueueStep } from "@periscope/sync/core";

let parkAt: QueueStep | undefined;

createContextSync({
  baseUrl: config.baseUrl,
  apiKey: config.key,
  account: "ada",
  filter: privacyFilter({ blockedSites: ["localhost"] }),
  extensionId: "e2e",
  batch: { waitMs: 200 },
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
