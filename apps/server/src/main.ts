import { availableParallelism } from "node:os";
import { limits } from "@periscope/schemas";
import manifest from "../package.json" with { type: "json" };
import { type AccessService, createAccessService } from "./access/access.service.js";
import { createAccountsService } from "./accounts/accounts.service.js";
import { createInvitesService, type InvitesService } from "./accounts/invites.service.js";
import { createPairingService } from "./accounts/pairing.service.js";
import { createPeopleService } from "./accounts/people.service.js";
import { apiPrefix, createApp } from "./app.js";
import { addressWarnings, type Config } from "./config/config.js";
import { createContextRemoval } from "./contexts/context-removal.js";
import { createContextService } from "./contexts/context.service.js";
import { createLastReads } from "./contexts/last-reads.js";
import { createSyncService } from "./contexts/sync.service.js";
import { createDeleteService } from "./data/delete.service.js";
import { createEraseService } from "./data/erase.service.js";
import { createExportService } from "./data/export.service.js";
import { createImportService } from "./data/import.service.js";
import { createRetentionService } from "./data/retention.service.js";
import type { Clock } from "./deps.js";
import { rateHeaders, takeAnonymous } from "./http/admission.js";
import { type Bounds, defaultBounds, RequestLoad } from "./http/bounds.js";
import { ownHosts } from "./http/mcp-api.js";
import { describeFailure } from "./http/request-log.js";
import { createFirstUses } from "./access/first-uses.js";
import { HttpServer, type ListenOptions } from "./http/server.js";
import { createLiveService } from "./live/live.service.js";
import { createServerLog } from "./logger.js";
import { type BoundName, createMetrics } from "./metrics/metrics.js";
import { createDevicesService } from "./data/devices.service.js";
import { createExploreService } from "./explore/explore.service.js";
import { createNowService } from "./explore/now.service.js";
import { createSystemService } from "./system/system.service.js";
import { createPrivacyPreview } from "./contexts/privacy-preview.js";
import { createOAuthService } from "./oauth/oauth.service.js";
import { createRulesService } from "./privacy/rules.service.js";
import { createUserFilters } from "./privacy/user-filters.js";
import { createMemoryRates, createRateLimiter } from "./rates/rate-limiter.js";
import { createSearchService } from "./search/search.service.js";
import { engineOf } from "./storage/engine.js";
import type { ServerTasks } from "./worker.js";
import { createUsageService } from "./usage/usage.service.js";
import { PerUserQueue } from "./workers/per-user-queue.js";
import { WorkerPool } from "./workers/worker-pool.js";

/** A server that listens. */
export interface RunningServer {
  address: ListenOptions;
  /** Base address with the version prefix, such as `http://127.0.0.1:3000/api/v1`. */
  baseUrl: string;
  access: AccessService;
  invites: InvitesService;
  /** Answers new requests 503, lets what is in flight finish within the configured time, closes the database; a further call waits for the first. */
  close(): Promise<void>;
}

/** What does not come from the configuration. */
export interface StartOptions {
  clock?: Clock;
  /** Says the time in the place of the database's clock, by which processes count the budgets that they share. */
  rateClock?: () => number | undefined;
  /** In the place of default bounds. */
  bounds?: Partial<Bounds> | undefined;
  /** In the place of threads of its own. Several servers of one process can share them; they outlive the server. */
  threads?: WorkerPool<ServerTasks> | undefined;
}

const pruneEveryMs = 3_600_000;
const writeNotesEveryMs = 60_000;

