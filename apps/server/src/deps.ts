import type { Config } from "./config/config.js";
import type { RequestLoad } from "./http/bounds.js";
import type { createServices } from "./services.js";

/** Milliseconds since the epoch. */
export type Clock = () => number;

type Services = ReturnType<typeof createServices>;

/** Everything that requests are served with; created once, in main. A service takes what it needs of it. */
export interface Deps extends Services {
  /** What requests in progress hold. */
  load: RequestLoad;
  /** True once shutting down has begun: new requests are answered 503. */
  isDraining: () => boolean;
  http: HttpOptions;
}

export interface HttpOptions extends Pick<Config, "metricsReaders" | "corsOrigins" | "corsExtensions" | "trustProxy" | "mcp"> {
  /** Host names that a request from a browser may name beside those of this machine; null for any. */
  hosts: readonly string[] | null;
  /** Base address with the version prefix, such as `https://periscope.example.org/api/v1`. */
  publicUrl: string;
}
