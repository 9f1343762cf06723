import { isIP } from "node:net";
import { siteOf } from "@periscope/privacy";
import { PrivacyLevel } from "@periscope/schemas";
import { z } from "zod";
import { kindsOff, kindsOn, objectionTo } from "./policy-file.js";

/** What an operator reads about a setting. */
export interface SettingReference {
  description: string;
  /** The values that are accepted, in words. */
  allowed: string;
  /** The value that holds when nothing is given. */
  fallback: string;
  /** Whether the default depends on the machine or on other settings, so that `fallback` describes it. */
  computed: boolean;
}

/** Reference of every setting, by its schema in {@link settings}. */
export const settingReferences = z.registry<SettingReference>();

/** Who may read `/metrics`: clients on this machine, everybody, nobody. */
const metricsReaders = ["local", "any", "off"] as const;

/** Who may make an account, after the owner. */
const signUps = ["closed", "invite", "open"] as const;

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** How log lines are written; `auto` is `pretty` on a terminal, else `json`. */
const logFormats = ["auto", "json", "pretty"] as const;

/** How the text of a setting is read. */
interface ValueFormat<T> {
  /** What is allowed, in words that fit after "allowed:". */
  allowed: string;
  read: (text: string) => T | undefined;
  /** A better explanation than `allowed` for a rejected text, where there is one. */
  explain?: (text: string) => string | undefined;
}

