import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { addressWarnings, ConfigError, type ConfigFlags, flagName, flagOf, readConfig, unknownSettings } from "./config.js";
import { settingReferences, settings } from "./settings.js";

/** Name and reference of every setting, in the order of the schema. */
const references = Object.entries(settings.shape).map(([name, schema]) => {
  const reference = settingReferences.get(schema);
  if (reference === undefined) throw new TypeError(`setting ${name} has no reference`);
  return { name, flag: flagOf(name), ...reference };
});

/** An entry of `.env.example`: a setting, commented out, with its default. */
const envEntries = references.map(({ name, description, allowed, fallback, computed }) => {
  const value = computed ? `# Default: ${fallback}.\n# ${name}=` : `# ${name}=${fallback}`;
  return `# ${description}\n# Allowed: ${allowed}.\n${value}`;
});

/** An entry of `docs/configuration.md`. */
const pageEntries = references.map(({ name, flag, description, allowed, fallback, computed }) => {
  const names = flag === undefined ? `**\`${name}\`**` : `**\`${name}\`**, \`${flagName(flag)}\``;
  const value = computed ? fallback : fallback === "" ? "none" : `\`${fallback}\``;
  return `- ${names}: ${description}\n  Allowed: ${allowed}. Default: ${value}.`;
});

const envHead = `# Every setting of the server. All are optional. Remove the # of a line to set it.
# Give the file to Node (node --env-file=.env …), to a container (--env-file .env) or to systemd (EnvironmentFile=).
# This file is generated from src/config/settings.ts, and a test checks it.`;

const pageHead = `# Configuration

Settings are environment variables. Five of them are also flags of \`periscope serve\`, and a flag wins over its variable.

- An empty variable counts as unset.
- A wrong value stops the command at once. The message names the setting, the value and what is allowed.
- A variable that looks like a mistyped setting, such as \`PERISCOPE_DATADIR\`, is ignored with a warning.
- The value of \`DATABASE_URL\`, and any value with credentials, is never printed.

\`PERISCOPE_DATA_DIR\` and \`DATABASE_URL\` apply to every command, so \`periscope keys create\` uses the database of \`periscope serve\`.
[\`.env.example\`](../apps/server/.env.example) has all settings in a file to start from.

This list is generated from \`apps/server/src/config/settings.ts\`.`;

