import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { buildQueueExtension } from "./build-extension.ts";
import { ExtensionBrowser } from "./extension-browser.ts";
import { type Ground, layGround } from "./ground.ts";
import { type Site, startSite } from "./site.ts";

/** The ground, and a browser with the extension that holds the queue's core. */
export interface Stage extends Ground, AsyncDisposable {
  browser: ExtensionBrowser;
  /** A page of the extension that speaks to its worker. */
  driver: Page;
  /** An http origin that has the page which runs a queue. */
  site: Site;
  /** Starts the browser again on the same profile; the old one must have ended. */
  relaunch(): Promise<void>;
}

const files: Readonly<Record<string, string>> = { "/driver.html": "text/html", "/driver.js": "text/javascript" };

/** Sets everything up; all of it is gone when it is disposed. */
export async function setStage(): Promise<Stage> {
  await using stack = new AsyncDisposableStack();
  let directory = "";
  const site = stack.use(
    await startSite(async (path) => {
      const type = files[path];
      return type === undefined ? undefined : { type, text: await readFile(join(directory, path), "utf8") };
    }),
  );
  const ground = await layGround(stack, [site.origin]);
  directory = ground.directories.extension;
  await buildQueueExtension(directory);
  const browser = await ExtensionBrowser.launch(ground.directories);
  stack.defer(() => stage.browser[Symbol.asyncDispose]());
  const stage: Stage = {
    ...ground,
    site,
    browser,
    driver: await browser.open("driver.html"),
    async relaunch() {
      const { kills } = stage.browser;
      stage.browser = await ExtensionBrowser.launch(ground.directories);
      stage.browser.kills = kills;
      stage.driver = await stage.browser.open("driver.html");
    },
    [Symbol.asyncDispose]: () => whole.disposeAsync(),
  };
  const whole = stack.move();
  return stage;
}
