import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { z } from "zod";
import { distance } from "fastest-levenshtein";
import { combinePolicy, contradictions, type OperatorPolicy, readPolicy } from "./policy-file.js";
import { isPostgresUrl, settingReferences, settings } from "./settings.js";

/** Requests per user and minute, one budget for each group; `anonymous` is per client address. */
export type RateLimits = Config["rateLimits"];

/** The server's configuration: checked, complete, with absolute paths. */
export type Config = ReturnType<typeof toConfig> & {
  /** Every setting as its operator would write it. */
  settings: readonly SettingInForce[];
  /** A line for each variable that looks like a mistyped setting. */
  unknownSettings: readonly string[];
};

/** A setting and where its value came from. */
export interface SettingInForce {
  name: string;
  /** As it may be shown: secrets are left out. Of a default, what the reference says. */
  value: string;
  /** A variable, a flag, or nothing of both. */
  source: "default" | "environment" | "flag";
}

/** Settings that also have a flag, by the name that the flag parser uses. */
const variableOfFlag = {
  host: "HOST",
  port: "PORT",
  dataDir: "PERISCOPE_DATA_DIR",
  databaseUrl: "DATABASE_URL",
  logLevel: "LOG_LEVEL",
} as const;
export type ConfigFlag = keyof typeof variableOfFlag;
export type ConfigFlags = { readonly [Flag in ConfigFlag]?: string | undefined };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings with values that are not allowed. The message names each setting, its value (secrets masked) and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/**
 * Reads the configuration from environment variables and flags. A flag wins over its variable. An empty variable counts as unset.
 * Throws {@link ConfigError} that lists everything that is wrong.
 */
export function readConfig(env: Environment, flags: ConfigFlags = {}): Config {
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
        return `${sources[name]}: got ${printableValue(name, given[name] ?? "")}; ${message}`;
      }),
    );
  }
  return { ...toConfig(data, env), settings: settingsInForce(given, sources), unknownSettings: unknownSettings(env) };
}

function settingsInForce(given: Readonly<Record<string, string>>, sources: Readonly<Record<string, string>>): SettingInForce[] {
  return Object.entries(settings.shape).map(([name, schema]) => {
    const text = given[name];
    if (text === undefined) return { name, value: settingReferences.get(schema)?.fallback ?? "", source: "default" };
    return {
      name,
      value: printableValue(name, text).replace(/^"(.*)"$/, "$1"),
      source: sources[name]?.startsWith("--") ? "flag" : "environment",
    };
  });
}

export function flagOf(variable: string): ConfigFlag | undefined {
  return (Object.keys(variableOfFlag) as ConfigFlag[]).find((flag) => variableOfFlag[flag] === variable);
}

export function flagName(flag: ConfigFlag): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function toConfig(values: z.output<typeof settings>, env: Environment) {
  const absolute = (given: string) => resolve(given.replace(/^~(?=\/|$)/, homedir()));
  const dataDir = absolute(values.PERISCOPE_DATA_DIR ?? defaultDataDirectory(env));
  const database = values.DATABASE_URL ?? join(dataDir, "periscope.db");
  const policyPath = values.PRIVACY_POLICY_FILE === undefined ? null : absolute(values.PRIVACY_POLICY_FILE);
  return {
    host: values.HOST,
    /** 0 picks a free port. */
    port: values.PORT,
    dataDir,
    /** `file:` and the literal absolute path of the database, never percent-encoded; or a `postgres:` URL, perhaps with a password. */
    databaseUrl: isPostgresUrl(database) ? database : `file:${absolute(database)}`,
    databaseConnections: values.DATABASE_CONNECTIONS,
    databaseTimeoutMs: values.DATABASE_TIMEOUT_MS,
    /** Without a trailing slash and without `/api/v1`; null when clients use the address listened on. */
    publicUrl: values.PUBLIC_URL ?? null,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    /** Whether the first start makes a user with a key, for a server that nobody opens in a browser. */
    headless: values.PERISCOPE_HEADLESS === "true",
    signUp: values.SIGN_UP,
    /** Null without an identity provider. */
    oidc: oidcFrom(values),
    /** Undefined where the database keeps one. */
    sessionSecret: values.SESSION_SECRET,
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
    /** In days; null for none. */
    retention: { defaultDays: values.RETENTION_DEFAULT_DAYS || null, maxDays: values.RETENTION_MAX_DAYS || null },
    trustProxy: values.TRUST_PROXY,
    corsOrigins: values.CORS_ORIGINS,
    corsExtensions: values.CORS_EXTENSIONS === "true",
    /** The operator's part of every user's policy: file and settings together. */
    privacyPolicy: policyFrom(values, policyPath),
    privacyPolicyFile: policyPath,
    searchTimeoutMs: values.SEARCH_TIMEOUT_MS,
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT_MS,
  };
}

