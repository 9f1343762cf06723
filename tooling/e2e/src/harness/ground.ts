import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startServer } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { openOracle, type Oracle } from "./oracle.ts";

const cli = fileURLToPath(new URL("../../../../apps/server/dist/cli.js", import.meta.url));

/** A real server with its database, and a proxy before it. */
export interface Ground {
  /** Base address of the server itself, with `/api/v1`. */
  serverUrl: string;
  proxy: FaultProxy;
  oracle: Oracle;
  /** Keys of the server by account. */
  keys: Record<"ada" | "bob", string>;
  /** The server's users by account. */
  users: Record<"ada" | "bob", string>;
  /** Where everything is, for those who look into files. */
  directories: { server: string; extension: string; profile: string };
  /** All that the server has printed. */
  log(): string;
}

/** Sets up the ground in a directory that is removed with the stack. @param origins web origins that may call the server */
export async function layGround(stack: AsyncDisposableStack, origins: readonly string[]): Promise<Ground> {
  const root = stack.use(await temporaryDirectory("periscope-e2e-"));
  const directories = { server: join(root.path, "server"), extension: join(root.path, "extension"), profile: join(root.path, "profile") };
  let log = "";
  const server = stack.use(
    await startServer({
      dataDir: directories.server,
      environment: { LOG_LEVEL: "trace", CORS_ORIGINS: origins.join(",") },
      onOutput: (text) => (log += text),
    }),
  );
  const bob = await createKey(directories.server, "bob");
  return {
    serverUrl: server.baseUrl,
    proxy: stack.use(await startFaultProxy(server.baseUrl)),
    oracle: stack.use(openOracle(directories.server)),
    keys: { ada: server.key, bob: bob.key },
    users: { ada: server.userId, bob: bob.userId },
    directories,
    log: () => log,
  };
}

async function createKey(dataDir: string, user: string): Promise<{ key: string; userId: string }> {
  const args = [cli, "keys", "create", "--user", user, "--scopes", "read,write,delete", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PERISCOPE_DATA_DIR: dataDir } });
  return JSON.parse(stdout) as { key: string; userId: string };
}
