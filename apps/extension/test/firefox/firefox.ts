import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hangMs } from "@periscope/harness/chromium";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import puppeteer, { type Browser } from "puppeteer-core";
import { vi } from "vitest";
import { buildExtension } from "../../build/build-extension.ts";
import { zipFolder } from "../../build/zip.ts";
import { type Plain, runIn, type Send, sendOf } from "./bidi.ts";
import { type ExtensionTab, extensionTab } from "./extension-tab.ts";

const firefoxPath = process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox-esr";
const extensionId = "periscope@periscope.invalid";
/** Fixed, so that the addresses of its pages are known. */
const uuid = "255d3e42-f341-4aab-a057-b949f1eefb5f";

/** After so long without an event Firefox ends the background. */
const usualIdleMs = 30_000;

const preferences = {
  // The built extension is installed as one from the store is, but that nobody has signed it.
  "xpinstall.signatures.required": false,
  "extensions.webextensions.uuids": JSON.stringify({ [extensionId]: uuid }),
  // Nobody can answer the browser's question: it is taken for a yes.
  "extensions.webextOptionalPermissionPrompts": false,
  "extensions.openPopupWithoutUserGesture.enabled": true,
};

/** Firefox with the extension as it is built for its store, on a profile of its own. */
export class Firefox implements AsyncDisposable {
  browser: Browser;
  readonly #stack: AsyncDisposableStack;
  readonly #profile: string;

  private constructor(stack: AsyncDisposableStack, profile: string, browser: Browser) {
    this.#stack = stack;
    this.#profile = profile;
    this.browser = browser;
  }

  /** Builds the extension and starts Firefox with it. @param idleMs after so long without an event the background is ended */
  static async launch({ idleMs = usualIdleMs }: { idleMs?: number } = {}): Promise<Firefox> {
    await using stack = new AsyncDisposableStack();
    const { path } = stack.use(await temporaryDirectory("periscope-firefox-"));
    const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };
    await buildExtension(join(path, "extension"), { browser: "firefox", version });
    const profile = join(path, "profile");
    await mkdir(join(profile, "extensions"), { recursive: true });
    await writeFile(join(profile, "extensions", `${extensionId}.xpi`), await zipFolder(join(path, "extension")));
    const browser = await start(profile, idleMs);
    const firefox = new Firefox(stack.move(), profile, browser);
    firefox.#stack.defer(() => firefox.#end());
    return firefox;
  }

  /** Ends the browser as a crash would, with all that it has started; what it had on the disk stays. */
  async crash(): Promise<void> {
    const child = this.browser.process();
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await ended;
  }

  /** Starts it again on the same profile. */
  async relaunch(): Promise<void> {
    this.browser = await start(this.#profile, usualIdleMs);
  }

  /** Runs a function in the window of the browser itself, with all that this may do. */
  async inBrowser<Given extends readonly Plain[], T>(script: (...given: Given) => T | Promise<T>, ...given: Given): Promise<T> {
    // Browsers have other windows of their own, too.
    const context = await this.#contextAt("chrome://browser/content/browser.xhtml", { "moz:scope": "chrome" });
    return await runIn(this.#send, context, script, given);
  }

  /** Waits for a page of the extension to be open in some tab, and to show what is stored. */
  async tab(path: string): Promise<ExtensionTab> {
    const tab = extensionTab(this.#send, await this.#contextAt(`moz-extension://${uuid}/${path}`));
    // While it changes its process it cannot be asked.
    await vi.waitUntil(() => tab.run(() => document.body?.dataset["ready"] === "").catch(() => false), { timeout: hangMs });
    return tab;
  }

  /** Opens a page of the extension, and waits until it shows what is stored. */
  async open(path: string): Promise<ExtensionTab> {
    await this.inBrowser((url) => {
      const { gBrowser, Services } = globalThis as any;
      gBrowser.selectedTab = gBrowser.addTab(url, { triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() });
    }, `moz-extension://${uuid}/${path}`);
    return await this.tab(path);
  }

  /** Opens an address in a private window, and waits until it is loaded there. */
  async visitPrivately(url: string): Promise<void> {
    await this.inBrowser(async (url) => {
      const { OpenBrowserWindow, PrivateBrowsingUtils, Services } = globalThis as any;
      const opened = OpenBrowserWindow({ private: true });
      await new Promise((resolve) => opened.addEventListener("load", resolve, { once: true }));
      await opened.delayedStartupPromise;
      if (!PrivateBrowsingUtils.isWindowPrivate(opened)) throw new Error("The window is not private.");
      const { selectedBrowser } = opened.gBrowser;
      selectedBrowser.fixupAndLoadURIString(url, { triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() });
      while (selectedBrowser.currentURI.spec !== url || selectedBrowser.webProgress.isLoadingDocument)
        await new Promise((resolve) => setTimeout(resolve, 50));
    }, url);
  }

  /** Loads the extension anew, as after an update. */
  async reloadExtension(): Promise<void> {
    await this.inBrowser(async (id) => {
      const { AddonManager } = (globalThis as any).ChromeUtils.importESModule("resource://gre/modules/AddonManager.sys.mjs");
      await (await AddonManager.getAddonByID(id)).reload();
    }, extensionId);
  }

  /** `running`, `stopped` and the like: what the browser says of the extension's background. */
  async background(): Promise<string> {
    return await this.inBrowser(
      (id) => (globalThis as any).WebExtensionPolicy.getByID(id).extension.backgroundState as string,
      extensionId,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  /** Waits for something at this address to be open; resolves to its browsing context. */
  async #contextAt(url: string, scope: Record<string, string> = {}): Promise<string> {
    const look = async () => {
      const { contexts } = (await this.#send("browsingContext.getTree", scope)) as { contexts: { context: string; url: string }[] };
      return contexts.find((each) => each.url === url);
    };
    return (await vi.waitUntil(look, { timeout: hangMs })).context;
  }

  get #send(): Send {
    return sendOf(this.browser);
  }

  async #end(): Promise<void> {
    const child = this.browser.process();
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    await this.browser.close();
  }
}

async function start(profile: string, idleMs: number): Promise<Browser> {
  return await puppeteer.launch({
    browser: "firefox",
    executablePath: firefoxPath,
    userDataDir: profile,
    timeout: hangMs,
    protocolTimeout: hangMs,
    defaultViewport: { width: 1_000, height: 800 },
    // Its own windows answer only to who asked for that at the start.
    args: ["--remote-allow-system-access"],
    extraPrefsFirefox: { ...preferences, "extensions.background.idle.timeout": idleMs },
  });
}
