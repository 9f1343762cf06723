import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import puppeteer, { type Browser, TargetType } from "puppeteer-core";
import { fakeService } from "../src/testing/index.js";

/** Guards against a hang, and no more. */
const hangMs = 100_000;

/** A context as the service has it after all that came. */
export interface SeenContext {
  id: string;
  type: string;
  path: string;
  title: string;
  content: string;
  isActive: boolean;
}

/** Chromium with an extension that records every page, and a site and a service for it. */
export interface VisitBrowser extends AsyncDisposable {
  browser: Browser;
  origin: string;
  /** Contexts in the order in which they came first. */
  contexts(): SeenContext[];
  /** Content of what was viewed last. */
  current(): string | undefined;
  /** Runs in the worker of the extension. */
  inWorker<T>(work: () => Promise<T>): Promise<T>;
}

/** What the site answers at a path. */
export type Pages = Readonly<Record<string, string | ((response: ServerResponse) => void)>>;

/** Starts all of it. */
export async function visitBrowser(pages: Pages): Promise<VisitBrowser> {
  const service = fakeService();
  const server = createServer((request, response) => {
    const { url = "", headers, method } = request;
    if (method === "POST" && url.startsWith("/api/")) {
      void text(request)
        .then((body) => service.fetch(url, { headers: { Authorization: headers.authorization ?? "" }, body }))
        .then(async (taken) => response.writeHead(taken.status, { "Content-Type": "application/json" }).end(await taken.text()));
      return;
    }
    const page = pages[url.replace(/\?.*/, "")];
    if (typeof page === "function") page(response);
    else response.writeHead(page === undefined ? 404 : 200, { "Content-Type": "text/html; charset=utf-8" }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = await mkdtemp(join(tmpdir(), "periscope-visits-"));
  const extension = join(folder, "extension");
  await mkdir(extension);
  await writeExtension(extension, origin);
  const browser = await puppeteer.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    userDataDir: join(folder, "profile"),
    pipe: true,
    timeout: hangMs,
    protocolTimeout: hangMs,
    enableExtensions: true,
    args: ["--no-sandbox", `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
  });
  const target = await browser.waitForTarget((target) => target.type() === TargetType.SERVICE_WORKER, { timeout: hangMs });
  const messages = () => [...service.stored.values()].map(({ json }) => JSON.parse(json) as Message);
  const stage: VisitBrowser = {
    browser,
    origin,
    contexts() {
      const found = new Map<string, SeenContext>();
      for (const { payload } of messages()) {
        if (payload.context === undefined) continue;
        const { id, type, url, title, content, tabMetadata } = payload.context;
        found.set(id, { id, type, path: url.slice(origin.length), title, content, isActive: tabMetadata.isActive });
      }
      return [...found.values()];
    },
    current() {
      const views = messages().flatMap(({ timestamp, payload: { context, contextId } }) =>
        context === undefined
          ? [{ id: contextId, at: timestamp }]
          : context.tabMetadata.isActive
            ? [{ id: context.id, at: context.capturedAt }]
            : [],
      );
      const last = views.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)).at(-1);
      return stage.contexts().find(({ id }) => id === last?.id)?.content;
    },
    async inWorker(work) {
      const worker = await target.worker();
      if (worker === null) throw new Error("The worker is not there.");
      return await worker.evaluate(work);
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
  return stage;
}

interface Message {
  timestamp: string;
  payload: {
    contextId?: string;
    context?: {
      id: string;
      type: string;
      url: string;
      title: string;
      content: string;
      capturedAt: string;
      tabMetadata: { isActive: boolean };
    };
  };
}

async function writeExtension(folder: string, origin: string): Promise<void> {
  const manifest = {
    manifest_version: 3,
    name: "Visits",
    version: "1.0",
    permissions: ["alarms", "storage", "tabs", "webNavigation"],
    host_permissions: ["http://127.0.0.1/*"],
    background: { service_worker: "background.js", type: "module" },
    content_scripts: [{ matches: ["http://127.0.0.1/*"], js: ["content.js"], run_at: "document_start" }],
  };
  await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
  const programs = {
    background: `import { createContextSync } from "./src/background/index.ts";
      createContextSync({ baseUrl: "${origin}", apiKey: "key", filter: (message) => ({ keep: true, message }), batch: { waitMs: 100 } });`,
    content: `import { createCapture } from "./src/content/index.ts"; createCapture().record({ settleMs: 300 });`,
  };
  for (const [name, contents] of Object.entries(programs)) {
    await build({
      stdin: { contents, resolveDir: join(import.meta.dirname, ".."), loader: "ts" },
      outfile: join(folder, `${name}.js`),
      bundle: true,
      format: name === "content" ? "iife" : "esm",
      platform: "browser",
      conditions: ["@periscope/source"],
      logLevel: "silent",
    });
  }
}
