import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { hangMs, launchChromium } from "@periscope/harness/chromium";
import { build } from "esbuild";
import type { Browser } from "puppeteer-core";
import { type FakeService, fakeService } from "./testing/index.js";

const root = join(import.meta.dirname, "..");

/** An extension that is made of programs as somebody copied them. */
export interface CopiedExtension {
  manifest: Record<string, unknown>;
  background: string;
  /** Content scripts, by file. */
  content?: Record<string, string>;
  /** The program of `popup.html`. */
  popup?: string;
}

/** What a program printed. */
export interface Said {
  /** Name of its extension, of its manifest. */
  extension: string;
  id: string;
  words: unknown[];
}

/** Chromium with extensions, and beside it the service and a page under every name of `.test`. */
export interface ReadmeBrowser extends AsyncDisposable {
  chromium: Browser;
  /** Opens a page. */
  open(url: string): Promise<void>;
  service: FakeService;
  said: readonly Said[];
  port: number;
}

/** Writes an extension into a folder, for a service at a port; resolves to the folder that a browser loads. */
export type WriteExtension = (folder: string, port: number) => Promise<string>;

/** Starts Chromium with extensions, whose service is the one that is started here. */
export async function readmeBrowser(extensions: readonly WriteExtension[]): Promise<ReadmeBrowser> {
  const service = fakeService();
  const said: Said[] = [];
  const server = createServer(
    (request, response) =>
      void answer(request).then(({ status, type, body }) => response.writeHead(status, { "Content-Type": type }).end(body)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await mkdir(join(root, ".cache"), { recursive: true });
  // Beside the programs that build, which find their packages from here.
  const folder = await mkdtemp(join(root, ".cache", "readme-"));
  const folders: string[] = [];
  for (const [index, write] of extensions.entries()) {
    const to = join(folder, `extension-${index}`);
    await mkdir(to);
    folders.push(await write(to, port));
  }
  const chromium = await launchChromium({ extensions: folders, args: ["--host-resolver-rules=MAP *.test 127.0.0.1"] });
  return {
    chromium,
    async open(url) {
      const page = await chromium.newPage();
      await page.goto(url, { timeout: hangMs });
    },
    service,
    said,
    port,
    async [Symbol.asyncDispose]() {
      await chromium.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function answer(request: IncomingMessage): Promise<{ status: number; type: string; body: string }> {
    const { url = "", headers } = request;
    if (url === "/said") {
      said.push(JSON.parse(await text(request)) as Said);
      return { status: 204, type: "text/plain", body: "" };
    }
    if (url === "/api/v1/context/batch-sync" && request.method === "POST") {
      const taken = await service.fetch(url, { headers: { Authorization: headers.authorization ?? "" }, body: await text(request) });
      return { status: taken.status, type: "application/json", body: await taken.text() };
    }
    return { status: 200, type: "text/html; charset=utf-8", body: page };
  }
}

const page =
  "<!doctype html><title>Lamp</title><article><h1>Lamp</h1><p>The keeper lights the <b>lamp</b>.</p></article><p class=diary>Dear diary</p>";

/** Bundles programs of the README; what they print is sent to the test. */
export const bundled =
  ({ manifest, background, content = {}, popup }: CopiedExtension): WriteExtension =>
  async (folder, port) => {
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest));
    await bundle(join(folder, "background.js"), background, "esm", port);
    for (const [file, code] of Object.entries(content)) await bundle(join(folder, file), code, "iife", port);
    if (popup === undefined) return folder;
    await bundle(join(folder, "popup.js"), popup, "esm", port);
    await writeFile(join(folder, "popup.html"), '<!doctype html><script type="module" src="popup.js"></script>');
    return folder;
  };

/** The port of the service alone is another than the README's, and what is printed is sent to it. */
async function bundle(outfile: string, code: string, format: "esm" | "iife", port: number): Promise<void> {
  await build({
    stdin: { contents: code.replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`), resolveDir: root, loader: "ts" },
    banner: { js: printing(port) },
    outfile,
    bundle: true,
    format,
    platform: "browser",
    conditions: ["@periscope/source"],
    logLevel: "silent",
  });
}

const printing = (port: number) => `{
  const { id, getManifest } = chrome.runtime;
  let last = Promise.resolve();
  const say = (...words) => (last = last.then(() => fetch("http://127.0.0.1:${port}/said", { method: "POST", mode: "no-cors", body: JSON.stringify({ extension: getManifest().name, id, words }) })));
  console.log = console.warn = (...words) => void say(...words);
  globalThis.addEventListener?.("unhandledrejection", ({ reason }) => void say("failed", String(reason)));
}`;