/** The composition root: configuration in, listening server out. Rejects when the database or the address cannot be had. */
export async function startServer(
  config: Config,
  { clock = Date.now, rateClock, bounds: ownBounds, threads }: StartOptions = {},
): Promise<RunningServer> {
  const { logger, flush } = await createServerLog(config);
  const metrics = createMetrics(manifest.version);
  const pool = threads ?? new WorkerPool<ServerTasks>(Math.max(2, availableParallelism()) + 1);
  const endThreads = async () => {
    if (threads === undefined) await pool[Symbol.asyncDispose]();
  };
  const engine = engineOf(config.databaseUrl);
  const opening = engine.open({
    ...config,
    workers: pool,
    onSearchTimeout: () => metrics.searchTimedOut(),
    onReadableByOthers: (files) => logger.warn({ files }, "other users could read the database; its files are now 0600"),
    rateClock,
  });
  const storage = await opening.catch(async (error: unknown) => {
    await endThreads();
    throw error;
  });
  const onTouchFailed = (error: unknown) => logger.warn({ failure: describeFailure(error) }, "a key's last use could not be written");
  const access = createAccessService({ store: storage.access, clock, onTouchFailed });
  const filters = createUserFilters({
    rules: storage.rules,
    operator: config.privacyPolicy,
    version: manifest.version,
    onFailedClosed({ userId, part, kind, error }) {
      metrics.privacy.failedClosed(part);
      const failure = error === undefined ? { kind } : describeFailure(error);
      logger.warn({ userId, part, failure }, "the privacy filter failed; what it was given was withheld");
    },
  });
  const onOutcome = (outcome: string) => metrics.data.imported(outcome);
  const queue = new PerUserQueue();
  const removal = createContextRemoval({ store: storage.userData, filters, queue, clock });
  const onDeleted = (contexts: number) => metrics.data.expired(contexts);
  const retention = createRetentionService({ ...storage, removal, clock, operator: config.retention, onDeleted });
  let draining = false;

  const { rateLimits } = config;
  const limiter = createRateLimiter(storage.rates ?? createMemoryRates(clock), clock);
  const bounds = { ...defaultBounds(), ...ownBounds };
  const onPastBound = (bound: BoundName) => metrics.http.pastBound(bound);
  const load = new RequestLoad(bounds);
  const anonymousRate = async (address: string) => rateHeaders(await takeAnonymous(address, { limiter, rateLimits }));
  const live = createLiveService({
    store: storage.live,
    contexts: storage.contexts,
    access,
    metrics,
    clock,
    onFailure: (error) => logger.warn({ failure: describeFailure(error) }, "events could not be read for the live channel; it tries again"),
  });
  const invites = createInvitesService({ ...config, store: storage.accounts, clock });
  const accounts = createAccountsService({
    store: storage.accounts,
    invites,
    access,
    limiter,
    clock,
    ...config,
    baseUrl: () => portalUrlOf(config, http.address),
    onWarning: (message) => logger.warn({ message }, "a sign-in was refused, or is set up wrongly"),
  });
  const firstUses = createFirstUses({
    store: storage.access,
    clock,
    onFailure: (error) => logger.warn({ failure: describeFailure(error) }, "the first use of a key could not be written"),
  });
  const usage = createUsageService({
    ...storage,
    store: storage.usage,
    clock,
    onFailure: (error) => logger.warn({ failure: describeFailure(error) }, "the counts of requests could not be written; they are kept"),
  });
  const lastReads = createLastReads({
    store: storage.contexts,
    clock,
    onFailure: (error) =>
      logger.warn({ failure: describeFailure(error) }, "last reads could not be written; they are kept and tried again"),
  });
  const contexts = createContextService({ store: storage.contexts, removal, lastReads });
  const erasure = createEraseService({
    ...storage,
    clock,
    onFailure: (userId, error) =>
      logger.error(
        { userId, failure: describeFailure(error) },
        "could not finish erasing a user. If the user still exists, run `periscope users erase ID`. If not, the data is deleted; on SQLite, the server also cleans the files at its next start and every hour",
      ),
  });
  const handlerFor = (address: ListenOptions) =>
    createApp({
      access,
      accounts,
      contexts,
      invites,
      pairing: createPairingService({ access, store: storage.accounts, clock }),
      system: createSystemService({
        ...config,
        place: engine.place,
        dataDir: engine.file === undefined ? null : config.dataDir,
        warnings: addressWarnings(config),
        ping: () => storage.check(),
        inspect: () => engine.inspect({ checksDamage: false }),
        metrics,
        version: manifest.version,
        clock,
      }),
      people: createPeopleService({ store: storage.accounts, access, data: storage.data, clock }),
      exports: createExportService({ ...storage, clock }),
      deletes: createDeleteService({ ...storage, removal }),
      retention,
      erasure,
      imports: createImportService({ ...storage, store: storage.userData, filters, pool, clock, directory: config.dataDir, onOutcome }),
      rules: createRulesService({ store: storage.rules, clock }),
      search: createSearchService({ search: storage.search }),
      sync: createSyncService({
        store: storage.userData,
        filters,
        pool,
        queue,
        metrics,
        clock,
        onFailure: (userId, error) =>
          logger.error({ userId, failure: describeFailure(error) }, "the rest of a batch could not be stored; its answer says so"),
      }),
      live,
      privacyPreview: createPrivacyPreview({ filters, pool, clock }),
      explore: createExploreService({ ...storage, history: contexts, access, lastReads }),
      now: createNowService({ ...storage, clock, firstUses }),
      devices: createDevicesService({ ...storage, access, clock }),
      firstUses,
      oauth: createOAuthService({ store: storage.oauth, access, clock }),
      usage,
      limiter,
      load,
      rateLimits,
      logger,
      metrics,
      ping: () => storage.check(),
      isDraining: () => draining,
      version: manifest.version,
      http: {
        ...config,
        hosts: ownHosts(address.host, config.publicUrl),
        publicUrl: baseUrlOf(config, address),
      },
    });
  const http = await HttpServer.listen({ ...config, bounds, onPastBound }, handlerFor, anonymousRate).catch(async (error: unknown) => {
    await endThreads();
    await storage[Symbol.asyncDispose]();
    throw error;
  });

  const onRetentionFailed = (userId: string, error: unknown) =>
    logger.error(
      { userId, failure: describeFailure(error) },
      "what is past its retention could not be deleted for this user; it is tried again in an hour",
    );
  const forgetOld = async () => {
    // An hour more than promised, so that a replay on the last day is safe from a clock that was set back.
    const before = clock() - limits.replayDays * 86_400_000 - pruneEveryMs;
    const steps: Array<() => Promise<unknown>> = [
      () => retention.apply({ isStopped: () => draining, onFailure: onRetentionFailed }),
      () => storage.prune(before),
      () => usage.prune(),
      () => storage.scrub(),
    ];
    for (const step of steps) {
      if (draining) return;
      try {
        await step();
      } catch (error) {
        logger.error({ failure: describeFailure(error) }, "old records, or what was deleted, could not be cleared from the database");
      }
    }
  };
  const pruning = setInterval(() => void forgetOld(), pruneEveryMs);
  pruning.unref();
  void forgetOld();
  const flushNotes = () => Promise.all([usage.flush(), lastReads.flush()]);
  const writingNotes = setInterval(() => void flushNotes(), writeNotesEveryMs);
  writingNotes.unref();

  const shutDown = async () => {
    draining = true;
    logger.info("stopping: requests in progress are finished first");
    clearInterval(pruning);
    clearInterval(writingNotes);
    // The database may be late with what the live channel has asked for.
    await Promise.all([live.close(), http.drain(config.shutdownTimeoutMs), erasure.drain(config.shutdownTimeoutMs)]);
    await flushNotes();
    await endThreads();
    await storage[Symbol.asyncDispose]();
    await erasure.idle();
    logger.info("stopped");
    flush();
  };
  let closing: Promise<void> | undefined;

  return {
    address: http.address,
    baseUrl: baseUrlOf(config, http.address),
    access,
    invites,
    close: () => (closing ??= shutDown()),
  };
}

function baseUrlOf(config: Config, address: ListenOptions): string {
  return portalUrlOf(config, address) + apiPrefix;
}

/** Address of the portal, without a trailing slash. */
export function portalUrlOf({ publicUrl }: Pick<Config, "publicUrl">, { host, port }: ListenOptions): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return publicUrl ?? `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
