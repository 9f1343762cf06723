import { evaluateIn, launchChromium } from "@periscope/harness/chromium";
import type { WorldBrowser } from "./content-page.js";

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
        evaluate: async (body, frameUrl = page.url()) => await evaluateIn(session, `(async () => { ${body} })()`, frameUrl),
        close: async () => await page.close(),
      };
    },
    [Symbol.asyncDispose]: async () => await browser.close(),
  };
}
