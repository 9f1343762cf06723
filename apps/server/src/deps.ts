import type { Logger } from "pino";
import type { AccessService } from "./access/access.service.js";
import type { AccountsService } from "./accounts/accounts.service.js";
import type { PairingService } from "./accounts/pairing.service.js";
import type { InvitesService } from "./accounts/invites.service.js";
import type { PeopleService } from "./accounts/people.service.js";
import type { Config, RateLimits } from "./config/config.js";
import type { ContextService } from "./contexts/context.service.js";
import type { SyncService } from "./contexts/sync.service.js";
import type { DeleteService } from "./data/delete.service.js";
import type { EraseService } from "./data/erase.service.js";
import type { ExportService } from "./data/export.service.js";
import type { ImportService } from "./data/import.service.js";
import type { RetentionService } from "./data/retention.service.js";
import type { FirstUses } from "./access/first-uses.js";
import type { RequestLoad } from "./http/bounds.js";
import type { LiveService } from "./live/live.service.js";
import type { Metrics } from "./metrics/metrics.js";
import type { OAuthService } from "./oauth/oauth.service.js";
import type { RulesService } from "./privacy/rules.service.js";
import type { DevicesService } from "./data/devices.service.js";
import type { ExploreService } from "./explore/explore.service.js";
import type { NowService } from "./explore/now.service.js";
import type { SystemService } from "./system/system.service.js";
import type { PrivacyPreview } from "./contexts/privacy-preview.js";
import type { RateLimiter } from "./rates/rate-limiter.js";
import type { UsageService } from "./usage/usage.service.js";
import type { SearchService } from "./search/search.service.js";

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Everything that requests are served with; created once, in main. */
export interface Deps {
  access: AccessService;
  accounts: AccountsService;
  invites: InvitesService;
  pairing: PairingService;
  people: PeopleService;
  contexts: ContextService;
  exports: ExportService;
  imports: ImportService;
  deletes: DeleteService;
  erasure: EraseService;
  retention: RetentionService;
  rules: RulesService;
  search: SearchService;
  sync: SyncService;
  live: LiveService;
  explore: ExploreService;
  privacyPreview: PrivacyPreview;
  system: SystemService;
  now: NowService;
  devices: DevicesService;
  firstUses: FirstUses;
  oauth: OAuthService;
  usage: UsageService;
  limiter: RateLimiter;
  /** What requests in progress hold. */
  load: RequestLoad;
  rateLimits: RateLimits;
  logger: Logger;
  metrics: Metrics;
  /** Rejects when the database does not respond. */
  ping: () => Promise<void>;
  /** True once shutting down has begun: new requests are answered 503. */
  isDraining: () => boolean;
  /** Version of the server. */
  version: string;
  http: HttpOptions;
}

export interface HttpOptions extends Pick<Config, "metricsReaders" | "corsOrigins" | "corsExtensions" | "trustProxy" | "mcp"> {
  /** Host names that a request from a browser may name beside those of this machine; null for any. */
  hosts: readonly string[] | null;
  /** Base address with the version prefix, such as `https://periscope.example.org/api/v1`. */
  publicUrl: string;
}
