import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { PrivacyLevel } from "@periscope/schemas";
import { z } from "zod";
import {
  database,
  detectorsOff,
  detectorsOn,
  directory,
  listenHost,
  oneOf,
  origins,
  policyFile,
  processCount,
  publicAddress,
  sites,
  trueOrFalse,
  wholeNumber,
  type ValueFormat,
} from "./config-values.js";
import { isPostgresUrl } from "./database-url.js";
import { defaultDataDirectory, type HostPlatform } from "./default-data-directory.js";
import { combinePolicy, contradictions } from "./privacy/operator-policy.js";
import { type OperatorPolicy, readPolicy } from "./privacy/policy-file.js";

/** Requests per user and minute, one budget a group; `anonymous` is per client address, over all processes of one command. */
export interface RateLimits {
  sync: number;
  batchSync: number;
  read: number;
  search: number;
  delete: number;
  anonymous: number;
}

/** What an operator reads about a setting. */
export interface SettingReference {
  description: string;
  allowed: string;
  /** The value that holds when nothing is given. */
  fallback: string;
  /** Whether the default depends on the machine or on other settings, so that `fallback` describes it. */
  computed: boolean;
}

/** Settings that also have a flag, by the name that the flag parser gives it. */
export const variableOfFlag = {
  host: "HOST",
  port: "PORT",
  dataDir: "PERISCOPE_DATA_DIR",
  databaseUrl: "DATABASE_URL",
  logLevel: "LOG_LEVEL",
} as const;
export type ConfigFlag = keyof typeof variableOfFlag;
export type ConfigFlags = { readonly [Flag in ConfigFlag]?: string | undefined };

/** Who may read `/metrics`: those on this machine, whoever reaches the port, nobody. */
export const metricsReaders = ["local", "any", "off"] as const;

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** Reference of every setting, by its schema in {@link settings}. */
export const settingReferences = z.registry<SettingReference>();

const perMinute = wholeNumber(1, 1_000_000_000);

/** Every setting, by the name of its environment variable. */
export const settings = z.object({
  HOST: setting(listenHost, "127.0.0.1", "Address to listen on; 0.0.0.0 or :: for every network."),
  PORT: setting(wholeNumber(0, 65_535, " (0 takes a free port)"), 3000, "Port to listen on."),
  PERISCOPE_DATA_DIR: place(
    directory,
    "the user's data directory, such as ~/.local/share/periscope",
    "Where the database and the server's lock are.",
  ),
  DATABASE_URL: place(
    database,
    "periscope.db in the data directory",
    "The database: a file of the embedded engine, or PostgreSQL. A relative path starts at the working directory.",
  ),
  DATABASE_CONNECTIONS: setting(wholeNumber(2, 1000), 10, "Connections that each server process makes to PostgreSQL at most."),
  SERVER_PROCESSES: setting(processCount, 1, "Processes that serve on the port together; more than one needs PostgreSQL."),
  DATABASE_TIMEOUT_MS: setting(
    wholeNumber(100, 600_000),
    30_000,
    "Milliseconds after which PostgreSQL gives up a statement; waiting for a lock ends after a third of it.",
  ),
  PUBLIC_URL: place(
    publicAddress,
    "the address listened on",
    "Address under which clients reach the service, when a reverse proxy stands before it; named in OpenAPI and in printed links.",
  ),
  LOG_LEVEL: setting(oneOf(logLevels), "info", "Least level that is logged."),
  METRICS: setting(
    oneOf(metricsReaders),
    "local",
    "Who may read /metrics, without a key: local is who asks from this machine and not through a proxy.",
  ),
  MCP: setting(oneOf(["on", "off"]), "on", "Whether MCP hosts are answered at /mcp, with the same keys."),
  RATE_LIMIT_SYNC: setting(perMinute, 600, "Requests a minute and user to POST /context/sync and PUT /privacy/rules, together."),
  RATE_LIMIT_BATCH_SYNC: setting(perMinute, 120, "Requests a minute and user to POST /context/batch-sync."),
  RATE_LIMIT_READ: setting(
    perMinute,
    600,
    "Requests a minute and user to current, history, one context by id and the privacy rules, together.",
  ),
  RATE_LIMIT_SEARCH: setting(perMinute, 120, "Requests a minute and user to GET /context/search."),
  RATE_LIMIT_DELETE: setting(perMinute, 120, "Requests a minute and user to DELETE /context/{contextId}."),
  RATE_LIMIT_ANONYMOUS: setting(
    perMinute,
    60,
    "Requests a minute and client address without a valid key. Each of the `SERVER_PROCESSES` has an equal part of it.",
  ),
  TRUST_PROXY: setting(wholeNumber(0, 32), 0, "Reverse proxies before the server, whose X-Forwarded-For is believed."),
  CORS_ORIGINS: setting(origins, [], "Web origins that browsers may call from."),
  CORS_EXTENSIONS: setting(trueOrFalse, false, "Whether browser extensions may call from any extension origin."),
  PRIVACY_MINIMUM_LEVEL: setting(oneOf(PrivacyLevel.options), "public", "Least privacy level at which anything is stored."),
  BLOCKED_SITES: setting(sites, [], "Sites of which nothing is stored, with everything below them."),
  DETECTORS_OFF: setting(detectorsOff, [], "Kinds that the privacy filter does not look for."),
  DETECTORS_ON: setting(detectorsOn, [], "Kinds that it looks for at every level and in every field."),
  PRIVACY_POLICY_FILE: place(
    policyFile,
    "none",
    "More of the operator's privacy policy; holds together with the four settings above. A relative path starts at the working directory.",
  ),
  SEARCH_TIMEOUT_MS: setting(wholeNumber(1, 60_000), 5000, "Milliseconds after which a search is given up."),
  SHUTDOWN_TIMEOUT_MS: setting(
    wholeNumber(1, 9_500),
    8000,
    "Milliseconds that requests in flight get to finish when the server is told to stop.",
  ),
});

