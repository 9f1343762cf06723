import { type Order, runOrder } from "./run-order.ts";

// The queue's core in a service worker that does what a test asks of it.
chrome.runtime.onMessage.addListener((order: Order, _sender, respond) => {
  void runOrder(order).then(respond);
  // The event stays open until the answer is there, and with it the worker.
  return true;
});
