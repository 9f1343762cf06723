import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Periscope } from "@periscope/client";
import { type RunningProgram, startProgram } from "./program.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const cli = fileURLToPath(new URL("../../../apps/server/dist/cli.js", import.meta.url));

const databaseName = "periscope.db";

/** Requests a minute: far more than one client can send. */
const unlimited = "1000000000";

const settings = {
  HOST: "127.0.0.1",
  PORT: "0",
  RATE_LIMIT_SYNC: unlimited,
  RATE_LIMIT_BATCH_SYNC: unlimited,
  RATE_LIMIT_READ: unlimited,
  RATE_LIMIT_SEARCH: unlimited,
  RATE_LIMIT_DELETE: unlimited,
};

/** A user of a server, and a key of theirs with every scope. */
export interface ServerUser {
  key: string;
  userId: string;
}

/** A running Periscope server. */
export interface RunningServer extends RunningProgram, ServerUser {
  /** With `/api/v1`, without a trailing slash. */
  baseUrl: string;
  /** Where its data is. */
  dataDir: string;
  /** A client with the key of the first user. */
  client: Periscope;
  /** Creates a key for a user, and the user if there is none of this name. */
  createUser(name: string): Promise<ServerUser>;
}

/** How a server runs. */
export interface ServerOptions {
  /** Default: a temporary directory that is removed with the server. */
  dataDir?: string;
  /** Address of a PostgreSQL database. Default: the SQLite file in `dataDir`. */
  databaseUrl?: string | undefined;
  /** Flags of `node`, such as `--cpu-prof`. */
  nodeFlags?: readonly string[];
  /** Settings of the server, as in its environment. */
  environment?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

/** Creates a key, and its user if there is none of this name, in the data that the environment names. */
async function createKey(name: string, environment: NodeJS.ProcessEnv, signal?: AbortSignal): Promise<ServerUser> {
  const args = [cli, "keys", "create", "--user", name, "--scopes", "read,write,delete", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment, timeout: 120_000, signal });
  return JSON.parse(stdout) as ServerUser;
}

/** A SQLite file with a first user. Its command takes a second, so that every new server of this process gets a copy. */
let firstDatabase: Promise<{ user: ServerUser; file: Buffer }> | undefined;

async function createDatabase(): Promise<{ user: ServerUser; file: Buffer }> {
  const directory = await temporaryDirectory("periscope-first-");
  try {
    const { NODE_COMPILE_CACHE } = process.env;
    const user = await createKey("demo", { NODE_COMPILE_CACHE, PERISCOPE_DATA_DIR: directory.path });
    return { user, file: await readFile(join(directory.path, databaseName)) };
  } finally {
    await directory[Symbol.asyncDispose]();
  }
}

/**
 * Starts the built server on a free port of this machine, without rate limits, with a first user. New servers of one process have the
 * same first key: where that matters, create a user.
 * @throws Error when the server is not built, or does not start
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  if (!existsSync(cli)) throw new Error("The server is not built. Run `pnpm build` first.");
  // Without an AsyncDisposableStack: tests of the client start servers from Node 22.
  const temporary = options.dataDir === undefined ? await temporaryDirectory("periscope-server-") : undefined;
  const dataDir = options.dataDir ?? temporary?.path ?? "";
  const { databaseUrl, environment, nodeFlags = [], signal } = options;
  const { NODE_COMPILE_CACHE } = process.env;
  const place = { NODE_COMPILE_CACHE, PERISCOPE_DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
  const createUser = (name: string) => createKey(name, place, signal);
  const firstUser = async () => {
    const path = join(dataDir, databaseName);
    if (databaseUrl !== undefined || existsSync(path)) return await createUser("demo");
    const { user, file } = await (firstDatabase ??= createDatabase());
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(path, file, { mode: 0o600 });
    return user;
  };
  try {
    const user = await firstUser();
    const command = [process.execPath, ...nodeFlags, cli, "serve"];
    const program = await startProgram({ command, env: { ...settings, ...environment, ...place }, signal });
    const dispose = async () => {
      await program.stop();
      await temporary?.[Symbol.asyncDispose]();
    };
    // A server that is only slow must not fail.
    const client = new Periscope({ baseUrl: program.address, apiKey: user.key, timeoutMs: 120_000, deadlineMs: 300_000 });
    return { ...program, ...user, baseUrl: program.address, dataDir, client, createUser, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await temporary?.[Symbol.asyncDispose]();
    throw error;
  }
}
