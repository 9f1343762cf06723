import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { chromium, type Frame, type Page } from "playwright-core";
import type { Lab } from "./content-lab.js";

const chromiumPath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

/** A page in Chromium, with a world of its own beside that of the page's scripts, as content scripts have one. */
export interface ContentPage extends AsyncDisposable {
  readonly page: Page;
  /** Runs a function in that world; it may use nothing of the test. */
  run<T>(script: (lab: Lab) => T | Promise<T>, frame?: Frame): Promise<T>;
}

/** A browser, and a site on plain http under another name than localhost: what needs a secure context is not there. */
export interface ContentBrowser extends AsyncDisposable {
  readonly origin: string;
  /** Opens a page of the site with this as its document. */
  open(body: string, options?: { type?: string; path?: string }): Promise<ContentPage>;
}

/** Starts Chromium and the site. */
export async function contentBrowser(): Promise<ContentBrowser> {
  const { outputFiles } = await build({
    stdin: { contents: 'export { lab } from "./content-lab.ts";', resolveDir: import.meta.dirname },
    bundle: true,
    format: "iife",
    globalName: "periscopeLab",
    platform: "browser",
    conditions: ["@periscope/source"],
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  const documents = new Map<string, { body: string; type: string }>();
  const server = createServer((request, response) => {
    const found = documents.get(request.url ?? "");
    response.writeHead(found === undefined ? 404 : 200, { "Content-Type": found?.type ?? "text/plain" }).end(found?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://pages.test:${(server.address() as AddressInfo).port}`;
  const args = ["--no-sandbox", "--host-resolver-rules=MAP *.test 127.0.0.1"];
  const browser = await chromium.launch({ executablePath: chromiumPath, args });
  let count = 0;

  return {
    origin,
    async open(body, { type = "text/html; charset=utf-8", path = `/page-${(count += 1)}` } = {}) {
      documents.set(path, { body, type });
      const page = await browser.newPage();
      // The test has a limit of its own.
      await page.goto(origin + path, { timeout: 0, waitUntil: "domcontentloaded" });
      return {
        page,
        run: async (given, frame = page.mainFrame()) =>
          await evaluateIn(
            page,
            frame,
            `globalThis.periscopeLab ??= (() => { ${script}; return periscopeLab; })(); await (${String(given)})(periscopeLab.lab)`,
          ),
        [Symbol.asyncDispose]: async () => await page.close(),
      } as ContentPage;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let worlds = 0;

async function evaluateIn(page: Page, frame: Frame, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  try {
    const { frameTree } = await session.send("Page.getFrameTree");
    const tree = [frameTree, ...(frameTree.childFrames ?? [])].find(({ frame: { url } }) => url === frame.url());
    const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
      frameId: tree?.frame.id ?? "",
      worldName: `content-${(worlds += 1)}`,
    });
    const options = { contextId, awaitPromise: true, returnByValue: true, replMode: true };
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", { expression, ...options });
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  } finally {
    await session.detach();
  }
}