function problemsOf(env: Record<string, string>, flags: ConfigFlags = {}): readonly string[] {
  try {
    readConfig(env, flags);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

// After a change of settings, `pnpm exec vitest run --project sqlite src/config -u` writes both files again.
describe("reference", () => {
  test(".env.example and docs/configuration.md list the settings of the schema", async () => {
    await expect(`${[envHead, ...envEntries].join("\n\n")}\n`).toMatchFileSnapshot("../../.env.example");
    await expect(`${pageHead}\n\n${pageEntries.join("\n")}\n`).toMatchFileSnapshot("../../../../docs/configuration.md");
  });

  test("prints the real defaults", () => {
    const printed = references.filter(({ computed }) => !computed);
    const { settings, ...config } = readConfig(Object.fromEntries(printed.map(({ name, fallback }) => [name, fallback])));
    expect(readConfig({})).toEqual({ ...config, settings: expect.arrayContaining([{ name: "PORT", value: "3000", source: "default" }]) });
    expect(settings).toContainEqual({ name: "PORT", value: "3000", source: "environment" });
  });
});

const postgres = "postgres://ada:s3%2Fcret@db.example:6432/periscope?sslmode=require";

test.each([
  ["HOST", "[::]", "host", "::"],
  ["PORT", " 8080\r", "port", 8080],
  ["PERISCOPE_DATA_DIR", "data", "dataDir", resolve("data")],
  ["PERISCOPE_DATA_DIR", "~/periscope", "dataDir", join(homedir(), "periscope")],
  ["PERISCOPE_DATA_DIR", "/data", "databaseUrl", "file:/data/periscope.db"],
  ["DATABASE_URL", "file:x.db", "databaseUrl", `file:${resolve("x.db")}`],
  ["DATABASE_URL", "sqlite:////var/x.db", "databaseUrl", "file:/var/x.db"],
  ["DATABASE_URL", "file://localhost/var/x.db", "databaseUrl", "file:/var/x.db"],
  ["DATABASE_URL", "file:/var/a b%20c.db", "databaseUrl", "file:/var/a b%20c.db"],
  ["DATABASE_URL", postgres, "databaseUrl", postgres],
  ["DATABASE_URL", "postgresql:///periscope?host=/run/postgresql", "databaseUrl", "postgresql:///periscope?host=/run/postgresql"],
  ["DATABASE_TIMEOUT_MS", "100", "databaseTimeoutMs", 100],
  ["PUBLIC_URL", "https://p.example:8443/ctx/", "publicUrl", "https://p.example:8443/ctx"],
  ["METRICS", "off", "metricsReaders", "off"],
  ["MCP", "off", "mcp", false],
  ["TRUST_PROXY", "2", "trustProxy", 2],
  ["CORS_ORIGINS", "https://a.example, http://b:51/,https://a.example:443", "corsOrigins", ["https://a.example", "http://b:51"]],
  ["CORS_ORIGINS", "chrome-extension://abcdefghijklmnop", "corsOrigins", ["chrome-extension://abcdefghijklmnop"]],
  ["SHUTDOWN_TIMEOUT_MS", "9500", "shutdownTimeoutMs", 9500],
] as const)("reads %s=%j", (...[name, text, field, value]) => {
  expect(readConfig({ [name]: text })[field]).toEqual(value);
});

test.each([
  ["PRIVACY_MINIMUM_LEVEL", "filtered", "minimumLevel", "filtered"],
  ["BLOCKED_SITES", "Bank.example,,a.example/b/, bücher.example", "blockedSites", ["bank.example", "a.example/b", "xn--bcher-kva.example"]],
  ["DETECTORS_OFF", "phone, ip", "detectorsOff", ["phone", "ip"]],
  ["DETECTORS_ON", "email,card", "detectorsOn", ["email", "card"]],
] as const)("reads %s=%j into the privacy policy", (...[name, text, field, value]) => {
  expect(readConfig({ [name]: text }).privacyPolicy[field]).toEqual(value);
});

test("each rate limit sets only its own", () => {
  const groups = { SYNC: "sync", BATCH_SYNC: "batchSync", READ: "read", SEARCH: "search", DELETE: "delete", ANONYMOUS: "anonymous" };
  for (const [name, group] of Object.entries(groups))
    expect(readConfig({ [`RATE_LIMIT_${name}`]: "7" }).rateLimits).toEqual({ ...readConfig({}).rateLimits, [group]: 7 });
});

test.each([
  ["linux", { XDG_DATA_HOME: "/data" }, "/data/periscope"],
  ["linux", { XDG_DATA_HOME: "relative" }, join(homedir(), ".local/share/periscope")],
  ["darwin", {}, join(homedir(), "Library/Application Support/periscope")],
  ["darwin", { XDG_DATA_HOME: "/data" }, "/data/periscope"],
  ["win32", { LOCALAPPDATA: "/local" }, "/local/periscope"],
  ["win32", {}, join(homedir(), "AppData/Local/periscope")],
])("finds the data directory on %s with %j", (platform, env, expected) => {
  const { platform: own } = process;
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: own }));
  Object.defineProperty(process, "platform", { value: platform });
  expect(readConfig(env).dataDir).toBe(expected);
});

test.each([
  ["HOST", ["http://localhost", "localhost:3000", "256.1.1.1", "*"]],
  ["PORT", ["65536", "-1", "80.0", "1e3", "0x50", "http"]],
  ["PUBLIC_URL", ["p.example", "ftp://p.example", "https://p.example/api/v1", "https://p.example?x=1"]],
  ["LOG_LEVEL", ["INFO", "verbose"]],
  ["RATE_LIMIT_SYNC", ["0", "-5", "1.5", "Infinity", "ten", "99999999999"]],
  ["TRUST_PROXY", ["true"]],
  ["CORS_ORIGINS", ["*", "https://a.example/path", "a.example"]],
  ["CORS_EXTENSIONS", ["1", "yes", "TRUE"]],
  ["BLOCKED_SITES", ["https://bank.example", "bank.example,not a host"]],
  ["DETECTORS_OFF", ["emails"]],
  ["SHUTDOWN_TIMEOUT_MS", ["9501"]],
])("rejects wrong values of %s, and says what is allowed", (name, texts) => {
  for (const text of texts) {
    const [problem, ...others] = problemsOf({ [name]: text });
    expect(problem).toContain(`${name}: got ${JSON.stringify(text)}; allowed: `);
    expect(others).toEqual([]);
  }
});

test("explains why a kind of the floor cannot be switched off", () => {
  const problem = /^DETECTORS_OFF: got "phone, card"; card belongs to the floor, which cannot be switched off; allowed: .*\bemail\b/;
  expect(problemsOf({ DETECTORS_OFF: "phone, card" })).toEqual([expect.stringMatching(problem)]);
});

test.each(["", "  "])("treats the empty variable %j as unset", (empty) => {
  const names = references.map(({ name }) => name);
  expect(readConfig(Object.fromEntries(names.map((name) => [name, empty])))).toEqual(readConfig({}));
});

