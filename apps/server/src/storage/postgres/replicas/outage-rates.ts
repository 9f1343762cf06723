import type { RateClock, RateStore } from "../../../rates/rate.store.js";
import { createMemoryRates } from "../../../rates/memory-rates.js";
import type { Replicas } from "./replicas.js";

/** Budgets of all processes together; of this process alone while the primary does not answer and replicas do. */
export function createOutageRates(shared: RateStore, replicas: Replicas, clock: RateClock): RateStore {
  const local = createMemoryRates(() => clock() ?? Date.now());
  return {
    take: (...wanted) =>
      replicas.orInOutage(
        () => shared.take(...wanted),
        () => local.take(...wanted),
      ),
    peek: (...wanted) =>
      replicas.orInOutage(
        () => shared.peek(...wanted),
        () => local.peek(...wanted),
      ),
  };
}
