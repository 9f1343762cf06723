import type { Order } from "./orders.ts";
import { runOrder } from "./run-order.ts";

/** How an order ended: with an outcome, with an error, or since the worker died before. */
export type Ended = { outcome: unknown } | { failed: string } | { died: string };

declare global {
  interface Window {
    /** Has the worker run an order. */
    ask(order: Order): Promise<Ended>;
    /** Runs an order in this page, by a queue of its own. */
    run(order: Order): Promise<Ended>;
    /** Steps at which a queue stands still. */
    parked: string[];
  }
}

window.parked = [];
new BroadcastChannel("parked").addEventListener("message", ({ data }) => window.parked.push(String(data)));

window.ask = async (order) => {
  try {
    return (await chrome.runtime.sendMessage({ order })) ?? { died: "no answer" };
  } catch (error) {
    return { died: String(error) };
  }
};

window.run = async (order) => {
  try {
    return { outcome: await runOrder(order) };
  } catch (error) {
    return { failed: String(error) };
  }
};
