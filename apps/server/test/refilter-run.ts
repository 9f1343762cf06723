import type { FilterPolicy } from "@periscope/privacy";
import manifest from "../package.json" with { type: "json" };
import { refilter as runRefilter, type RefilterOptions, type RefilterReport } from "../src/refilter/refilter.service.js";
import type { RefilterStore } from "../src/refilter/refilter.store.js";
import { createUserFilters } from "../src/privacy/user-filters.js";
import { engineOf } from "../src/storage/engine.js";
import type { TestServer } from "./test-server.js";

/** How a test comes between. */
export interface Interference {
  /** Ends the run after this many pages. */
  stopAfter?: number;
  /** What happens before the commit of this number; the first one stores the fresh progress. */
  before?: { commit: number; happens: () => Promise<void> };
}

/** Filters what a server has stored again under a policy, as `periscope privacy apply` does, in this process. */
export async function refilter(
  server: TestServer,
  policy: FilterPolicy = server.config.privacyPolicy,
  options: Partial<Pick<RefilterOptions, "userId" | "isDryRun" | "startOver">> = {},
  { stopAfter = Infinity, before }: Interference = {},
): Promise<RefilterReport> {
  await using storage = await engineOf(server.config.databaseUrl).open({ searchTimeoutMs: 60_000 });
  let commits = 0;
  const store: RefilterStore = {
    ...storage.refilter,
    async commit(userId, changes) {
      if (++commits === before?.commit) await before.happens();
      return await storage.refilter.commit(userId, changes);
    },
  };
  let pages = 0;
  return await runRefilter({
    store,
    access: storage.access,
    filters: createUserFilters({ rules: storage.rules, operator: policy, version: manifest.version, onFailedClosed: () => {} }),
    clock: Date.now,
    scrub: () => storage.scrub({ rebuild: true }),
    isDryRun: false,
    startOver: false,
    onProgress: () => {},
    isStopped: () => pages++ >= stopAfter,
    ...options,
  });
}
