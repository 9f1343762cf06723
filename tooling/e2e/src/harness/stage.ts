import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "@periscope/client";
import { ExtensionBrowser } from "@periscope/harness/extension-browser";
import { type FaultProxy, startFaultProxy } from "@periscope/harness/fault-proxy";
import { startServer } from "@periscope/harness/server";
import { type Site, type SiteAnswer, startSite } from "@periscope/harness/site";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { waitUntil, within } from "@periscope/harness/wait-until";
import type { Page } from "puppeteer-core";
import type { PageOrder } from "../../extension/sync/content.ts";
import { fileAt } from "../pages/pages.ts";
import { visitPages } from "../pages/visit-pages.ts";
import { buildQueueExtension, buildSyncExtension } from "./build-extension.ts";
import { openOracle, type Oracle } from "./oracle.ts";

/** A real server with its database, a proxy before it, a site, and a browser with an extension. */
interface BaseStage extends AsyncDisposable {
  proxy: FaultProxy;
  oracle: Oracle;
  site: Site;
  browser: ExtensionBrowser;
  /** Key of the server. */
  key: string;
  /** For those who look into files. */
  directories: { server: string; extension: string; profile: string };
  /** Everything that the server has printed. */
  log(): string;
  /** Starts the browser again on the same profile. The old one must have ended. */
  relaunch(): Promise<void>;
}

/** A stage whose extension holds the queue's core. */
export interface Stage extends BaseStage {
  /** A page of the extension that speaks to its worker. */
  driver: Page;
}

/** A stage whose extension is made of the library's background and content entries. */
export interface SyncStage extends BaseStage {
  /** A page of the extension, as its popup is one. */
  panel: Page;
  /** Waits until nothing waits, without doing anything for it. */
  empty(boundMs?: number): Promise<void>;
  /** What the server answers at `GET /context/current`; undefined while it has no context. */
  current(): Promise<Context | undefined>;
}

const driverFiles: Readonly<Record<string, string>> = { "/driver.html": "text/html", "/driver.js": "text/javascript" };

/** Sets up a stage with the queue's core. The site has the page that runs a queue, too. */
export async function setStage(): Promise<Stage> {
  let directory = "";
  const siteAt = async (path: string) => {
    const type = driverFiles[path];
    return type === undefined ? undefined : { type, text: await readFile(join(directory, path), "utf8") };
  };
  const stage = await setBase<Stage>({
    siteAt,
    environmentOf: ({ origin }) => ({ CORS_ORIGINS: origin }),
    build: async (base) => await buildQueueExtension((directory = base.directories.extension)),
    open: async (opened) => void (opened.driver = await opened.browser.open("driver.html")),
  });
  return stage;
}

/** Sets up a stage with the library's background and content entries, and a site of real pages. */
export async function setSyncStage({ remakesAlarm = false }: { remakesAlarm?: boolean } = {}): Promise<SyncStage> {
  const stage = await setBase<SyncStage>({
    siteAt: (path) => fileAt(path) ?? visitPages[path],
    build: async ({ directories, proxy, key }) =>
      await buildSyncExtension(directories.extension, { baseUrl: proxy.baseUrl, key, blockedSites: ["localhost"], remakesAlarm }),
    open: async (opened) => void (opened.panel = await opened.browser.open("panel.html")),
  });
  stage.empty = async (boundMs) => {
    const status = () => stage.panel.evaluate(() => window.sync.status()).catch(() => undefined);
    await waitUntil("An empty queue", async () => (await status())?.waiting === 0, boundMs);
  };
  return stage;
}

interface BaseOptions<T> {
  siteAt(path: string): SiteAnswer | undefined | Promise<SiteAnswer | undefined>;
  /** Settings of the server. */
  environmentOf?(site: Site): Record<string, string>;
  build(base: Pick<BaseStage, "directories" | "proxy" | "key">): Promise<void>;
  /** Opens the page of the extension that rows use. */
  open(stage: T): Promise<void>;
}

async function setBase<T extends BaseStage>({ siteAt, environmentOf = () => ({}), build, open }: BaseOptions<T>): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const root = stack.use(await temporaryDirectory("periscope-e2e-"));
  const directories = { server: join(root.path, "server"), extension: join(root.path, "extension"), profile: join(root.path, "profile") };
  const site = stack.use(await startSite(siteAt));
  const environment = { LOG_LEVEL: "trace", ...environmentOf(site) };
  const server = stack.use(await startServer({ dataDir: directories.server, environment }));
  const { key } = server;
  const proxy = stack.use(await startFaultProxy(server.baseUrl));
  await build({ directories, proxy, key });
  const stage = {
    proxy,
    site,
    key,
    directories,
    oracle: stack.use(openOracle(directories.server)),
    browser: await ExtensionBrowser.launch(directories),
    log: server.output,
    current: async () => (await server.client.current()) ?? undefined,
    async relaunch() {
      stage.browser = await ExtensionBrowser.launch(directories);
      await open(stage);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  } as unknown as T;
  stack.defer(() => stage.browser[Symbol.asyncDispose]());
  await open(stage);
  const owned = stack.move();
  return stage;
}

/** What the content script of a page makes of an order. */
export async function captureIn(
  page: Page,
  order: PageOrder,
): Promise<{ status: string; reason?: string; contextId?: string; id?: string }> {
  const asked = page.evaluate(
    (order) =>
      new Promise<string>((resolve) => {
        document.addEventListener("e2e:done", (event) => resolve((event as CustomEvent<string>).detail), { once: true });
        document.dispatchEvent(new CustomEvent("e2e:do", { detail: JSON.stringify(order) }));
      }),
    order,
  );
  return JSON.parse(await within(`The capture "${order.do}"`, asked)) as { status: string };
}
