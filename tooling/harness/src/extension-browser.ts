import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Browser, type CDPSession, type GoToOptions, type Page, type Target, TargetType } from "puppeteer-core";
import { hangMs, launchChromium } from "./chromium.ts";
import { waitUntil, within } from "./wait-until.ts";

/** Where the unpacked extension and the browser's profile are. */
export interface ExtensionDirectories {
  extension: string;
  profile: string;
}

/** A Chromium with one unpacked extension and a profile of its own. */
export class ExtensionBrowser implements AsyncDisposable {
  /** Whether the browser was ended as by a crash: what fails from then on fails of that. */
  isCrashed = false;

  readonly browser: Browser;
  readonly extensionId: string;
  readonly directories: ExtensionDirectories;
  /** A line to the browser's own page, whose commands concern the whole profile. */
  readonly #control: CDPSession;

  private constructor(browser: Browser, extensionId: string, directories: ExtensionDirectories, control: CDPSession) {
    this.browser = browser;
    this.extensionId = extensionId;
    this.directories = directories;
    this.#control = control;
  }

  /** Starts it; on the profile of an earlier one, if that has ended. */
  static async launch(directories: ExtensionDirectories): Promise<ExtensionBrowser> {
    await allowUnpacked(directories.profile);
    const browser = await launchChromium({
      profile: directories.profile,
      extensions: [directories.extension],
      // Nothing leaves this machine, and names that do not exist are known at once.
      args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
    });
    try {
      const target = await browser.waitForTarget((one) => isExtensionWorker(one), { timeout: hangMs });
      const [blank] = await browser.pages();
      if (blank === undefined) throw new Error("The browser has no page.");
      const control = await blank.createCDPSession();
      await control.send("ServiceWorker.enable");
      return new ExtensionBrowser(browser, new URL(target.url()).host, directories, control);
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Opens a page of the extension. */
  async open(path: string): Promise<Page> {
    return await this.visit(`chrome-extension://${this.extensionId}/${path}`);
  }

  /** Opens a page, and waits for its `load` unless the options say otherwise. */
  async visit(url: string, options?: GoToOptions): Promise<Page> {
    const page = await this.browser.newPage();
    page.setDefaultTimeout(hangMs);
    try {
      await page.goto(url, options);
      return page;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  /** Loads the extension anew from its directory, by one of its pages, as after an update; resolves to the page at `path`, opened after it. */
  async reload(page: Page, path: string): Promise<Page> {
    await page.evaluate(() => void setTimeout(() => chrome.runtime.reload(), 0));
    await waitUntil("The end of the extension's pages", () => page.isClosed());
    return await this.reopen(path);
  }

  /** Opens a page of the extension as soon as it is there. */
  async reopen(path: string): Promise<Page> {
    return await waitUntil("The extension", () => this.open(path).catch(() => undefined));
  }

  /** Whether the extension would be on if the browser crashed now: its profile is the last one that was written. */
  async isWrittenAsOn(): Promise<boolean> {
    const text = await readFile(join(this.directories.profile, "Default", "Preferences"), "utf8");
    const { extensions } = JSON.parse(text) as { extensions?: { settings?: Record<string, { disable_reasons?: unknown }> } };
    // Of one that the profile does not know yet, the browser's next start knows nothing but that it is to be loaded.
    const { disable_reasons: reasons = [] } = extensions?.settings?.[this.extensionId] ?? {};
    if (!Array.isArray(reasons)) throw new Error(`The profile says in a new way why an extension is off: ${JSON.stringify(reasons)}`);
    return reasons.length === 0;
  }

  /** A new session with the worker that runs now. */
  async workerSession(): Promise<CDPSession> {
    return await waitUntil("A worker that answers", async () => {
      // One that has ended may still be listed, and never answers.
      const worker = this.browser.targets().findLast((target) => isExtensionWorker(target) && target.url().includes(this.extensionId));
      const session = await worker?.createCDPSession().catch(() => undefined);
      try {
        await session?.send("Runtime.evaluate", { expression: "1" }, { timeout: 10_000 });
        return session;
      } catch {
        await session?.detach().catch(() => {});
        return undefined;
      }
    });
  }

  /**
   * Ends the worker where it stands; resolves when it has ended. Not by closing its target: a debugger that is still attached keeps the target
   * for the next worker, which may be there at once.
   */
  async killWorker(): Promise<void> {
    await within("The end of a worker", this.#control.send("ServiceWorker.stopAllWorkers"));
  }

  /** Ends the whole browser as a crash would. */
  async crash(): Promise<void> {
    const child = this.browser.process();
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    this.isCrashed = true;
    // The group: what a browser has started writes to the disk as well.
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await within("The end of the browser", ended);
    // What says that the profile is in use is left behind.
    for (const name of ["SingletonLock", "SingletonCookie", "SingletonSocket"])
      await rm(join(this.directories.profile, name), { force: true });
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

/** Switches the developer mode on, without which an unpacked extension stays off once it was loaded anew. */
async function allowUnpacked(profile: string): Promise<void> {
  const directory = join(profile, "Default");
  await mkdir(directory, { recursive: true });
  try {
    await writeFile(join(directory, "Preferences"), JSON.stringify({ extensions: { ui: { developer_mode: true } } }), { flag: "wx" });
  } catch (error) {
    // A profile that was used before has it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
