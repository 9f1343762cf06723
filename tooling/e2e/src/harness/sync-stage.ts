import type { Page } from "puppeteer-core";
import type { PageOrder } from "../../extension/sync/content.ts";
import { fileAt } from "../pages/pages.ts";
import { visitPages } from "../pages/visit-pages.ts";
import { buildSyncExtension } from "./build-extension.ts";
import { ExtensionBrowser } from "./extension-browser.ts";
import { type Ground, layGround } from "./ground.ts";
import { type Site, startSite } from "./site.ts";
import { waitUntil, within } from "./wait-until.ts";

/** The context that the person looks at, as far as rows ask for it. */
export interface CurrentContext {
  contextId: string;
  url: string;
  title: string;
  content: string;
}

/** The ground, a site of real pages, and a browser with an extension that is made of the library's background and content entries. */
export interface SyncStage extends Ground, AsyncDisposable {
  browser: ExtensionBrowser;
  site: Site;
  /** A page of the extension, as its popup is one. */
  panel: Page;
  /** Starts the browser again on the same profile; the old one must have ended. */
  relaunch(): Promise<void>;
  /** Waits until nothing waits, without doing anything for it. */
  empty(boundMs?: number): Promise<void>;
  /** What the server answers at `GET /context/current`; undefined while it has no context. */
  current(): Promise<CurrentContext | undefined>;
}

/** Sets everything up; all of it is gone when it is disposed. */
export async function setSyncStage(options: { remakesAlarm?: boolean } = {}): Promise<SyncStage> {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await startSite((path) => fileAt(path) ?? visitPages[path]));
  const ground = await layGround(stack, []);
  const { directories, proxy, keys } = ground;
  await buildSyncExtension(directories.extension, {
    baseUrl: proxy.baseUrl,
    key: keys.ada,
    blockedSites: ["localhost"],
    remakesAlarm: options.remakesAlarm ?? false,
  });
  const browser = await ExtensionBrowser.launch(directories);
  stack.defer(() => stage.browser[Symbol.asyncDispose]());
  const stage: SyncStage = {
    ...ground,
    site,
    browser,
    panel: await browser.open("panel.html"),
    async relaunch() {
      const { kills } = stage.browser;
      stage.browser = await ExtensionBrowser.launch(directories);
      stage.browser.kills = kills;
      stage.panel = await stage.browser.open("panel.html");
    },
    async empty(boundMs) {
      const waiting = () =>
        stage.panel
          .evaluate(() => window.sync.status())
          .then(
            ({ waiting }) => waiting,
            () => undefined,
          );
      await waitUntil("An empty queue", async () => (await waiting()) === 0, boundMs);
    },
    async current() {
      const answer = await fetch(`${ground.serverUrl}/context/current`, { headers: { authorization: `Bearer ${keys.ada}` } });
      if (answer.status === 404) return undefined;
      if (!answer.ok) throw new Error(`GET /context/current: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as CurrentContext;
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
  const whole = stack.move();
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
