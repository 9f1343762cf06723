import type { Logger } from "pino";
import type { AccessService } from "./access/access.service.js";
import type { Config, RateLimits } from "./config/config.js";
import type { ContextService } from "./contexts/context.service.js";
import type { SyncService } from "./contexts/sync.service.js";
import type { RateLimiter } from "./http/rate-limiter.js";
import type { SharedLimiter } from "./http/shared-limiter.js";
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
  /** Of client addresses without a valid key, in this process. */
  anonymousLimiter: RateLimiter;
  /** Of users, in all processes that share the database. */
  limiter: SharedLimiter;
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
  /** Whether `/mcp` is there, and under which host names; null when it is not. */
  mcp: McpOptions | null;
  /** Base address with the version prefix, as the OpenAPI document names it. */
  publicUrl: string;
}

export interface McpOptions {
  /** Host names, without ports, that a request may name; null for any. */
  hosts: readonly string[] | null;
  /** Version of the server. */
  version: string;
}
