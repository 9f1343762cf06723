import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hangMs, launchChromium } from "@periscope/harness/chromium";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { waitUntil } from "@periscope/harness/wait-until";
import { type Browser, type Page, TargetType, type WebWorker } from "puppeteer-core";
import { buildExtension } from "./build-extension.ts";
import { optionalHosts } from "./manifest.ts";

/** Chromium with the built extension in it, as after its installation. */
export interface Chromium extends AsyncDisposable {
  browser: Browser;
  id: string;
  /** The worker, as it runs now. */
  worker(): Promise<WebWorker>;
  newPage(): Promise<Page>;
  /** Waits for a page that was opened by somebody else, by a part of its address, to be loaded. */
  openedPage(address: string): Promise<Page>;
  /** Opens a page of the extension, such as `options.html`, and waits until it shows what is stored. */
  open(page: string, size?: { width: number; height: number }): Promise<Page>;
  /** Presses its button in the toolbar over a page, as a person does: what `activeTab` stands for. */
  pressButton(page: Page): Promise<void>;
}

/** Builds the extension and starts Chromium with it, on a profile of its own. Sites are `granted`, all by default, since nobody can answer the browser's question here. */
export async function startChromium({ granted = optionalHosts } = {}): Promise<Chromium> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await temporaryDirectory("periscope-extension-"));
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  const extension = join(folder, "extension");
  await buildExtension(extension, { browser: "chrome", version, granted });
  const browser = await launchChromium({
    profile: join(folder, "profile"),
    extensions: [extension],
    viewport: { width: 1_000, height: 800 },
  });
  stack.defer(() => browser.close());
  const workerTarget = () =>
    browser.waitForTarget((target) => target.type() === TargetType.SERVICE_WORKER && target.url().endsWith("background.js"), {
      timeout: hangMs,
    });
  const id = new URL((await workerTarget()).url()).hostname;
  const worker = async () => {
    const running = await (await workerTarget()).worker();
    if (running === null) throw new Error("The worker is not there.");
    return running;
  };
  const patient = (page: Page) => {
    page.setDefaultTimeout(hangMs);
    return page;
  };
  const newPage = async () => patient(await browser.newPage());
  const resources = stack.move();
  return {
    browser,
    id,
    worker,
    newPage,
    async openedPage(address) {
      const target = await browser.waitForTarget((each) => each.url().includes(address), { timeout: hangMs });
      const page = patient(await target.asPage());
      // At first it is an empty one, in which the browser has nothing for extensions.
      await page.waitForFunction((part) => location.href.includes(part) && document.readyState === "complete", {}, address);
      return page;
    },
    async open(path, size) {
      const page = await newPage();
      if (size !== undefined) await page.setViewport(size);
      await page.goto(`chrome-extension://${id}/${path}`);
      return page;
    },
    async pressButton(page) {
      const extension = (await browser.extensions()).get(id);
      if (extension === undefined) throw new Error("The extension is not there.");
      await page.triggerExtensionAction(extension);
      // The browser lets the extension in a moment later.
      const isLetIn = async () => (await chrome.tabs.query({ active: true, lastFocusedWindow: true }))[0]?.url !== undefined;
      await waitUntil("The address of the page", async () => await (await worker()).evaluate(isLetIn));
    },
    [Symbol.asyncDispose]: async () => await resources.disposeAsync(),
  };
}
