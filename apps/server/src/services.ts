import type { Logger } from "pino";
import manifest from "../package.json" with { type: "json" };
import { createAccessService } from "./access/access.service.js";
import { createFirstUses } from "./access/first-uses.js";
import { createAccountsService } from "./accounts/accounts.service.js";
import { createInvitesService } from "./accounts/invites.service.js";
import type { Config } from "./config/config.js";
import { createContextRemoval } from "./contexts/context-removal.js";
import { createLastReads } from "./contexts/last-reads.js";
import { createSyncService } from "./contexts/sync.service.js";
import { createEraseService } from "./data/erase.service.js";
import { createImportService } from "./data/import.service.js";
import type { Clock } from "./deps.js";
import { describeFailure } from "./logger.js";
import { createLiveService } from "./live/live.service.js";
import type { Metrics } from "./metrics/metrics.js";
import { createUserFilters } from "./privacy/user-filters.js";
import { createMemoryRates, createRateLimiter } from "./rates/rate-limiter.js";
import type { Engine, Storage } from "./storage/engine.js";
import { createSystemService } from "./system/system.service.js";
import { createUsageService } from "./usage/usage.service.js";
import type { ServerTasks } from "./worker.js";
import { PerUserQueue } from "./workers/per-user-queue.js";
import type { WorkerPool } from "./workers/worker-pool.js";

/** What services are made from, beside the configuration. */
interface ServicesOptions {
  engine: Engine;
  stores: Storage;
  clock: Clock;
  pool: WorkerPool<ServerTasks>;
  logger: Logger;
  metrics: Metrics;
  /** Address of the portal, asked for once the server listens. */
  portalUrl: () => string;
  warnings: readonly string[];
}

/** What the functions of services work with: the stores, and the services that have a state, such as a cache or a queue. */
export function createServices(config: Config, { engine, stores, clock, pool, logger, metrics, portalUrl, warnings }: ServicesOptions) {
  const { version } = manifest;
  const { rateLimits, retention, signUp, publicUrl, oidc, sessionSecret, dataDir } = config;
  const { settings, unknownSettings, privacyPolicy, privacyPolicyFile } = config;
  const { data, rules, signIns, verifyErased } = stores;
  const ping = () => stores.check();
  const warn = (text: string) => (error: unknown) => logger.warn({ failure: describeFailure(error) }, text);
  const failedFor = (text: string) => (userId: string, error: unknown) => logger.error({ userId, failure: describeFailure(error) }, text);

  const access = createAccessService({ store: stores.access, clock, onTouchFailed: warn("a key's last use could not be written") });
  const filters = createUserFilters({
    rules,
    operator: privacyPolicy,
    version,
    onFailedClosed({ userId, part, kind, error }) {
      metrics.privacy.failedClosed(part);
      const failure = error === undefined ? { kind } : describeFailure(error);
      logger.warn({ userId, part, failure }, "the privacy filter failed; what it was given was withheld");
    },
  });
  const queue = new PerUserQueue();
  const removal = createContextRemoval({ store: stores.userData, filters, queue, clock });
  const limiter = createRateLimiter(stores.rates ?? createMemoryRates(clock), clock);
  const invites = createInvitesService({ store: stores.accounts, signUp, publicUrl, clock });
  return {
    stores,
    clock,
    pool,
    logger,
    metrics,
    version,
    rateLimits,
    operatorRetention: retention,
    sessionSecret,
    access,
    filters,
    removal,
    limiter,
    invites,
    accounts: createAccountsService({
      store: stores.accounts,
      invites,
      access,
      limiter,
      clock,
      signUp,
      oidc,
      sessionSecret,
      baseUrl: portalUrl,
      onWarning: (message) => logger.warn({ message }, "a sign-in was refused, or is set up wrongly"),
      onUndoFailed: warn(
        "a failed sign-up could not be undone. If the email address is now refused as taken, find the user with `periscope users list`, and run `periscope users erase ID` only if that user is new: it deletes all their data. If the invite is refused, make a new one",
      ),
    }),
    system: createSystemService({
      settings,
      unknownSettings,
      privacyPolicy,
      privacyPolicyFile,
      place: engine.place,
      dataDir,
      file: engine.file,
      warnings,
      ping,
      inspect: () => engine.inspect({ checksDamage: false }),
      metrics,
      version,
      clock,
    }),
    erasure: createEraseService({
      data,
      verifyErased,
      access: stores.access,
      clock,
      onFailure: failedFor(
        "could not finish erasing a user. If the user still exists, run `periscope users erase ID`. If not, the data is deleted; on SQLite, the server also cleans the files at its next start and every hour",
      ),
    }),
    imports: createImportService({
      store: stores.userData,
      rules,
      data,
      access: stores.access,
      signIns,
      filters,
      pool,
      clock,
      directory: dataDir,
      onOutcome: (outcome) => metrics.data.imported(outcome),
    }),
    sync: createSyncService({
      store: stores.userData,
      filters,
      pool,
      queue,
      metrics,
      clock,
      onFailure: failedFor("the rest of a batch could not be stored; its answer says so"),
    }),
    live: createLiveService({
      store: stores.live,
      contexts: stores.contexts,
      access,
      metrics,
      clock,
      onFailure: warn("events could not be read for the live channel; it tries again"),
    }),
    firstUses: createFirstUses({ store: stores.access, clock, onFailure: warn("the first use of a key could not be written") }),
    lastReads: createLastReads({
      store: stores.contexts,
      clock,
      onFailure: warn("last reads could not be written; they are kept and tried again"),
    }),
    usage: createUsageService({
      store: stores.usage,
      data,
      clock,
      onFailure: warn("the counts of requests could not be written; they are kept"),
    }),
    ping,
  };
}