/** The server's configuration: checked, complete, with absolute paths. */
export interface Config {
  host: string;
  /** 0 takes a free port. */
  port: number;
  dataDir: string;
  /** `file:` and the literal absolute path of the database, never percent-encoded; or a `postgres:` URL, perhaps with a password. */
  databaseUrl: string;
  /** Connections to PostgreSQL at most. */
  databaseConnections: number;
  databaseTimeoutMs: number;
  /** Processes that share the port. */
  serverProcesses: number;
  /** Without a trailing slash and without `/api/v1`; null when clients use the address listened on. */
  publicUrl: string | null;
  logLevel: (typeof logLevels)[number];
  metricsReaders: (typeof metricsReaders)[number];
  /** Whether `/mcp` is served. */
  mcp: boolean;
  rateLimits: RateLimits;
  /** Number of reverse proxies whose X-Forwarded-For is believed. */
  trustProxy: number;
  corsOrigins: readonly string[];
  corsExtensions: boolean;
  /** The operator's part of every user's policy: file and settings together. */
  privacyPolicy: OperatorPolicy;
  /** Absolute path of the file it was read from; null without one. */
  privacyPolicyFile: string | null;
  searchTimeoutMs: number;
  shutdownTimeoutMs: number;
}

/** Settings that are not allowed. The message names each, what was given (secrets masked) and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from environment variables and flags; a flag wins over its variable, and an empty variable
 * counts as unset. Throws {@link ConfigError} that lists everything that is wrong.
 */
export function readConfig(env: Environment, flags: ConfigFlags = {}, host: HostPlatform = thisHost()): Config {
  const given: Record<string, string> = {};
  const sources: Record<string, string> = {};
  for (const name of Object.keys(settings.shape)) {
    const flag = flagOf(name);
    const fromFlag = flag === undefined ? undefined : flags[flag];
    const text = fromFlag ?? env[name]?.trim();
    if (text === undefined || (text === "" && fromFlag === undefined)) continue;
    given[name] = text;
    sources[name] = fromFlag === undefined || flag === undefined ? name : `${flagName(flag)} (${name})`;
  }
  const { data, error } = settings.safeParse(given);
  if (error !== undefined) {
    throw new ConfigError(
      error.issues.map(({ path: [key], message }) => {
        const name = String(key);
        return `${sources[name]}: got ${shown(name, given[name] ?? "")}; ${message}`;
      }),
    );
  }
  const config = toConfig(data, env, host);
  checkEngine(config);
  return config;
}

/** The flag of a setting, if it has one. */
export function flagOf(variable: string): ConfigFlag | undefined {
  return (Object.keys(variableOfFlag) as ConfigFlag[]).find((flag) => variableOfFlag[flag] === variable);
}

