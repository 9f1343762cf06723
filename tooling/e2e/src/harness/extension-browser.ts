import { once } from "node:events";
import puppeteer, { type Browser, type CDPSession, type Page, type Target, TargetType } from "puppeteer-core";
import { waitUntil, within } from "./wait-until.ts";

const chromiumPath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** A Chromium with one unpacked extension and a profile of its own. */
export class ExtensionBrowser implements AsyncDisposable {
  /** Workers and browsers that were ended here. */
  kills = 0;

  private constructor(
    readonly browser: Browser,
    readonly extensionId: string,
    readonly directories: { extension: string; profile: string },
  ) {}

  /** Starts it; on the profile of an earlier one, if that has ended. */
  static async launch(directories: { extension: string; profile: string }): Promise<ExtensionBrowser> {
    const browser = await puppeteer.launch({
      executablePath: chromiumPath,
      pipe: true,
      userDataDir: directories.profile,
      enableExtensions: true,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        // Nothing leaves this machine, and names that do not exist are known at once.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        `--disable-extensions-except=${directories.extension}`,
        `--load-extension=${directories.extension}`,
      ],
    });
    try {
      const target = await browser.waitForTarget((one) => isExtensionWorker(one), { timeout: 30_000 });
      return new ExtensionBrowser(browser, new URL(target.url()).host, directories);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Opens a page of the extension. */
  async open(path: string): Promise<Page> {
    const page = await this.browser.newPage();
    await page.goto(`chrome-extension://${this.extensionId}/${path}`);
    return page;
  }

  /** The worker that runs now, if one does. */
  workerTarget(): Target | undefined {
    return this.browser.targets().find((target) => isExtensionWorker(target) && target.url().includes(this.extensionId));
  }

  /** The worker's line for commands of the browser's protocol. */
  async workerSession(): Promise<CDPSession> {
    const worker = await this.workerTarget()?.worker();
    if (worker == null) throw new Error("No worker runs.");
    return worker.client;
  }

  /** Ends the worker where it stands, and waits until it is gone; whether there was one. */
  async killWorker(): Promise<boolean> {
    const target = this.workerTarget();
    if (target === undefined) return false;
    const worker = await target.worker();
    try {
      await worker?.close();
    } catch (error) {
      // It may end by itself meanwhile, which is as good.
      if (this.browser.targets().includes(target)) throw error;
    }
    await waitUntil("The end of a worker", () => !this.browser.targets().includes(target));
    this.kills += 1;
    return true;
  }

  /** Ends the whole browser as a crash would. */
  async crash(): Promise<void> {
    const child = this.browser.process();
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await within("The end of the browser", ended);
    this.kills += 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.browser.process();
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    try {
      await within("Closing the browser", this.browser.close(), 10_000);
    } catch {
      await this.crash();
    }
  }
}

function isExtensionWorker(target: Target): boolean {
  return target.type() === TargetType.SERVICE_WORKER && target.url().startsWith("chrome-extension://");
}
