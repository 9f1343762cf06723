import { chromium, type Page } from "playwright-core";
import type { WorldBrowser } from "./content-page.js";

/** Guards against a hang, and no more. */
const hangMs = 100_000;
const chromiumPath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

let worlds = 0;

/** Chromium, whose isolated worlds are those of content scripts. */
export async function chromiumWorlds(): Promise<WorldBrowser> {
  const args = ["--no-sandbox", "--host-resolver-rules=MAP *.test 127.0.0.1"];
  const browser = await chromium.launch({ executablePath: chromiumPath, args, timeout: hangMs });
  return {
    async open(url) {
      const page = await browser.newPage();
      // Waits for the document as long as the test may: the limit is its own.
      await page.goto(url, { timeout: 0, waitUntil: "domcontentloaded" });
      return {
        reload: async () => void (await page.reload({ timeout: 0 })),
        evaluate: async (body, frameUrl = page.url()) => await evaluateIn(page, frameUrl, `(async () => { ${body} })()`),
        close: async () => await page.close(),
      };
    },
    [Symbol.asyncDispose]: async () => await browser.close(),
  };
}

async function evaluateIn(page: Page, frameUrl: string, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  try {
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
  } finally {
    await session.detach();
  }
}
