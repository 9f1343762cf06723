import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TestClient } from "./test-client.js";
import { createTestDatabase, testEngine, type TestDatabase } from "./test-database.js";
import { type CommandResult, TestCommand } from "./test-command.js";

export const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

const pressCtrlC = `data:text/javascript,process.on("newListener", (name) => {
  if (name === "SIGINT") process.nextTick(() => process.kill(process.pid, name));
})`;

/** A data directory and a database that are gone at the end of the block, with every process that was started on them. */
export class Installation implements AsyncDisposable {
  readonly #servers: ServerProcess[] = [];
  readonly #children: Array<{ child: ChildProcess; closed: Promise<unknown> }> = [];

  private constructor(
    readonly dataDir: string,
    readonly database: TestDatabase,
    private readonly variables: Readonly<Record<string, string>>,
  ) {}

  /** @param variables of the environment, beside those that point to the directory and to a free port */
  static async create(variables: Readonly<Record<string, string>> = {}): Promise<Installation> {
    if (!existsSync(cli)) throw new Error("The server is not built. Run `pnpm build` first.");
    const dataDir = mkdtempSync(join(scratchFolder(), "periscope-installation-"));
    return new Installation(dataDir, await createTestDatabase(dataDir), variables);
  }

  get env(): NodeJS.ProcessEnv {
    const { NODE_COMPILE_CACHE } = process.env;
    return {
      NODE_COMPILE_CACHE,
      PERISCOPE_DATA_DIR: this.dataDir,
      PORT: "0",
      LOG_LEVEL: "silent",
      // The most that it may be: a search that is only slow must not fail.
      SEARCH_TIMEOUT_MS: "60000",
      // The embedded database is where it is by default.
      ...(testEngine() === "postgres" && { DATABASE_URL: this.database.url }),
      ...this.variables,
    };
  }

  /** Runs the command to its end, in this process. */
  async run(...words: string[]): Promise<CommandResult> {
    using command = new TestCommand(this.env as Record<string, string>);
    return await command.run(...words);
  }

  /** Runs the built command to its end, with Ctrl-C pressed as soon as it listens for that. */
  interrupt(...words: string[]): Promise<CommandResult> {
    return new Promise((resolve) => {
      execFile(process.execPath, ["--import", pressCtrlC, cli, ...words], { env: this.env }, (error, out, err) => {
        resolve({ code: Number(error?.code ?? 0), out, err });
      });
    });
  }

  /** Starts the built command and leaves it to the caller, who sees to its end; what still runs at the end of the block is killed. */
  start(...words: string[]): ChildProcess {
    const child = spawn(process.execPath, [cli, ...words], { env: this.env });
    this.#children.push({ child, closed: once(child, "close") });
    return child;
  }

  /** Starts the built server and waits until it has said where it listens. */
  async serve(...flags: string[]): Promise<ServerProcess> {
    const server = this.spawn(...flags);
    await server.listening;
    return server;
  }

  /** Starts the built server and does not wait for it. */
  spawn(...flags: string[]): ServerProcess {
    const server = new ServerProcess(spawn(process.execPath, [cli, "serve", ...flags], { env: this.env }));
    this.#servers.push(server);
    server.listening.catch(() => {});
    return server;
  }

  /** A client of the server, with a key that the command makes, in this process, for a user of this name. */
  async client(server: () => ServerProcess, user = "someone"): Promise<TestClient> {
    using command = new TestCommand(this.env as Record<string, string>);
    const { key, id } = await command.json("keys", "create", "--user", user, "--scopes", "read,write,delete");
    return new TestClient({ baseUrl: () => server().baseUrl, key, userId: user, keyId: id });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child } of this.#children) child.kill("SIGKILL");
    await Promise.all([...this.#children.map(({ closed }) => closed), ...this.#servers.map((server) => server.end("SIGKILL"))]);
    await this.database[Symbol.asyncDispose]();
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 3 });
    const died = this.#servers.find((server) => server.diedOf !== undefined);
    if (died !== undefined) throw new Error(`A server ended by itself: ${died.diedOf}`);
  }
}

/** A running server. */
export class ServerProcess {
  /** What it has printed so far. */
  out = "";
  err = "";
  /** Resolves once the whole greeting is there; rejects when the process ends before. */
  readonly listening: Promise<void>;
  /** What a server that ended without being told to has said. */
  diedOf: string | undefined;
  #told = false;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, "close").then(([code, signal]) => {
      if (!this.#told) this.diedOf = `exit ${String(code ?? signal)}, ${this.err}`;
      return code as number | null;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.err += text));
    this.listening = new Promise((resolve, reject) => {
      child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        this.out += text;
        if (/listening at .*\n(.*\n)*(curl .*search|.*keys create|.*\/setup#).*\n/.test(this.out)) resolve();
      });
      void this.#ended.then((code) => reject(new Error(`The server ended with ${code}: ${this.err}`)));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Base address with the version prefix. */
  get baseUrl(): string {
    return /listening at (\S+)/.exec(this.out)?.[1] ?? "";
  }

  signal(signal: NodeJS.Signals): void {
    this.#told = true;
    this.#child.kill(signal);
  }

  /** Sends a signal and waits for the end; the exit code, null when the signal itself ended it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.signal(signal);
    return await this.#ended;
  }
}
