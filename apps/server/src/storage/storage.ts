import type { AccessStore } from "../access/access.store.js";
import type { ContextStore } from "../contexts/context.store.js";
import type { RateStore } from "../rates/rate.store.js";
import type { ApplyStore } from "../privacy-apply/apply.store.js";
import type { RulesStore } from "../privacy/rules.store.js";
import type { SyncStore } from "../contexts/sync.store.js";
import type { SearchStore } from "../search/search.store.js";

/** An open database. */
export interface Storage extends AsyncDisposable {
  contexts: ContextStore;
  sync: SyncStore;
  search: SearchStore;
  access: AccessStore;
  rules: RulesStore;
  apply: ApplyStore;
  /** Rate budgets of all processes together; absent where one process has the database for itself. */
  rates?: RateStore;
  /** Changes whenever another process may have changed users or keys; what was read under an older value is stale. */
  revision(): number;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Forgets replay records and tombstones stored before `before`. */
  prune(before: number): Promise<void>;
  /**
   * Sees to it that text which was removed before is in no file of the database any more; without `rebuild` a copy in unused room of
   * a page may be missed, with it all other writers wait. Throws `unavailable` when others keep the database in use.
   */
  scrub(how?: { rebuild?: boolean }): Promise<void>;
}
