import type { RateClock, RateStore } from "../../../rates/rate.store.js";
import type { Replicas } from "./replicas.js";

/**
 * Budgets of all processes together, and while the primary does not answer and replicas do, of this process alone: reads go on then, and a
 * client is held to its limit by each process, and by the clock of its machine where `clock` says nothing.
 */
export function createOutageRates(shared: RateStore, replicas: Replicas, clock: RateClock): RateStore {
  let current = -1;
  let taken = new Map<string, number>();

  const leaseHere: RateStore["lease"] = async ({ subject, budget, limit }) => {
    const now = clock() ?? Date.now();
    const window = Math.floor(now / 60_000);
    if (window !== current) {
      current = window;
      taken = new Map();
    }
    const key = `${budget} ${subject}`;
    const before = taken.get(key) ?? 0;
    const granted = Math.min(limit - before, Math.max(1, Math.floor((limit - before) / 10)));
    taken.set(key, before + granted);
    return { granted, taken: before + granted, window, endsInMs: (window + 1) * 60_000 - now };
  };

  return {
    lease: (wanted) =>
      replicas.orInOutage(
        () => shared.lease(wanted),
        () => leaseHere(wanted),
      ),
  };
}
