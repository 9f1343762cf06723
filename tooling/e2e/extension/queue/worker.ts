import type { Order } from "./orders.ts";
import { runOrder } from "./run-order.ts";

// The queue's core in a service worker that does what a test asks of it.
chrome.runtime.onMessage.addListener((message: { order?: Order }, _sender, respond) => {
  if (message.order === undefined) return false;
  runOrder(message.order).then(
    (outcome) => respond({ outcome }),
    (error: unknown) => respond({ failed: String(error) }),
  );
  // The event stays open until the answer is there, and with it the worker.
  return true;
});
