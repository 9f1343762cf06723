import { describe, expect, test } from "vitest";
import { ConfigError, readConfig, type ConfigFlags } from "./config.js";

const linux = { platform: "linux", homeDirectory: "/home/ada", workingDirectory: "/srv" };

const read = (env: Record<string, string>, flags: ConfigFlags = {}) => readConfig(env, flags, linux);

function problemsOf(env: Record<string, string>, flags: ConfigFlags = {}): readonly string[] {
  try {
    read(env, flags);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("without settings, the defaults hold", () => {
  expect(read({})).toEqual({
    host: "127.0.0.1",
    port: 3000,
    dataDir: "/home/ada/.local/share/periscope",
    databaseUrl: "file:/home/ada/.local/share/periscope/periscope.db",
    databaseConnections: 10,
    databaseTimeoutMs: 30_000,
    serverProcesses: 1,
    publicUrl: null,
    logLevel: "info",
    metricsReaders: "local",
    mcp: true,
    rateLimits: { sync: 600, batchSync: 120, read: 600, search: 120, delete: 120, anonymous: 60 },
    trustProxy: 0,
    corsOrigins: [],
    corsExtensions: false,
    privacyPolicy: { minimumLevel: "public", blockedSites: [], categories: {}, detectorsOff: [], detectorsOn: [], patterns: [] },
    privacyPolicyFile: null,
    searchTimeoutMs: 5000,
    shutdownTimeoutMs: 8000,
  });
});

test.each([
  ["HOST", "::1", "host", "::1"],
  ["HOST", "[::]", "host", "::"],
  ["HOST", "localhost", "host", "localhost"],
  ["PORT", "0", "port", 0],
  ["PORT", "65535", "port", 65_535],
  ["PORT", " 8080\r", "port", 8080],
  ["PERISCOPE_DATA_DIR", "/var/lib/periscope", "dataDir", "/var/lib/periscope"],
  ["PERISCOPE_DATA_DIR", "data", "dataDir", "/srv/data"],
  ["PERISCOPE_DATA_DIR", "~/periscope", "dataDir", "/home/ada/periscope"],
  ["PERISCOPE_DATA_DIR", "/data", "databaseUrl", "file:/data/periscope.db"],
  ["DATABASE_URL", "file:/var/x.db", "databaseUrl", "file:/var/x.db"],
  ["DATABASE_URL", "file:x.db", "databaseUrl", "file:/srv/x.db"],
  ["DATABASE_URL", "sqlite:./x.db", "databaseUrl", "file:/srv/x.db"],
  ["DATABASE_URL", "sqlite:///var/x.db", "databaseUrl", "file:/var/x.db"],
  ["DATABASE_URL", "sqlite:////var/x.db", "databaseUrl", "file:/var/x.db"],
  ["DATABASE_URL", "file://localhost/var/x.db", "databaseUrl", "file:/var/x.db"],
  ["DATABASE_URL", "file:/var/a b%20c.db", "databaseUrl", "file:/var/a b%20c.db"],
  [
    "DATABASE_URL",
    "postgres://ada:s3%2Fcret@db.example:6432/periscope?sslmode=require",
    "databaseUrl",
    "postgres://ada:s3%2Fcret@db.example:6432/periscope?sslmode=require",
  ],
  ["DATABASE_URL", "postgresql:///periscope?host=/run/postgresql", "databaseUrl", "postgresql:///periscope?host=/run/postgresql"],
  ["DATABASE_TIMEOUT_MS", "100", "databaseTimeoutMs", 100],
  ["DATABASE_CONNECTIONS", "2", "databaseConnections", 2],
  ["PUBLIC_URL", "https://p.example/", "publicUrl", "https://p.example"],
  ["PUBLIC_URL", "https://p.example:8443/ctx/", "publicUrl", "https://p.example:8443/ctx"],
  ["LOG_LEVEL", "silent", "logLevel", "silent"],
  ["METRICS", "off", "metricsReaders", "off"],
  ["MCP", "off", "mcp", false],
  ["TRUST_PROXY", "2", "trustProxy", 2],
  [
    "CORS_ORIGINS",
    "https://a.example, http://localhost:5173/,https://a.example:443",
    "corsOrigins",
    ["https://a.example", "http://localhost:5173"],
  ],
  ["CORS_ORIGINS", "chrome-extension://abcdefghijklmnop", "corsOrigins", ["chrome-extension://abcdefghijklmnop"]],
  ["CORS_EXTENSIONS", "true", "corsExtensions", true],
  ["CORS_EXTENSIONS", "false", "corsExtensions", false],
  ["SEARCH_TIMEOUT_MS", "1", "searchTimeoutMs", 1],
  ["SHUTDOWN_TIMEOUT_MS", "9500", "shutdownTimeoutMs", 9500],
] as const)("%s=%j", (...[name, text, field, value]) => {
  expect(read({ [name]: text })[field]).toEqual(value);
});

test.each([
  ["PRIVACY_MINIMUM_LEVEL", "filtered", "minimumLevel", "filtered"],
  [
    "BLOCKED_SITES",
    "Bank.example,,example.com/health/, bücher.example",
    "blockedSites",
    ["bank.example", "example.com/health", "xn--bcher-kva.example"],
  ],
  ["DETECTORS_OFF", "phone, ip", "detectorsOff", ["phone", "ip"]],
  ["DETECTORS_ON", "email,card", "detectorsOn", ["email", "card"]],
] as const)("%s=%j is in the privacy policy", (...[name, text, field, value]) => {
  expect(read({ [name]: text }).privacyPolicy[field]).toEqual(value);
});

test.each([
  ["RATE_LIMIT_SYNC", "sync"],
  ["RATE_LIMIT_BATCH_SYNC", "batchSync"],
  ["RATE_LIMIT_READ", "read"],
  ["RATE_LIMIT_SEARCH", "search"],
  ["RATE_LIMIT_DELETE", "delete"],
  ["RATE_LIMIT_ANONYMOUS", "anonymous"],
] as const)("%s sets its own budget", (name, group) => {
  expect(read({ [name]: "7" }).rateLimits).toEqual({ ...read({}).rateLimits, [group]: 7 });
});

test.each([
  ["HOST", "http://localhost"],
  ["HOST", "localhost:3000"],
  ["HOST", "256.1.1.1"],
  ["HOST", "*"],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["PORT", "80.0"],
  ["PORT", "1e3"],
  ["PORT", "0x50"],
  ["PORT", "http"],
  ["PUBLIC_URL", "p.example"],
  ["PUBLIC_URL", "ftp://p.example"],
  ["PUBLIC_URL", "https://p.example/api/v1"],
  ["PUBLIC_URL", "https://p.example?x=1"],
  ["LOG_LEVEL", "INFO"],
  ["LOG_LEVEL", "verbose"],
  ["RATE_LIMIT_SYNC", "0"],
  ["RATE_LIMIT_BATCH_SYNC", "-5"],
  ["RATE_LIMIT_READ", "1.5"],
  ["RATE_LIMIT_SEARCH", "Infinity"],
  ["RATE_LIMIT_DELETE", "ten"],
  ["RATE_LIMIT_ANONYMOUS", "99999999999"],
  ["TRUST_PROXY", "true"],
  ["CORS_ORIGINS", "*"],
  ["CORS_ORIGINS", "https://a.example/path"],
  ["CORS_ORIGINS", "a.example"],
  ["CORS_EXTENSIONS", "1"],
  ["CORS_EXTENSIONS", "yes"],
  ["CORS_EXTENSIONS", "TRUE"],
  ["PRIVACY_MINIMUM_LEVEL", "secret"],
  ["BLOCKED_SITES", "https://bank.example"],
  ["BLOCKED_SITES", "bank.example,not a host"],
  ["DETECTORS_OFF", "emails"],
  ["DETECTORS_ON", "everything"],
  ["SEARCH_TIMEOUT_MS", "0"],
  ["SHUTDOWN_TIMEOUT_MS", "9501"],
])("%s=%j is refused, with its name, what was given and what is allowed", (name, text) => {
  expect(problemsOf({ [name]: text })).toEqual([expect.stringMatching(/^[A-Z_]+: got ".*"; allowed: \S/)]);
  expect(problemsOf({ [name]: text })[0]).toContain(`${name}: got ${JSON.stringify(text)}`);
});

test("several processes need PostgreSQL", () => {
  const databaseUrl = "postgres://db.example/periscope";
  expect(read({ SERVER_PROCESSES: "3", DATABASE_URL: databaseUrl }).serverProcesses).toBe(3);
  expect(read({ SERVER_PROCESSES: "auto", DATABASE_URL: databaseUrl }).serverProcesses).toBeGreaterThanOrEqual(1);
  expect(problemsOf({ SERVER_PROCESSES: "2" })).toEqual([
    expect.stringMatching(/^SERVER_PROCESSES: got 2; allowed: 1 on the embedded database/),
  ]);
});

test("a kind of the floor is named in DETECTORS_OFF, with why it is refused", () => {
  expect(problemsOf({ DETECTORS_OFF: "phone, card" })).toEqual([
    expect.stringMatching(
      /^DETECTORS_OFF: got "phone, card"; card belongs to the floor, which cannot be switched off; allowed: .*\bemail\b/,
    ),
  ]);
  expect(problemsOf({ DETECTORS_ON: "phone, card" })).toEqual([]);
});

test("every wrong setting is named at once", () => {
  const problems = problemsOf({ PORT: "x", CORS_EXTENSIONS: "yes", LOG_LEVEL: "loud" });
  expect(problems.map((problem) => problem.split(":")[0])).toEqual(["PORT", "LOG_LEVEL", "CORS_EXTENSIONS"]);
});

test.each(["", "  "])("the empty text %j counts as unset", (empty) => {
  const names = ["HOST", "PORT", "PERISCOPE_DATA_DIR", "DATABASE_URL", "PUBLIC_URL", "CORS_ORIGINS", "CORS_EXTENSIONS", "RATE_LIMIT_SYNC"];
  expect(read(Object.fromEntries(names.map((name) => [name, empty])))).toEqual(read({}));
});

describe("flags", () => {
  test("win over their variables", () => {
    const env = { HOST: "10.0.0.1", PORT: "1", PERISCOPE_DATA_DIR: "/env", DATABASE_URL: "file:/env.db", LOG_LEVEL: "warn" };
    const flags = { host: "::1", port: "2", dataDir: "/flag", databaseUrl: "file:/flag.db", logLevel: "debug" };
    expect(read(env, flags)).toMatchObject({ host: "::1", port: 2, dataDir: "/flag", databaseUrl: "file:/flag.db", logLevel: "debug" });
  });

  test("a wrong flag is named as it was written, and hides a wrong variable", () => {
    expect(problemsOf({ PORT: "y" }, { port: "x" })).toEqual([expect.stringMatching(/^--port \(PORT\): got "x"; allowed: /)]);
    expect(problemsOf({ PORT: "y" }, { port: "1" })).toEqual([]);
  });

  test("an empty flag is a mistake, not unset", () => {
    expect(problemsOf({}, { dataDir: "" })).toEqual([expect.stringMatching(/^--data-dir \(PERISCOPE_DATA_DIR\): got ""/)]);
  });
});

describe("a database that cannot be used", () => {
  test.each([
    "postgres://ada:hunter2@db.example",
    "postgres://ada:hunter2@db.example/",
    "postgresql://db.example:port/periscope?password=hunter2",
    "postgres://ada:hunter#2@db.example/periscope",
  ])("PostgreSQL: %s", (url) => {
    const [problem] = problemsOf({ DATABASE_URL: url });
    expect(problem).toMatch(/^DATABASE_URL: got postgres(?:ql)?:… .*no address of a PostgreSQL database; allowed: postgres:/);
    expect(problem).not.toMatch(/hunter|db\.example/);
  });

  test.each([
    "mysql://root:hunter2@db/x",
    "hunter2",
    "file:",
    "file::memory:",
    "file:/var/lib/",
    "file:x.db?mode=hunter2",
    "sqlite://x.db",
  ])("%s, which is not printed", (url) => {
    const [problem] = problemsOf({ DATABASE_URL: url });
    expect(problem).toMatch(/^DATABASE_URL: got .*allowed: file:/);
    expect(problem).not.toContain("hunter2");
  });
});

test("credentials in any other setting are not printed", () => {
  const problems = problemsOf({
    PUBLIC_URL: "https://ada:hunter2@p.example",
    HOST: "postgres://ada:hunter2@db",
    CORS_ORIGINS: "https://ada:hunter2@a.example",
  });
  expect(problems).toHaveLength(3);
  expect(problems.join("\n")).not.toContain("hunter2");
});

test("a long value is cut", () => {
  expect(problemsOf({ LOG_LEVEL: "x".repeat(10_000) })[0]?.length).toBeLessThan(300);
});
