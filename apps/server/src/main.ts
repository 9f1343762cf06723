import { availableParallelism } from "node:os";
import { limits } from "@periscope/schemas";
import manifest from "../package.json" with { type: "json" };
import type { AccessService } from "./access/access.service.js";
import type { InvitesService } from "./accounts/invites.service.js";
import { apiPrefix, createApp } from "./app.js";
import { addressWarnings, type Config } from "./config/config.js";
import { applyRetention } from "./data/retention.service.js";
import type { Clock } from "./deps.js";
import { DomainError } from "./domain-error.js";
import { rateHeaders, takeAnonymous } from "./http/admission.js";
import { type Bounds, defaultBounds, RequestLoad } from "./http/bounds.js";
import { ownHosts } from "./http/mcp-api.js";
import { HttpServer, type ListenOptions } from "./http/server.js";
import { createServerLog, describeFailure } from "./logger.js";
import { type BoundName, createMetrics } from "./metrics/metrics.js";
import { createServices } from "./services.js";
import { engineOf } from "./storage/engine.js";
import type { ServerTasks } from "./worker.js";
import { WorkerPool } from "./workers/worker-pool.js";
import { dayMs } from "./formats.js";

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
  let draining = false;
  const bounds = { ...defaultBounds(), ...ownBounds };
  const services = createServices(config, {
    engine,
    stores: storage,
    clock,
    pool,
    logger,
    metrics,
    portalUrl: () => portalUrlOf(config, http.address),
    warnings: addressWarnings(config),
  });
  const { access, invites, live, erasure, usage, lastReads } = services;
  const handlerFor = (address: ListenOptions) =>
    createApp({
      ...services,
      load: new RequestLoad(bounds),
      isDraining: () => draining,
      http: { ...config, hosts: ownHosts(address.host, config.publicUrl), publicUrl: baseUrlOf(config, address) },
    });
  const onPastBound = (bound: BoundName) => metrics.http.pastBound(bound);
  const anonymousRate = async (address: string) => rateHeaders(await takeAnonymous(address, services));
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
  const onDeleted = (contexts: number) => metrics.data.expired(contexts);
  const forgetOld = async () => {
    // An hour more than promised, so that a replay on the last day is safe from a clock that was set back.
    const before = clock() - limits.replayDays * dayMs - pruneEveryMs;
    const steps: Array<() => Promise<unknown>> = [
      () => applyRetention(services, { isStopped: () => draining, onDeleted, onFailure: onRetentionFailed }),
      () => storage.prune(before),
      () => usage.prune(),
      () => storage.scrub(),
    ];
    for (const step of steps) {
      if (draining) return;
      try {
        await step();
      } catch (error) {
        // The next start does what a stop has cut short.
        if (draining && error instanceof DomainError && error.code === "unavailable") return;
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
