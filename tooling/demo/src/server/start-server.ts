import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startProgram, type RunningProgram } from "./node-process.ts";

const cli = fileURLToPath(new URL("../../../../apps/server/dist/cli.js", import.meta.url));

/** Far past what one client can send, so that the work is measured and not the limit. Requests a minute. */
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

/** A running Periscope and a key of its only user, with every scope. */
export interface Periscope extends RunningProgram {
  /** With `/api/v1`, without a trailing slash. */
  baseUrl: string;
  userId: string;
  key: string;
}

export interface PeriscopeOptions {
  dataDir: string;
  /** Address of the database; the embedded engine in `dataDir` when absent. */
  databaseUrl?: string | undefined;
  /** Flags of `node`, such as those that profile. */
  nodeFlags?: readonly string[];
  /** Settings of the server beside its own, as in its environment. */
  environment?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Told of all that the server prints. */
  onOutput?: (text: string) => void;
}

/**
 * Starts the built server on a free loopback port over the database in `dataDir`, with rate limits out of the way.
 * @throws Error when the server is not built, or does not start
 */
export async function startServer({ nodeFlags = [], ...options }: PeriscopeOptions): Promise<Periscope> {
  if (!existsSync(cli)) throw new Error("The server is not built. Run `pnpm build` first.");
  const { signal, onOutput } = options;
  const { key, userId } = await createKey(options);
  const environment = { ...settings, ...options.environment, ...placeOf(options) };
  const program = await startProgram({ name: "The server", args: [...nodeFlags, cli, "serve"], environment, signal, onOutput });
  return { ...program, baseUrl: program.address, userId, key };
}

async function createKey(options: Omit<PeriscopeOptions, "nodeFlags">): Promise<{ key: string; userId: string }> {
  const args = [cli, "keys", "create", "--user", "demo", "--scopes", "read,write,delete", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: placeOf(options), timeout: 120_000, signal: options.signal });
  const answer: unknown = JSON.parse(stdout);
  if (typeof answer === "object" && answer !== null && "key" in answer && "userId" in answer) {
    return { key: String(answer.key), userId: String(answer.userId) };
  }
  throw new Error("`periscope keys create --json` printed no key and user.");
}

function placeOf({ dataDir, databaseUrl }: PeriscopeOptions): Record<string, string> {
  return { PERISCOPE_DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
}
