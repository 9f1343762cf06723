import { availableParallelism } from "node:os";
import manifest from "../package.json" with { type: "json" };
import type { AccessService } from "./access/access.service.js";
import type { InvitesService } from "./accounts/invites.service.js";
import { createApp } from "./app.js";
import { addressWarnings, type Config } from "./config/config.js";
import { startUpkeep } from "./data/upkeep.js";
import type { Clock } from "./deps.js";
import { rateHeaders, takeAnonymous } from "./http/admission.js";
import { type Bounds, defaultBounds, RequestLoad } from "./http/bounds.js";
import { ownHosts } from "./http/mcp-api.js";
import { apiPrefix } from "./http/rest-api.js";
import { HttpServer, type ListenOptions } from "./http/server.js";
import { createServerLog } from "./logger.js";
import { type BoundName, createMetrics } from "./metrics/metrics.js";
import { createServices } from "./services.js";
import { engineOf } from "./storage/engine.js";
import type { ServerTasks } from "./worker.js";
import { WorkerPool } from "./workers/worker-pool.js";

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

const writeNotesEveryMs = 60_000;

/** The composition root: configuration in, listening server out. Rejects when the database or the address cannot be had. */
export async function startServer(
  config: Config,
  { clock = Date.now, rateClock, bounds: ownBounds, threads }: StartOptions = {},
): Promise<RunningServer> {
  const logger = await createServerLog(config);
  const metrics = createMetrics(manifest.version);
  const pool = threads ?? new WorkerPool<ServerTasks>(Math.max(2, availableParallelism()) + 1);
  const endThreads = async () => {
    if (threads === undefined) await pool[Symbol.asyncDispose]();
  };
  const engine = engineOf(config.databaseUrl);
  const { searchTimeoutMs, databaseConnections, databaseTimeoutMs } = config;
  const onReadableByOthers = (files: readonly string[]) =>
    logger.warn({ files }, "other users could read the database; its files are now 0600");
  const storage = await engine
    .open({
      searchTimeoutMs,
      databaseConnections,
      databaseTimeoutMs,
      workers: pool,
      onSearchTimeout: () => metrics.searchTimedOut(),
      onReadableByOthers,
      rateClock,
    })
    .catch(async (error: unknown) => {
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
    // Asked for by requests only, and so once the server below listens.
    portalUrl: () => portalUrlOf(config, http.address),
    warnings: addressWarnings(config),
  });
  const { access, invites, live, erasure, usage, lastReads } = services;
  const { host, port, metricsReaders, corsOrigins, corsExtensions, trustProxy, mcp } = config;
  const handlerFor = (address: ListenOptions) =>
    createApp({
      ...services,
      load: new RequestLoad(bounds),
      isDraining: () => draining,
      http: {
        metricsReaders,
        corsOrigins,
        corsExtensions,
        trustProxy,
        mcp,
        hosts: ownHosts(address.host, config.publicUrl),
        publicUrl: baseUrlOf(config, address),
      },
    });
  const onPastBound = (bound: BoundName) => metrics.http.pastBound(bound);
  const anonymousRate = async (address: string) => rateHeaders(await takeAnonymous(address, services));
  const http = await HttpServer.listen({ host, port, trustProxy, bounds, onPastBound }, handlerFor, anonymousRate).catch(
    async (error: unknown) => {
      await endThreads();
      await storage[Symbol.asyncDispose]();
      throw error;
    },
  );

  const stopUpkeep = startUpkeep(services);
  const flushNotes = () => Promise.all([usage.flush(), lastReads.flush()]);
  const writingNotes = setInterval(() => void flushNotes(), writeNotesEveryMs);
  writingNotes.unref();

  const shutDown = async () => {
    draining = true;
    logger.info("stopping: requests in progress are finished first");
    stopUpkeep();
    clearInterval(writingNotes);
    // The database may be late with what the live channel has asked for.
    await Promise.all([live.close(), http.drain(config.shutdownTimeoutMs), erasure.drain(config.shutdownTimeoutMs)]);
    await flushNotes();
    await endThreads();
    await storage[Symbol.asyncDispose]();
    await erasure.idle();
    logger.info("stopped");
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
