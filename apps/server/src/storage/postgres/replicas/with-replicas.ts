import type pg from "pg";
import type { AccessStore } from "../../../access/access.store.js";
import type { ContextStore } from "../../../contexts/context.store.js";
import type { SyncStore } from "../../../contexts/sync.store.js";
import type { RateClock, RateStore } from "../../../rates/rate.store.js";
import type { SearchStore } from "../../../search/search.store.js";
import { createOutageRates } from "./outage-rates.js";
import { ReadRoutes } from "./read-routes.js";
import type { Replicas } from "./replicas.js";

/** What a replica can answer. */
export interface Reads {
  contexts: Pick<ContextStore, "current" | "find" | "history">;
  search: SearchStore;
  findKey: AccessStore["findKey"];
  ping: () => Promise<void>;
}

interface Served extends Reads {
  contexts: ContextStore;
  sync: SyncStore;
  rates: RateStore;
}

/**
 * The same with reads on replicas. History, search and contexts by id are theirs; what must be as it is now is the primary's while that
 * answers: `current`, keys, and whether a context is really missing.
 */
export function withReplicas(primary: Served, replicas: Replicas, readsOf: (pool: pg.Pool) => Reads, rateClock: RateClock): Served {
  const routes = new ReadRoutes<Reads>(replicas, primary, ({ pool }) => readsOf(pool));
  return {
    contexts: {
      current: (scope, filter) => routes.readStrictly(scope.userId, ({ contexts }) => contexts.current(scope, filter)),
      async find(scope, contextId) {
        let asked: Reads | undefined;
        const found = await routes.read(scope.userId, (reads) => {
          asked = reads;
          return reads.contexts.find(scope, contextId);
        });
        // Another process may have answered the sync of it just now: a client that got its id must not be told that there is no such thing.
        if (found !== null || asked === primary) return found;
        return await routes.readStrictly(scope.userId, ({ contexts }) => contexts.find(scope, contextId));
      },
      history: (scope, filter) => routes.read(scope.userId, ({ contexts }) => contexts.history(scope, filter)),
      remove: (userId, contextId, at) => replicas.write(userId, () => primary.contexts.remove(userId, contextId, at)),
    },
    sync: { transact: (userId, work) => replicas.write(userId, () => primary.sync.transact(userId, work)) },
    search: { search: (scope, request) => routes.read(scope.userId, ({ search }) => search.search(scope, request)) },
    findKey: (keyId) => routes.ask(({ findKey }) => findKey(keyId)),
    rates: createOutageRates(primary.rates, replicas, rateClock),
    ping: () => routes.ask(({ ping }) => ping()),
  };
}
