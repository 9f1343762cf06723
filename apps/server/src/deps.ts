import type { Logger } from "pino";
import type { AccessService } from "./access/access.service.js";
import type { Config, RateLimits } from "./config.js";
import type { ContextService } from "./contexts/context.service.js";
import type { SyncService } from "./contexts/sync.service.js";
import type { RateLimiter } from "./http/rate-limiter.js";
import type { Metrics } from "./metrics/metrics.js";
import type { RulesService } from "./privacy/rules.service.js";
import type { SearchService } from "./search/search.service.js";

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Everything that requests are served with; built once, in main. */
export interface Deps {
  access: AccessService;
  contexts: ContextService;
  rules: RulesService;
  search: SearchService;
  sync: SyncService;
  limiter: RateLimiter;
  rateLimits: RateLimits;
  clock: Clock;
  newRequestId: () => string;
  logger: Logger;
  metrics: Metrics;
  /** Rejects when the database does not answer. */
  ping: () => Promise<void>;
  /** True once shutting down has begun: new requests are answered 503. */
  isDraining: () => boolean;
  http: HttpOptions;
}

export interface HttpOptions {
  /** Who may read `/metrics`; to all others it is not there. */
  metricsReaders: Config["metricsReaders"];
  /** Origins that browsers may call from. */
  corsOrigins: readonly string[];
  /** Whether extension origins may call. */
  corsExtensions: boolean;
  /** Number of reverse proxies whose X-Forwarded-For is believed. */
  trustProxy: number;
  /** Base address with the version prefix, as the OpenAPI document names it. */
  publicUrl: string;
}