/** How a flag is written on the command line. */
export function flagName(flag: ConfigFlag): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function toConfig(values: z.output<typeof settings>, env: Environment, host: HostPlatform): Config {
  const path = (given: string) => resolve(host.workingDirectory, given.replace(/^~(?=\/|$)/, host.homeDirectory));
  const dataDir = path(values.PERISCOPE_DATA_DIR ?? defaultDataDirectory(env, host));
  const policyPath = values.PRIVACY_POLICY_FILE === undefined ? null : path(values.PRIVACY_POLICY_FILE);
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir,
    databaseUrl: databaseUrlOf(values.DATABASE_URL ?? join(dataDir, "periscope.db"), path),
    databaseConnections: values.DATABASE_CONNECTIONS,
    databaseTimeoutMs: values.DATABASE_TIMEOUT_MS,
    serverProcesses: values.SERVER_PROCESSES,
    publicUrl: values.PUBLIC_URL ?? null,
    logLevel: values.LOG_LEVEL,
    metricsReaders: values.METRICS,
    mcp: values.MCP === "on",
    rateLimits: {
      sync: values.RATE_LIMIT_SYNC,
      batchSync: values.RATE_LIMIT_BATCH_SYNC,
      read: values.RATE_LIMIT_READ,
      search: values.RATE_LIMIT_SEARCH,
      delete: values.RATE_LIMIT_DELETE,
      anonymous: values.RATE_LIMIT_ANONYMOUS,
    },
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    corsExtensions: values.CORS_EXTENSIONS,
    privacyPolicy: policyOf(values, policyPath),
    privacyPolicyFile: policyPath,
    searchTimeoutMs: values.SEARCH_TIMEOUT_MS,
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT_MS,
  };
}

/** Throws when something is set that the embedded database has not. */
function checkEngine({ databaseUrl, serverProcesses }: Config): void {
  if (isPostgresUrl(databaseUrl) || serverProcesses === 1) return;
  throw new ConfigError([
    `SERVER_PROCESSES: got ${serverProcesses}; allowed: 1 on the embedded database, which has one server. Set DATABASE_URL to PostgreSQL for more.`,
  ]);
}

function databaseUrlOf(given: string, path: (given: string) => string): string {
  return isPostgresUrl(given) ? given : `file:${path(given)}`;
}

function policyOf(values: z.output<typeof settings>, path: string | null): OperatorPolicy {
  const policy = combinePolicy(path === null ? {} : readPolicyFile(path), {
    minimumLevel: values.PRIVACY_MINIMUM_LEVEL,
    blockedSites: values.BLOCKED_SITES,
    detectorsOff: values.DETECTORS_OFF,
    detectorsOn: values.DETECTORS_ON,
  });
  const both = contradictions(policy);
  if (both.length === 0) return policy;
  throw new ConfigError([`DETECTORS_OFF and DETECTORS_ON, or the policy file, both name ${both.join(", ")}; allowed: one of them`]);
}

const policyBytesMax = 1_048_576;

function readPolicyFile(path: string): OperatorPolicy {
  const refuse = (...problems: string[]) => new ConfigError(problems.map((problem) => `PRIVACY_POLICY_FILE: ${path}: ${problem}`));
  let text;
  try {
    const { size } = statSync(path);
    if (size > policyBytesMax) throw refuse(`got ${size} bytes; allowed: at most ${policyBytesMax}`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw refuse(code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`);
  }
  const result = readPolicy(text);
  if (!result.ok) throw refuse(...result.problems);
  return result.policy;
}

function setting<T>(format: ValueFormat<T>, value: T, description: string) {
  const fallback = Array.isArray(value) ? value.join(",") : String(value);
  const reference = { description, allowed: format.allowed, fallback, computed: false };
  return read(format).prefault(fallback).register(settingReferences, reference);
}

/** A setting whose default depends on the machine or on other settings. */
function place(format: ValueFormat<string>, fallback: string, description: string) {
  const reference = { description, allowed: format.allowed, fallback, computed: true };
  return read(format).optional().register(settingReferences, reference);
}

function read<T>({ allowed, read: readText, explain }: ValueFormat<T>) {
  return z.string().transform((text, ctx): T => {
    const value = readText(text);
    if (value !== undefined) return value;
    ctx.addIssue(explain?.(text) ?? `allowed: ${allowed}`);
    return z.NEVER;
  });
}

/** A given value as it may be printed: of an address with credentials, and of any database, the scheme only. */
function shown(name: string, text: string): string {
  const secret = name === "DATABASE_URL" || /:\/\/[^/]*@|(?:password|secret|token|key)=|psk_/i.test(text);
  if (!secret) return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(text) ?? [];
  return scheme === undefined ? "a value that is not shown" : `${scheme}… (the rest is not shown)`;
}

function thisHost(): HostPlatform {
  return { platform: process.platform, homeDirectory: homedir(), workingDirectory: process.cwd() };
}
