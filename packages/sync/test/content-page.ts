import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { chromiumWorlds } from "./chromium-worlds.js";
import type { Lab } from "./content-lab.js";
import { firefoxWorlds } from "./firefox-worlds.js";

/** A browser that has worlds beside that of a page's own scripts, as content scripts have one. */
export interface WorldBrowser extends AsyncDisposable {
  open(url: string): Promise<WorldPage>;
}

/** A page in such a browser. */
export interface WorldPage {
  reload(): Promise<void>;
  /** Runs the body of an async function in a new world of the page, or of a frame in it. */
  evaluate(body: string, frameUrl?: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A page with a world of its own beside that of the page's scripts. */
export interface ContentPage extends AsyncDisposable {
  readonly url: string;
  reload(): Promise<void>;
  /** Runs a function in that world, or in that of a frame; it may use nothing of the test. */
  run<T>(script: (lab: Lab) => T | Promise<T>, frameUrl?: string): Promise<T>;
}

/** A browser, and a site on plain http under another name than localhost: what needs a secure context is not there. */
export interface ContentBrowser extends AsyncDisposable {
  readonly origin: string;
  /** Opens a page of the site with this as its document. */
  open(body: string, options?: { type?: string; path?: string }): Promise<ContentPage>;
}

/** Starts the site and a browser: Chromium, or Firefox where `CONTENT_BROWSER` says so. */
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
  const browser = await (process.env["CONTENT_BROWSER"] === "firefox" ? firefoxWorlds() : chromiumWorlds());
  let count = 0;

  return {
    origin,
    async open(body, { type = "text/html; charset=utf-8", path = `/page-${(count += 1)}` } = {}) {
      documents.set(path, { body, type });
      const url = origin + path;
      const page = await browser.open(url);
      return {
        url,
        reload: async () => await page.reload(),
        run: async (given, frameUrl) =>
          await page.evaluate(
            `globalThis.periscopeLab ??= (() => { ${script}; return periscopeLab; })(); return await (${String(given)})(periscopeLab.lab);`,
            frameUrl,
          ),
        [Symbol.asyncDispose]: async () => await page.close(),
      } as ContentPage;
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
