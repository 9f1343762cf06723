import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Periscope } from "@periscope/client";
import { type RunningProgram, startProgram } from "./program.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const cli = fileURLToPath(new URL("../../../apps/server/dist/cli.js", import.meta.url));

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
  /** Called with everything that the server prints. */
  onOutput?: (text: string) => void;
}

/**
 * Starts the built server on a free port of this machine, without rate limits, and creates a first user.
 * @throws Error when the server is not built, or does not start
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  if (!existsSync(cli)) throw new Error("The server is not built. Run `pnpm build` first.");
  // Without an AsyncDisposableStack: tests of the client start servers from Node 22.
  const temporary = options.dataDir === undefined ? await temporaryDirectory("periscope-server-") : undefined;
  const dataDir = options.dataDir ?? temporary?.path ?? "";
  const { databaseUrl, environment, nodeFlags = [], signal, onOutput } = options;
  const { NODE_COMPILE_CACHE } = process.env;
  const place = { NODE_COMPILE_CACHE, PERISCOPE_DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
  const createUser = async (name: string): Promise<ServerUser> => {
    const args = [cli, "keys", "create", "--user", name, "--scopes", "read,write,delete", "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: place, timeout: 120_000, signal });
    return JSON.parse(stdout) as ServerUser;
  };
  try {
    const user = await createUser("demo");
    const args = [...nodeFlags, cli, "serve"];
    const program = await startProgram({
      name: "The server",
      args,
      environment: { ...settings, ...environment, ...place },
      signal,
      onOutput,
    });
    const dispose = async () => {
      await program.stop();
      await temporary?.[Symbol.asyncDispose]();
    };
    const client = new Periscope({ baseUrl: program.address, apiKey: user.key });
    return { ...program, ...user, baseUrl: program.address, dataDir, client, createUser, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await temporary?.[Symbol.asyncDispose]();
    throw error;
  }
}
