import { rm } from "node:fs/promises";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { test, vi } from "vitest";
import type { NewKey } from "../src/access/access.service.js";
import { allScopes } from "../src/access/access.store.js";
import type { Config } from "../src/config/config.js";
import type { Bounds } from "../src/http/bounds.js";
import { type RunningServer, startServer, type StartOptions } from "../src/main.js";
import { engineOf, type Storage, type StorageOptions } from "../src/storage/engine.js";
import { createTestDatabase, type TestDatabase } from "./test-database.js";
import { TestClient } from "./test-client.js";
import type { ServerTasks } from "../src/worker.js";
import { WorkerPool } from "../src/workers/worker-pool.js";

const plenty = 1_000_000;

/** A clock that tests set. */
interface TestClock {
  /** Milliseconds since the epoch, for the server and in the place of its database's clock; undefined for the real time. */
  now: number | undefined;
  /** Milliseconds that the server's own clock is ahead of the real time. */
  aheadMs: number;
}

/** Shared by all servers of a test run's process: to load what threads run takes longer than most tests. */
const threads = new WorkerPool<ServerTasks>(3);

const surroundingsOf = (clock: TestClock): StartOptions => ({
  clock: () => clock.now ?? Date.now() + clock.aheadMs,
  rateClock: () => clock.now,
  threads,
});

/** A real server on a free port over a database of its own, gone at the end of the block: hold it with `await using`. */
export class TestServer implements AsyncDisposable {
  private constructor(
    private running: RunningServer,
    readonly config: Config,
    private readonly database: TestDatabase,
    /** What the server takes for the time; tests may set it. */
    readonly clock: TestClock,
  ) {}

  /**
   * @param bounds in the place of default ones on what clients may occupy, until a restart
   * @param ownThreads in the place of the shared ones, until a restart
   */
  static async start(overrides: Partial<Config> = {}, bounds: Partial<Bounds> = {}, ownThreads = threads): Promise<TestServer> {
    const { path: dataDir } = await temporaryDirectory("periscope-test-");
    const database = await createTestDatabase(dataDir);
    const config: Config = {
      host: "127.0.0.1",
      port: 0,
      dataDir,
      databaseUrl: database.url,
      databaseConnections: 5,
      databaseTimeoutMs: 30_000,
      publicUrl: null,
      logLevel: "silent",
      logFormat: "json",
      headless: false,
      signUp: "closed",
      oidc: null,
      sessionSecret: undefined,
      settings: [{ name: "PORT", value: "0", source: "flag" }],
      unknownSettings: [],
      metricsReaders: "local",
      mcp: true,
      rateLimits: { sync: plenty, batchSync: plenty, read: plenty, search: plenty, delete: plenty, anonymous: plenty },
      retention: { defaultDays: null, maxDays: null },
      trustProxy: 0,
      corsOrigins: [],
      corsExtensions: false,
      privacyPolicy: {},
      privacyPolicyFile: null,
      // Guards, and no more: what is about these limits sets its own.
      searchTimeoutMs: 60_000,
      shutdownTimeoutMs: 60_000,
      ...overrides,
    };
    // What is old is cleared away at the start, beside the first requests of a test; the times that tests set are later than this one.
    const clock: TestClock = { now: Date.UTC(2026, 0, 1), aheadMs: 0 };
    const running = await startServer(config, { ...surroundingsOf(clock), bounds, threads: ownThreads });
    clock.now = undefined;
    return new TestServer(running, config, database, clock);
  }

  get baseUrl(): string {
    return this.running.baseUrl;
  }

  /** Where it listens, also when clients use another address. */
  get address(): string {
    const { host, port } = this.running.address;
    return `http://${host}:${port}`;
  }

  get access(): RunningServer["access"] {
    return this.running.access;
  }

  get invites(): RunningServer["invites"] {
    return this.running.invites;
  }

  /** Rows as the server's database has them; see {@link TestDatabase}. */
  rows<Row extends object>(sql: string, ...values: unknown[]): Promise<Row[]> {
    return this.database.rows<Row>(sql, ...values);
  }

  /** File of the database, on the embedded engine. */
  get databaseFile(): string {
    return this.config.databaseUrl.slice("file:".length);
  }

  /** A client with a key of its own, by default with every scope, of a new user. */
  async client(wanted: Partial<NewKey> = {}): Promise<TestClient> {
    const userId = wanted.userId ?? (await this.access.createUser()).userId;
    const { key, record } = await this.access.createKey({ makesUser: true, scopes: allScopes, ...wanted, userId });
    return new TestClient({ baseUrl: () => this.baseUrl, key, userId, keyId: record.keyId });
  }

  /**
   * The server's database as a command opens it, in this process. The server may be writing: SQLite would wait for it in this thread, which
   * is also the server's, and give up.
   */
  openStorage(options: StorageOptions = { searchTimeoutMs: 60_000 }): Promise<Storage> {
    return vi.waitFor(() => engineOf(this.config.databaseUrl).open(options), 60_000);
  }

  /** Stops the server and starts it again on the same database. */
  async restart(): Promise<void> {
    await this.#end();
    this.running = await startServer(this.config, surroundingsOf(this.clock));
  }

  /** Stops the server and keeps its files. */
  close(): Promise<void> {
    return this.running.close();
  }

  /** Stops at once, and not after a moment for clients that still ask: tests of that moment stop the server by `close`. */
  async #end(): Promise<void> {
    const { shutdownTimeoutMs } = this.config;
    this.config.shutdownTimeoutMs = 0;
    await this.running.close();
    this.config.shutdownTimeoutMs = shutdownTimeoutMs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await this.database[Symbol.asyncDispose]();
    await rm(this.config.dataDir, { recursive: true, force: true });
  }
}

// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
async function ownServer({}: object, { onCleanup }: { onCleanup(end: () => Promise<void>): void }): Promise<TestServer> {
  const server = await TestServer.start();
  onCleanup(() => server[Symbol.asyncDispose]());
  return server;
}

/** Tests with a `server` that all of a file share, and a `client` of a new user. */
export const withSharedServer = test.extend("server", { scope: "file" }, ownServer).extend("client", ({ server }) => server.client());

/** Tests with a `server` of their own, and a `client` of a new user. */
export const withOwnServer = test.extend("server", ownServer).extend("client", ({ server }) => server.client());
