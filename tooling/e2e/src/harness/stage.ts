import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startServer } from "@periscope/demo/start-server";
import { temporaryDirectory } from "@periscope/demo/temporary-directory";
import type { Page } from "puppeteer-core";
import { buildQueueExtension } from "./build-extension.ts";
import { ExtensionBrowser } from "./extension-browser.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { type Site, startSite } from "./site.ts";
import { openOracle, type Oracle } from "./oracle.ts";

const cli = fileURLToPath(new URL("../../../../apps/server/dist/cli.js", import.meta.url));

/** A real server with its database, a proxy before it, and a browser with the extension that holds the queue. */
export interface Stage extends AsyncDisposable {
  browser: ExtensionBrowser;
  /** A page of the extension that speaks to its worker. */
  driver: Page;
  proxy: FaultProxy;
  oracle: Oracle;
  /** Keys of the server by account. */
  keys: Record<"ada" | "bob", string>;
  /** The server's users by account. */
  users: Record<"ada" | "bob", string>;
  /** An http origin that has the page which runs a queue. */
  site: Site;
  /** Where everything is, for those who look into files. */
  directories: { server: string; extension: string; profile: string };
  /** All that the server has printed. */
  log(): string;
  /** Starts the browser again on the same profile; the old one must have ended. */
  relaunch(): Promise<void>;
}

/** Sets everything up; all of it is gone when it is disposed. */
export async function setStage(): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  try {
    const root = stack.use(await temporaryDirectory("periscope-e2e-"));
    const directories = {
      server: join(root.path, "server"),
      extension: join(root.path, "extension"),
      profile: join(root.path, "profile"),
    };
    const files: Record<string, string> = { "/driver.html": "text/html", "/driver.js": "text/javascript" };
    const site = stack.use(
      await startSite(async (path) => {
        const type = files[path];
        return type === undefined ? undefined : { type, text: await readFile(join(directories.extension, path), "utf8") };
      }),
    );
    let log = "";
    const server = stack.use(
      await startServer({ dataDir: directories.server, environment: { LOG_LEVEL: "trace", CORS_ORIGINS: site.origin }, onOutput: (text) => (log += text) }),
    );
    const bob = await createKey(directories.server, "bob");
    const oracle = stack.use(openOracle(directories.server));
    const proxy = stack.use(await startFaultProxy(server.baseUrl));
    await buildQueueExtension(directories.extension);
    const first = await ExtensionBrowser.launch(directories);
    const stage: Stage = {
      browser: first,
      driver: await first.open("driver.html"),
      proxy,
      oracle,
      keys: { ada: server.key, bob: bob.key },
      users: { ada: server.userId, bob: bob.userId },
      site,
      directories,
      log: () => log,
      async relaunch() {
        const { kills } = stage.browser;
        stage.browser = await ExtensionBrowser.launch(directories);
        stage.browser.kills = kills;
        stage.driver = await stage.browser.open("driver.html");
      },
      [Symbol.asyncDispose]: () => whole.disposeAsync(),
    };
    stack.defer(() => stage.browser[Symbol.asyncDispose]());
    const whole = stack.move();
    return stage;
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function createKey(dataDir: string, user: string): Promise<{ key: string; userId: string }> {
  const args = [cli, "keys", "create", "--user", user, "--scopes", "read,write,delete", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PERISCOPE_DATA_DIR: dataDir } });
  return JSON.parse(stdout) as { key: string; userId: string };
}
