import { toBaseUrl } from "@periscope/delivery";
import { isWebPage, variable } from "./environment.js";
import { PeriscopeError } from "./errors/periscope-error.js";
import { createLog, type Log } from "./log.js";
import type { PeriscopeOptions } from "./options.js";

/** How long a call may take, and how often it tries. */
export interface CallLimits {
  timeoutMs: number;
  deadlineMs: number;
  maxRetries: number;
}

/** Limits that were given; the others are the defaults. */
type GivenLimits = { [name in keyof CallLimits]?: CallLimits[name] | undefined };

/** The settings of a client, checked and complete. */
export interface Settings {
  baseUrl: string;
  /** Resolves to the key for one attempt. */
  apiKey: () => string | Promise<string>;
  /** Whether another call of `apiKey` may bring another key. */
  renewsKey: boolean;
  fetch: typeof fetch;
  headers: Readonly<Record<string, string>>;
  log: Log;
  onResponse: PeriscopeOptions["onResponse"];
  limits: GivenLimits;
}

// What timers of every runtime can wait, some 24 days.
const msMax = 2 ** 31 - 1;
/** For what goes through all that a user has. */
const longMs = 3_600_000;

/** @throws PeriscopeError that names the setting that is missing or wrong */
export function settingsOf(options: PeriscopeOptions): Settings {
  const address = options.baseUrl ?? variable("PERISCOPE_BASE_URL");
  if (address === undefined) throw new PeriscopeError("Pass baseUrl, or set PERISCOPE_BASE_URL.");
  const baseUrl = toBaseUrl(address);
  // The text does not quote it: it may hold a password.
  if (baseUrl === undefined)
    throw new PeriscopeError("baseUrl must be an address such as http://127.0.0.1:3000/api/v1, without user name and query.");
  const apiKey = options.apiKey ?? variable("PERISCOPE_API_KEY");
  if (apiKey === undefined) throw new PeriscopeError("Pass apiKey, or set PERISCOPE_API_KEY.");
  if (typeof apiKey === "string" && !apiKey.trim()) throw new PeriscopeError("apiKey is empty. Pass a key.");
  if (typeof apiKey === "string" && isWebPage()) {
    throw new PeriscopeError("A web page must not hold a key: pass apiKey as a function that asks your server for one.");
  }
  // A wrong limit is said at once.
  limitsOf({}, options);
  return {
    baseUrl,
    apiKey: typeof apiKey === "string" ? () => apiKey : apiKey,
    renewsKey: typeof apiKey === "function",
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: { ...options.headers },
    log: createLog(options.logger, options.logLevel),
    onResponse: options.onResponse,
    limits: options,
  };
}

/**
 * Limits of a call: its own where it has them, else those of the client, else the defaults.
 * @throws PeriscopeError that names the limit that is wrong
 */
export function limitsOf(call: GivenLimits, client: GivenLimits, isLong = false): CallLimits {
  const limit = (name: keyof CallLimits, least: number, usual: number) => {
    const value = call[name] ?? client[name] ?? usual;
    if (value >= least && value <= msMax) return value;
    throw new PeriscopeError(`${name} must be a number from ${least} to ${msMax}.`);
  };
  return {
    timeoutMs: limit("timeoutMs", 1, isLong ? longMs : 10_000),
    deadlineMs: limit("deadlineMs", 1, isLong ? longMs : 60_000),
    maxRetries: limit("maxRetries", 0, 2),
  };
}
