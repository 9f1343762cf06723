import { launchChromium } from "@periscope/harness/chromium";
import type { CDPSession } from "puppeteer-core";
import type { WorldBrowser } from "./content-page.js";

let worlds = 0;

/** Chromium, whose isolated worlds are those of content scripts. */
export async function chromiumWorlds(): Promise<WorldBrowser> {
  const browser = await launchChromium({ args: ["--host-resolver-rules=MAP *.test 127.0.0.1"] });
  return {
    async open(url) {
      const page = await browser.newPage();
      // Waits for the document as long as the test may: the limit is its own.
      await page.goto(url, { timeout: 0, waitUntil: "domcontentloaded" });
      const session = await page.createCDPSession();
      return {
        reload: async () => void (await page.reload({ timeout: 0 })),
        evaluate: async (body, frameUrl = page.url()) => await evaluateIn(session, frameUrl, `(async () => { ${body} })()`),
        close: async () => await page.close(),
      };
    },
    [Symbol.asyncDispose]: async () => await browser.close(),
  };
}

async function evaluateIn(session: CDPSession, frameUrl: string, expression: string): Promise<unknown> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const tree = [frameTree, ...(frameTree.childFrames ?? [])].find(({ frame: { url } }) => url === frameUrl);
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: tree?.frame.id ?? "",
    worldName: `content-${(worlds += 1)}`,
  });
  const options = { contextId, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, ...options });
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
