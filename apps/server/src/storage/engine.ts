import type { AccessStore } from "../access/access.store.js";
import type { AccountsStore } from "../accounts/accounts.store.js";
import type { ContextStore, UserDataStore } from "../contexts/context.store.js";
import type { DataStore, VerifyErased } from "../data/data.store.js";
import type { SignInStore } from "../data/data.store.js";
import type { LiveStore } from "../live/live.store.js";
import type { OAuthStore } from "../oauth/oauth.store.js";
import type { RefilterStore } from "../refilter/refilter.store.js";
import type { RulesStore } from "../privacy/rules.store.js";
import type { RateStore } from "../rates/rate-limiter.js";
import type { UsageStore } from "../usage/usage.store.js";
import type { SearchStore } from "../search/search.store.js";
import type { LeftoversWorkers } from "./sqlite/erase.js";
import type { SearchWorkers } from "./sqlite/search.js";
import { postgresEngine } from "./postgres/engine.js";
import { sqliteEngine } from "./sqlite/engine.js";

export interface Storage extends AsyncDisposable {
  contexts: ContextStore;
  userData: UserDataStore;
  live: LiveStore;
  data: DataStore;
  refilter: RefilterStore;
  search: SearchStore;
  access: AccessStore;
  accounts: AccountsStore;
  oauth: OAuthStore;
  signIns: SignInStore;
  rules: RulesStore;
  usage: UsageStore;
  /** Rate budgets that all processes share; absent where one process has the database for itself. */
  rates?: RateStore;
  verifyErased: VerifyErased;
  /** Rejects with `unavailable`, naming the cause, when the database cannot be read and written. */
  check(): Promise<void>;
  /** Drops replay records and tombstones stored before `before`, and sessions and tokens that expired before it, in milliseconds since the epoch. */
  prune(before: number): Promise<void>;
  /**
   * Makes sure that removed text is in no file of the database any more. `rebuild` also clears unused room within pages, and other
   * writers wait meanwhile. Throws `unavailable` when others keep the database in use.
   */
  scrub(how?: { rebuild?: boolean }): Promise<void>;
}

export interface StorageOptions {
  searchTimeoutMs: number;
  /** Connections that this process makes to a database server at most. @default 10 */
  databaseConnections?: number;
  /** Milliseconds that a statement may run on a database server. @default 30,000 */
  databaseTimeoutMs?: number;
  /** Threads for SQLite's searches. @default none: nothing can be searched there */
  workers?: (SearchWorkers & LeftoversWorkers) | undefined;
  onSearchTimeout?: () => void;
  /** Called with the files of an embedded database that other users of the machine could read, and now cannot. */
  onReadableByOthers?: (files: readonly string[]) => void;
  /** Time by which shared rate budgets are counted, as tests set it. @default the database's clock */
  rateClock?: (() => number | undefined) | undefined;
}

/** State of a database, for `periscope doctor`. */
export interface DatabaseReport {
  /** Whether Periscope made it: a migration was applied. */
  isPeriscope: boolean;
  /** What SQLite's own check complains about; empty when it finds nothing, or did not run. A server checks itself. */
  damage: string[];
  /** Migrations that the next start applies. */
  pending: string[];
  /** Migrations that this version does not know: a newer one was here. */
  unknown: string[];
  users: number;
  /** API keys that are neither revoked nor expired. */
  keys: number;
  /** Latest time on record, in milliseconds since the epoch; null when nothing is. */
  latest: number | null;
}

/** Called with how much of long work is done, of how much; throwing ends it. */
export type OnStep = (done: number, total: number) => void;

/** A database engine and the database that a URL names. */
export interface Engine {
  /** The database as it may be printed: a file, or host, port and name without user and password. */
  readonly place: string;
  /** The file of an embedded database; undefined for a server. */
  readonly file?: string;
  /** Opens the database, bringing it up to date first. Throws when a newer version wrote it. */
  open(options: StorageOptions): Promise<Storage>;
  /** Brings the database up to date. Returns the names of the migrations that were applied. */
  migrate(onStep?: OnStep): Promise<string[]>;
  /**
   * Looks at the database without changing it; null when there is none yet. Rejects when it cannot be read.
   * @param how.checksDamage whether to look for damage, which reads a whole file at once; true by default
   */
  inspect(how?: { checksDamage: boolean }): Promise<DatabaseReport | null>;
  /** Copies the database to a file while servers use it, and verifies the copy. Absent where the database has tools of its own. */
  backup?(target: string, onStep: OnStep): Promise<void>;
  /** Puts a backup in the place of the database, which nobody may use meanwhile. Absent as above. */
  restore?(backup: string, onStep: OnStep): Promise<void>;
  /** Spreads the tables over the machines of a Citus cluster; the names of those that were not yet. Absent where there is no such thing. */
  distribute?(onStep?: OnStep): Promise<string[]>;
}

/** The engine for a database URL of the configuration: `postgres:` and `postgresql:` name a server, `file:` a file. */
export function engineOf(databaseUrl: string): Engine {
  return /^postgres(?:ql)?:/i.test(databaseUrl) ? postgresEngine(databaseUrl) : sqliteEngine(databaseUrl);
}