test("flags win over their variables", () => {
  const env = { HOST: "10.0.0.1", PORT: "y", PERISCOPE_DATA_DIR: "/env", DATABASE_URL: "file:/env.db", LOG_LEVEL: "warn" };
  const flags = { host: "::1", port: "2", dataDir: "/flag", databaseUrl: "file:/flag.db", logLevel: "debug" };
  expect(readConfig(env, flags)).toMatchObject({ ...flags, port: 2 });
});

test.each([
  "postgres://ada:hunter2@db.example",
  "postgresql://db.example:port/periscope?password=hunter2",
  "postgres://ada:hunter#2@db.example/p",
  "mysql://root:hunter2@db.example/x",
  "hunter2",
  "file:",
  "file::memory:",
  "file:/var/lib/",
  "file:x.db?mode=hunter2",
  "sqlite://x.db",
])("does not print the wrong database %s", (url) => {
  const [problem] = problemsOf({ DATABASE_URL: url });
  const wrongAddress = /^DATABASE_URL: got postgres(?:ql)?:… .*not the address of a PostgreSQL database/;
  expect(problem).toMatch(url.startsWith("postgres") ? wrongAddress : /^DATABASE_URL: got .*allowed: file:/);
  expect(problem).not.toMatch(/hunter|db\.example/);
});

test("does not print credentials in other settings, and cuts long values", () => {
  const problems = problemsOf({
    PUBLIC_URL: "https://ada:hunter2@p.example",
    HOST: "postgres://ada:hunter2@db",
    CORS_ORIGINS: "https://ada:hunter2@a.example",
    LOG_LEVEL: "x".repeat(10_000),
  });
  expect(problems).toHaveLength(4);
  expect(problems.join("\n")).not.toContain("hunter2");
  expect(problems.join("\n").length).toBeLessThan(1000);
});

describe("unknown settings", () => {
  test.each([
    ["PERISCOPE_DATADIR", "Did you mean PERISCOPE_DATA_DIR?"],
    ["PERISCOPE_PORT", "Did you mean PORT?"],
    ["PERISCOPE_FOO", "docs/configuration.md lists every setting."],
    ["DATABSE_URL", "Did you mean DATABASE_URL?"],
    ["SIGNUP", "Did you mean SIGN_UP?"],
    ["CORS_ORIGIN", "Did you mean CORS_ORIGINS?"],
    ["RATE_LIMIT_SYNCH", "Did you mean RATE_LIMIT_SYNC?"],
    ["RATE_LIMIT_WRITES", "docs/configuration.md lists every setting."],
  ])("warns of %s", (variable, hint) => {
    expect(unknownSettings({ [variable]: "1" })).toEqual([`${variable}: unknown setting, ignored. ${hint}`]);
  });

  test("does not warn of settings and of other programs' variables", () => {
    const settings = references.map(({ name }) => name);
    const client = ["PERISCOPE_BASE_URL", "PERISCOPE_API_KEY", "PERISCOPE_LOG"];
    const shell = ["HOME", "PATH", "PWD", "OLDPWD", "SHELL", "HOSTNAME", "LOGNAME", "TERM", "LANG", "PS1", "XDG_DATA_HOME", "TMPDIR"];
    const node = ["NODE_ENV", "NODE_OPTIONS", "NODE_COMPILE_CACHE", "npm_config_loglevel", "npm_lifecycle_event", "INIT_CWD", "PNPM_HOME"];
    const ci = ["CI", "GITHUB_SERVER_URL", "GITHUB_REF", "RUNNER_OS", "PGHOST", "PGPORT", "REDIS_URL", "PORTS", "METRIC", "POST"];
    const kubernetes = ["PERISCOPE_SERVICE_HOST", "PERISCOPE_SERVICE_PORT_HTTP", "PERISCOPE_PORT_3000_TCP"];
    const all = [...settings, ...client, ...shell, ...node, ...ci, ...kubernetes];
    expect(unknownSettings(Object.fromEntries(all.map((name) => [name, "1"])))).toEqual([]);
    expect(unknownSettings({ PERISCOPE_PORT: "tcp://10.0.0.7:3000", PERISCOPE_FOO: "" })).toEqual([]);
  });
});

test.each([
  ["127.0.0.1", null, []],
  ["localhost", null, []],
  ["::1", null, []],
  ["0.0.0.0", "https://p.example", []],
  ["0.0.0.0", null, ["HOST"]],
  ["::", null, ["HOST"]],
  ["192.0.2.7", "http://p.example", ["HOST"]],
  ["127.0.0.1", "https://p.example/ctx", ["PUBLIC_URL"]],
  ["192.0.2.7", "http://p.example/ctx", ["HOST", "PUBLIC_URL"]],
])("listening on %s with PUBLIC_URL %j warns of %j", (host, publicUrl, settings) => {
  expect(addressWarnings({ host, publicUrl }).map((warning) => warning.split(" ")[0])).toEqual(settings);
});
