import { type Answer, type Order, runOrder } from "./run-order.ts";

declare global {
  interface Window {
    /** Has the worker run an order; `undefined` when it died before. */
    ask(order: Order): Promise<Answer | undefined>;
    /** Runs an order in this page, by a queue of its own. */
    run(order: Order): Promise<Answer>;
    /** Steps at which a queue stands still. */
    parked: string[];
  }
}

window.parked = [];
new BroadcastChannel("parked").addEventListener("message", ({ data }) => window.parked.push(String(data)));

window.ask = (order) => chrome.runtime.sendMessage<Order, Answer>(order).catch(() => undefined);
window.run = runOrder;