/** A whole number within bounds, in plain digits: `1e3`, `0x10`, `+5` and `5.0` are rejected. */
function wholeNumber(minimum: number, maximum: number, unit: string): ValueFormat<number> {
  return {
    allowed: `a whole number from ${minimum} to ${maximum}${unit === "" ? "" : ` (${unit})`}`,
    read: (text) => {
      const value = /^(?:0|[1-9]\d{0,9})$/.test(text) ? Number(text) : NaN;
      return value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

function oneOf<const Word extends string>(words: readonly Word[]): ValueFormat<Word> {
  return { allowed: words.join(", "), read: (text) => words.find((word) => word === text) };
}

const path = (allowed: string): ValueFormat<string> => ({
  allowed,
  read: (text) => (text === "" || text.includes("\0") ? undefined : text),
});

export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(?:ql)?:/i.test(databaseUrl);
}

const hostLabels = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;

// IPv6 also in brackets. A name whose last label has only digits is a wrong IPv4 address.
const listenHost: ValueFormat<string> = {
  allowed: "an IP address or a host name, without scheme and port",
  read: (text) => {
    const host = text.replace(/^\[(.*)\]$/, "$1");
    return isIP(host) !== 0 || (hostLabels.test(host) && !/(?:^|\.)\d+$/.test(host)) ? host : undefined;
  },
};

// A `postgres:` URL as it is, or the literal path after `file:` or `sqlite:`; `//` and `//localhost` before an absolute path are dropped.
const database: ValueFormat<string> = {
  allowed:
    "file: or sqlite: and the path of the database file, such as file:/var/lib/periscope/periscope.db; or the address of a PostgreSQL database, such as postgres://user:password@host:5432/periscope",
  read: (text) => {
    if (isPostgresUrl(text)) return isPostgresDatabase(text) ? text : undefined;
    const [, file = ""] = /^(?:file|sqlite):(?:\/\/(?:localhost)?\/?(?=\/))?([^?#\0]+)$/i.exec(text) ?? [];
    return file === "" || file.startsWith("//") || file.endsWith("/") || file.includes(":memory:") ? undefined : file;
  },
  explain: (text) =>
    isPostgresUrl(text)
      ? "this is not the address of a PostgreSQL database; allowed: postgres://user:password@host:5432/database, with special characters in the password percent-encoded"
      : undefined,
};

function isPostgresDatabase(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^\/[^/]+$/.test(url.pathname) && url.hash === "";
}

const publicAddress: ValueFormat<string> = {
  allowed: "an http or https address without /api/v1, user, password, ? and #, such as https://periscope.example.com",
  read: (text) => {
    const url = webUrl(text);
    const pathname = url?.pathname.replace(/\/+$/, "") ?? "";
    return url === null || pathname.endsWith("/api/v1") ? undefined : url.origin + pathname;
  },
};

const origins: ValueFormat<readonly string[]> = {
  allowed: "origins separated by commas, such as https://app.example.com,http://localhost:5173",
  read: commaList((item) => {
    if (/^(?:chrome|moz|safari-web)-extension:\/\/[a-z0-9-]+$/i.test(item)) return item.toLowerCase();
    const url = webUrl(item);
    return url?.pathname === "/" ? url.origin : undefined;
  }),
};

const sites: ValueFormat<readonly string[]> = {
  allowed: "hosts, optionally with a path, separated by commas, such as bank.example,example.com/health",
  read: commaList(siteOf),
};

function kindList(kinds: readonly string[]): ValueFormat<readonly string[]> {
  const allowed = kinds.join(", ");
  return {
    allowed: `kinds separated by commas: ${allowed}`,
    read: commaList((item) => kinds.find((kind) => kind === item)),
    explain: (text) => {
      const wrong = commaItems(text).find((item) => objectionTo(item, kinds) !== undefined);
      return wrong === undefined ? undefined : `${wrong} ${objectionTo(wrong, kinds)}; allowed: ${allowed}`;
    },
  };
}

function commaItems(text: string): string[] {
  return text.split(",").flatMap((item) => item.trim() || []);
}

function commaList(read: (item: string) => string | undefined): (text: string) => readonly string[] | undefined {
  return (text) => {
    const values = commaItems(text).map(read);
    return values.every((value) => value !== undefined) ? [...new Set(values)] : undefined;
  };
}

/** An http or https URL that has nothing but an address and a path. */
function webUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.username + url.password + url.search + url.hash === "" ? url : null;
}

const sessionSecret: ValueFormat<string> = {
  allowed: "32 to 256 characters, such as `openssl rand -base64 32` prints",
  read: (text) => (text.length >= 32 && text.length <= 256 ? text : undefined),
};

const issuer: ValueFormat<string> = {
  allowed: "an https address, or an http address of this machine, without user, password, ? and #, such as https://id.example.com",
  read: (given) => {
    const url = webUrl(given);
    if (url === null || (url.protocol === "http:" && !/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))) return undefined;
    return given.replace(/\/$/, "");
  },
};

const text: ValueFormat<string> = {
  allowed: "1 to 512 characters",
  read: (given) => (given.length >= 1 && given.length <= 512 ? given : undefined),
};

const perMinute = wholeNumber(1, 1_000_000_000, "requests per minute");

/** Every setting, by the name of its environment variable. */
export const settings = z.object({
  HOST: setting(listenHost, "127.0.0.1", "Address to listen on. Use 0.0.0.0 or :: to listen on every network."),
  PORT: setting(wholeNumber(0, 65_535, "0 picks a free port"), 3000, "Port to listen on."),
  PUBLIC_URL: computed(
    publicAddress,
    "the address the server listens on",
    "Address that clients use, when a reverse proxy is in front of the server. Used in OpenAPI, in printed links and in the sign-in of MCP hosts. It should have no path: below one, the portal and that sign-in do not work.",
  ),
  PERISCOPE_DATA_DIR: computed(
    path("a directory; it is created when missing"),
    "the user's data directory, such as ~/.local/share/periscope",
    "Directory of the SQLite database and of the server's lock file.",
  ),
  DATABASE_URL: computed(
    database,
    "periscope.db in the data directory",
    "The database: a SQLite file, or PostgreSQL. A relative path starts at the working directory.",
  ),
  DATABASE_CONNECTIONS: setting(
    wholeNumber(2, 1000, "connections"),
    10,
    "Maximum number of PostgreSQL connections of each server process. While somebody follows the live channel, it has one more.",
  ),
  DATABASE_TIMEOUT_MS: setting(
    wholeNumber(100, 600_000, "milliseconds"),
    30_000,
    "Time limit of one PostgreSQL statement. Waiting for a lock is limited to a third of it.",
  ),
  SEARCH_TIMEOUT_MS: setting(
    wholeNumber(1, 60_000, "milliseconds"),
    5000,
    "Time limit of one search: processor time on SQLite, looked at between its statements, and the time of its statements on PostgreSQL.",
  ),
  SHUTDOWN_TIMEOUT_MS: setting(
    wholeNumber(1, 9_500, "milliseconds"),
    8000,
    "How long running requests may take to finish after the server is told to stop.",
  ),
  LOG_LEVEL: setting(oneOf(logLevels), "info", "Lowest level that is logged."),
  LOG_FORMAT: setting(
    oneOf(logFormats),
    "auto",
    "Format of log lines. auto writes readable lines to a terminal, and JSON everywhere else.",
  ),
  PERISCOPE_HEADLESS: setting(
    oneOf(["true", "false"]),
    "false",
    "Whether the first start makes a user and prints an API key, instead of the address where the owner makes an account.",
  ),
  SIGN_UP: setting(
    oneOf(signUps),
    "closed",
    "Who may make an account in the portal, after the owner: nobody, whoever has an invite, or everybody. With OIDC_ISSUER, open means everybody whom the identity provider signs in.",
  ),
  OIDC_ISSUER: computed(
    issuer,
    "none",
    "Identity provider by which people can sign in, with OpenID Connect. Register PUBLIC_URL with /portal/auth/callback/oidc there as the redirect address.",
  ),
  OIDC_CLIENT_ID: computed(text, "none", "Id of this server at the identity provider. Needed with OIDC_ISSUER."),
  OIDC_CLIENT_SECRET: computed(text, "none", "Secret of this server at the identity provider. Needed with OIDC_ISSUER."),
  SESSION_SECRET: computed(
    sessionSecret,
    "made once, and kept in the database",
    "Signs the cookies of people who are signed in. Set it, and a copy of the database signs nobody in. All servers of a database need the same one.",
  ),
  METRICS: setting(
    oneOf(metricsReaders),
    "local",
    "Who may read /metrics without a key. local means requests from this machine that did not come through a proxy.",
  ),
  MCP: setting(
    oneOf(["on", "off"]),
    "on",
    "Whether the server offers MCP at /mcp. It uses the same keys. The portal shows how to connect agents either way.",
  ),
  RATE_LIMIT_SYNC: setting(perMinute, 600, "Limit for each user of POST /context/sync and PUT /privacy/rules together."),
  RATE_LIMIT_BATCH_SYNC: setting(
    perMinute,
    120,
    "Limit for each user of POST /context/batch-sync, of batches sent to POST /context/sync, and of POST /data/import.",
  ),
  RATE_LIMIT_READ: setting(
    perMinute,
    600,
    "Limit for each user of reading the current context, history, one context by id, the privacy and retention rules, the key and exports, of requests to /mcp, and of tickets and connections of the live channel together.",
  ),
  RATE_LIMIT_SEARCH: setting(perMinute, 120, "Limit for each user of GET /context/search."),
  RATE_LIMIT_DELETE: setting(
    perMinute,
    120,
    "Limit for each user of DELETE /context/{contextId}, POST /context/delete, PUT /data/retention and DELETE /data together.",
  ),
  RATE_LIMIT_ANONYMOUS: setting(perMinute, 60, "Limit for each client address without a valid key."),
  TRUST_PROXY: setting(
    wholeNumber(0, 32, "proxies"),
    0,
    "Number of reverse proxies in front of the server. Their X-Forwarded-For header is trusted.",
  ),
  CORS_ORIGINS: setting(origins, [], "Web origins whose pages may call the service from a browser."),
  CORS_EXTENSIONS: setting(oneOf(["true", "false"]), "false", "Whether every browser extension may call the service."),
  RETENTION_DEFAULT_DAYS: setting(
    wholeNumber(0, 36_500, "days; 0 keeps for ever"),
    0,
    "Days after which contexts of users without retention rules of their own are deleted.",
  ),
  RETENTION_MAX_DAYS: setting(
    wholeNumber(0, 36_500, "days; 0 sets no limit"),
    0,
    "Days after which every context is deleted, whatever rules its user has.",
  ),
  PRIVACY_MINIMUM_LEVEL: setting(oneOf(PrivacyLevel.options), "public", "Lowest privacy level that contexts are stored at."),
  BLOCKED_SITES: setting(sites, [], "Sites that are never stored, including everything below them."),
  DETECTORS_OFF: setting(kindList(kindsOff), [], "Kinds of values that the privacy filter does not look for."),
  DETECTORS_ON: setting(kindList(kindsOn), [], "Kinds of values that the privacy filter removes at every level and in every field."),
  PRIVACY_POLICY_FILE: computed(
    path("the path of a JSON file, as docs/privacy.md describes it"),
    "none",
    "File with more of the privacy policy. It adds to the four settings above. A relative path starts at the working directory.",
  ),
});

function setting<T>(format: ValueFormat<T>, value: T, description: string) {
  const fallback = Array.isArray(value) ? value.join(",") : String(value);
  const reference = { description, allowed: format.allowed, fallback, computed: false };
  return schemaOf(format).prefault(fallback).register(settingReferences, reference);
}

/** A setting whose default depends on the machine or on other settings. */
function computed(format: ValueFormat<string>, fallback: string, description: string) {
  const reference = { description, allowed: format.allowed, fallback, computed: true };
  return schemaOf(format).optional().register(settingReferences, reference);
}

function schemaOf<T>({ allowed, read, explain }: ValueFormat<T>) {
  return z.string().transform((text, ctx): T => {
    const value = read(text);
    if (value !== undefined) return value;
    ctx.addIssue(explain?.(text) ?? `allowed: ${allowed}`);
    return z.NEVER;
  });
}
