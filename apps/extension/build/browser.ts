import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hangMs, launchChromium } from "@periscope/harness/chromium";
import { type Browser, type Page, TargetType, type WebWorker } from "puppeteer-core";
import { buildExtension } from "./build-extension.ts";
import { optionalHosts } from "./manifest.ts";

/** Chromium with the built extension in it, as after its installation. */
export interface ExtensionBrowser extends AsyncDisposable {
  browser: Browser;
  id: string;
  /** The worker, as it runs now. */
  worker(): Promise<WebWorker>;
  /** Opens a page of the extension, such as `options.html`, and waits until it shows what is stored. */
  open(page: string, size?: { width: number; height: number }): Promise<Page>;
  /** Presses its button in the toolbar over a page, as a person does: what `activeTab` stands for. */
  pressButton(page: Page): Promise<void>;
}

/** Builds the extension and starts Chromium with it, on a profile of its own. Sites are `granted`, all by default, since nobody can answer the browser's question here. */
export async function startExtensionBrowser({ granted = optionalHosts } = {}): Promise<ExtensionBrowser> {
  const folder = await mkdtemp(join(tmpdir(), "periscope-extension-"));
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  const extension = join(folder, "extension");
  await buildExtension(extension, { browser: "chrome", version, granted });
  const browser = await launchChromium({
    profile: join(folder, "profile"),
    extensions: [extension],
    viewport: { width: 1_000, height: 800 },
  });
  const workerTarget = () =>
    browser.waitForTarget((target) => target.type() === TargetType.SERVICE_WORKER && target.url().endsWith("background.js"), {
      timeout: hangMs,
    });
  const id = new URL((await workerTarget()).url()).hostname;
  return {
    browser,
    id,
    async worker() {
      const worker = await (await workerTarget()).worker();
      if (worker === null) throw new Error("The worker is not there.");
      return worker;
    },
    async open(path, size) {
      const page = await browser.newPage();
      page.setDefaultTimeout(hangMs);
      if (size !== undefined) await page.setViewport(size);
      await page.goto(`chrome-extension://${id}/${path}`);
      return page;
    },
    async pressButton(page) {
      const extension = (await browser.extensions()).get(id);
      if (extension === undefined) throw new Error("The extension is not there.");
      await page.triggerExtensionAction(extension);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
