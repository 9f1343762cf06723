import puppeteer from "puppeteer-core";
import type { WorldBrowser } from "./content-page.js";

const firefoxPath = process.env["FIREFOX_PATH"] ?? "/usr/bin/firefox-esr";

/** Guards against a hang, and no more. */
const hangMs = 180_000;

interface Frame {
  context: string;
  url: string;
  children: Frame[] | null;
}

let worlds = 0;

/** Firefox, whose sandboxes see pages through the same wrappers as content scripts do. */
export async function firefoxWorlds(): Promise<WorldBrowser> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: firefoxPath,
    timeout: hangMs,
    protocolTimeout: hangMs,
    extraPrefsFirefox: { "network.dns.localDomains": "pages.test" },
  });
  // The line to the browser: puppeteer has no names for sandboxes.
  const { connection } = browser as unknown as { connection: { send(method: string, params: object): Promise<{ result: any }> } };
  const send = async (method: string, params: object) => (await connection.send(method, params)).result;
  return {
    async open(url) {
      const { context } = await send("browsingContext.create", { type: "tab" });
      await send("browsingContext.navigate", { context, url, wait: "interactive" });
      return {
        reload: async () => await send("browsingContext.reload", { context, wait: "complete" }),
        async evaluate(body, frameUrl) {
          const { contexts } = (await send("browsingContext.getTree", { root: context })) as { contexts: Frame[] };
          const frames = contexts.flatMap((main) => [main, ...(main.children ?? [])]);
          const frame = frameUrl === undefined ? frames[0] : frames.find((each) => each.url === frameUrl);
          const { type, result, exceptionDetails } = await send("script.evaluate", {
            expression: `(async () => JSON.stringify(await (async () => { ${body} })()))()`,
            target: { context: frame?.context ?? "", sandbox: `content-${(worlds += 1)}` },
            awaitPromise: true,
          });
          if (type !== "success") throw new Error(exceptionDetails.text);
          return result.value === undefined ? undefined : JSON.parse(result.value);
        },
        close: async () => await send("browsingContext.close", { context }),
      };
    },
    [Symbol.asyncDispose]: async () => await browser.close(),
  };
}
