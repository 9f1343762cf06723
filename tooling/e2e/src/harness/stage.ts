import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ExtensionBrowser } from "@periscope/harness/extension-browser";
import { type Fault, type FaultProxy, startFaultProxy } from "@periscope/harness/fault-proxy";
import { type RunningServer, startServer } from "@periscope/harness/server";
import { type Site, type SiteAnswer, startSite } from "@periscope/harness/site";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import type { Page } from "puppeteer-core";
import { test } from "vitest";
import { buildExtension, type manifests } from "./build-extension.ts";
import { openOracle, type Oracle } from "./oracle.ts";

/** A real server with its database, a proxy before it, a site, and a browser with an extension. */
export interface Stage extends AsyncDisposable {
  server: RunningServer;
  proxy: FaultProxy;
  oracle: Oracle;
  site: Site;
  browser: ExtensionBrowser;
  /** A page of the extension, as its popup is one. */
  panel: Page;
  /** Where their files are. */
  directories: { server: string; extension: string; profile: string };
  /** Starts the browser again on the same profile. The old one must have ended. */
  relaunch(): Promise<void>;
}

const panelTypes: Readonly<Record<string, string>> = { "/panel.html": "text/html", "/panel.js": "text/javascript" };

/** Sets up a stage. Its site has what `fileAt` says, and the page of the extension, there a page like others. */
async function setStage(extension: keyof typeof manifests, fileAt: (path: string) => SiteAnswer | undefined): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  const root = stack.use(await temporaryDirectory("periscope-e2e-"));
  const directories = { server: join(root.path, "server"), extension: join(root.path, "extension"), profile: join(root.path, "profile") };
  const site = stack.use(
    await startSite(async (path) => {
      const type = panelTypes[path];
      return type === undefined ? fileAt(path) : { type, text: await readFile(join(directories.extension, path), "utf8") };
    }),
  );
  const environment = { LOG_LEVEL: "trace", CORS_ORIGINS: site.origin };
  const server = stack.use(await startServer({ dataDir: directories.server, environment }));
  const proxy = stack.use(await startFaultProxy(server.baseUrl));
  const oracle = stack.use(openOracle(directories.server));
  await buildExtension(extension, directories.extension, { baseUrl: proxy.baseUrl, key: server.key });
  const relaunch = async () => {
    stage.browser = await ExtensionBrowser.launch(directories);
    stage.panel = await stage.browser.open("panel.html");
  };
  const stage = { server, proxy, oracle, site, directories, relaunch } as Stage;
  stack.defer(() => stage.browser[Symbol.asyncDispose]());
  await relaunch();
  const owned = stack.move();
  stage[Symbol.asyncDispose] = () => owned.disposeAsync();
  return stage;
}

/** Puts proxy and browser in order: a row may have left them otherwise. */
async function restoreBrowser(stage: Stage): Promise<void> {
  stage.proxy.reset();
  if (!stage.browser.browser.connected) await stage.relaunch();
  if (stage.panel.isClosed()) stage.panel = await stage.browser.reopen("panel.html");
  for (const page of await stage.browser.browser.pages())
    // The blank page holds the line by which workers are killed.
    if (page !== stage.panel && page.url() !== "about:blank") await page.close();
}

/** How a stage differs from others. */
interface StageOptions {
  /** What its site has. */
  fileAt?: (path: string) => SiteAnswer | undefined;
  /** What else is put in order after each row. */
  restore?: (stage: Stage) => Promise<void>;
}

// Vitest reads what a fixture needs from its first parameter, also when that is nothing.
/* oxlint-disable no-empty-pattern */

/** `test` on a stage that all rows of a worker share, and that is put in order after each. */
export function testOn(extension: keyof typeof manifests, { fileAt = () => undefined, restore }: StageOptions = {}) {
  return test
    .extend("stageOfWorker", { scope: "worker" }, async ({}, { onCleanup }) => {
      const stage = await setStage(extension, fileAt);
      onCleanup(() => stage[Symbol.asyncDispose]());
      return stage;
    })
    .extend("stage", ({ stageOfWorker }, { onCleanup }) => {
      onCleanup(async () => {
        await restoreBrowser(stageOfWorker);
        await restore?.(stageOfWorker);
      });
      return stageOfWorker;
    });
}

/** Collects what is sent to the proxy from now on, which then does with it what it is told. */
export function recordWire(proxy: FaultProxy, act: Fault): () => string {
  let wire = "";
  proxy.always = async (exchange) => {
    exchange.request.on("data", (chunk: Buffer) => (wire += chunk.toString("latin1")));
    await act(exchange);
  };
  return () => wire;
}