/**
 * The per-user data directory by the platform's convention: `%LOCALAPPDATA%` on Windows, else `$XDG_DATA_HOME` when
 * that is set, else `~/Library/Application Support` on macOS and `~/.local/share` everywhere else.
 */
function defaultDataDirectory(env: Environment): string {
  if (process.platform === "win32") return join(env["LOCALAPPDATA"] || join(homedir(), "AppData", "Local"), "periscope");
  const xdg = env["XDG_DATA_HOME"];
  // The XDG specification says that relative paths are ignored.
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, "periscope");
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support", "periscope");
  return join(homedir(), ".local", "share", "periscope");
}

function policyFrom(values: z.output<typeof settings>, path: string | null): OperatorPolicy {
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

function oidcFrom(values: z.output<typeof settings>) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) return { issuer, clientId, clientSecret };
  if (issuer ?? clientId ?? clientSecret)
    throw new ConfigError(["OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: set all three, or none."]);
  return null;
}

const policyBytesMax = 1_048_576;

function readPolicyFile(path: string): OperatorPolicy {
  const rejection = (...problems: string[]) => new ConfigError(problems.map((problem) => `PRIVACY_POLICY_FILE: ${path}: ${problem}`));
  let text;
  try {
    const { size } = statSync(path);
    if (size > policyBytesMax) throw rejection(`got ${size} bytes; allowed: at most ${policyBytesMax}`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw rejection(code === "ENOENT" ? "there is no such file" : `cannot be read (${code})`);
  }
  const result = readPolicy(text);
  if (!result.ok) throw rejection(...result.problems);
  return result.policy;
}

/** A value as it may be printed: of a database, and of anything with credentials, only the scheme. */
function printableValue(name: string, text: string): string {
  const isSecret = name === "DATABASE_URL" || name.endsWith("_SECRET") || /:\/\/[^/]*@|(?:password|secret|token|key)=|psk_/i.test(text);
  if (!isSecret) return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(text) ?? [];
  return scheme === undefined ? "a value that is not shown" : `${scheme}… (the rest is not shown)`;
}

/** Variables of the client, which may be set where the server runs. */
const clientVariables = new Set(["PERISCOPE_BASE_URL", "PERISCOPE_API_KEY", "PERISCOPE_LOG"]);

/** Kubernetes sets such variables for a service with the name `periscope`. */
const kubernetesVariable = /^PERISCOPE_(?:SERVICE_(?:HOST|PORT)|PORT_\d)/;

/** Shorter names are close to too many others: `HOST` and `HOME` differ by two letters. */
const comparableLength = 8;
const typosMax = 2;

/** One line for each environment variable that looks like a mistyped setting. */
export function unknownSettings(env: Environment): string[] {
  const names = Object.keys(settings.shape);
  return Object.entries(env).flatMap(([variable, value]) => {
    if (!value || names.includes(variable) || clientVariables.has(variable)) return [];
    if (kubernetesVariable.test(variable) || /^(?:tcp|udp):\/\//.test(value)) return [];
    const intended = intendedSetting(variable, names);
    if (intended === undefined && !/^(?:PERISCOPE|RATE_LIMIT)_/.test(variable)) return [];
    const hint = intended === undefined ? "docs/configuration.md lists every setting." : `Did you mean ${intended}?`;
    return [`${variable}: unknown setting, ignored. ${hint}`];
  });
}

function intendedSetting(variable: string, names: readonly string[]): string | undefined {
  const letters = variable.replace(/^PERISCOPE_/, "").replaceAll("_", "");
  const sameLetters = names.find((name) => name.replaceAll("_", "") === letters);
  if (sameLetters !== undefined) return sameLetters;
  const [nearest] = names
    .filter((name) => name.length >= comparableLength)
    .map((name) => ({ name, typos: distance(variable, name) }))
    .sort((a, b) => a.typos - b.typos);
  return nearest !== undefined && nearest.typos <= typosMax ? nearest.name : undefined;
}

/** What does not work, or is not safe, about the addresses that the server listens on and is reached at. */
export function addressWarnings({ host, publicUrl }: Pick<Config, "host" | "publicUrl">): string[] {
  const isLocal = host === "localhost" || host === "::1" || host.startsWith("127.") || host.startsWith("/");
  const warnings: string[] = [];
  if (!isLocal && !publicUrl?.startsWith("https:"))
    warnings.push(
      `HOST is ${host}, without TLS: keys and pages cross the network unencrypted. Put a reverse proxy with TLS in front of the server, and set PUBLIC_URL to its https address.`,
    );
  const path = publicUrl === null ? "/" : new URL(publicUrl).pathname;
  if (path !== "/")
    warnings.push(
      `PUBLIC_URL has the path ${path}: below a path the API works, and MCP with an API key. The portal and the sign-in of MCP hosts do not. Give the server a host name of its own, and set PUBLIC_URL to that address without a path.`,
    );
  return warnings;
}
