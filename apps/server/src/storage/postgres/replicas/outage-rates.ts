import type { RateStore } from "../../../rates/rate.store.js";
import type { Replicas } from "./replicas.js";

/**
 * Budgets of all processes together, and while the primary does not answer and replicas do, of this process alone: reads go on then, and a
 * client is held to its limit by each process.
 */
export function createOutageRates(shared: RateStore, replicas: Replicas): RateStore {
  let current = -1;
  let taken = new Map<string, number>();

  const leaseHere: RateStore["lease"] = async ({ subject, budget, limit, window }) => {
    if (window !== current) {
      current = window;
      taken = new Map();
    }
    const key = `${budget} ${subject}`;
    const before = taken.get(key) ?? 0;
    const granted = Math.min(limit - before, Math.max(1, Math.floor((limit - before) / 10)));
    taken.set(key, before + granted);
    return { granted, taken: before + granted };
  };

  return {
    lease: (wanted) =>
      replicas.orInOutage(
        () => shared.lease(wanted),
        () => leaseHere(wanted),
      ),
  };
}
