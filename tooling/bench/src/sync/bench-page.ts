import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fakeService } from "@periscope/sync/testing";
import { build } from "esbuild";
import { type CDPSession, chromium, type Page } from "playwright-core";

/** A page in Chromium with the benchmark's program in it, of a site that is a service in memory as well. */
export interface BenchPage extends AsyncDisposable {
  page: Page;
  /** Base address of the service. */
  baseUrl: string;
  /** Messages that the service has. */
  stored: () => number;
  browser: string;
  /** Bytes of the page's heap after a collection of garbage. */
  heapBytes: () => Promise<number>;
}

/** Starts Chromium and the site. */
export async function startBenchPage(): Promise<BenchPage> {
  const { outputFiles } = await build({
    stdin: { contents: 'import { program } from "./page-program.ts"; globalThis.program = program;', resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    logLevel: "error",
    write: false,
  });
  const script = (outputFiles[0]?.text ?? "").replaceAll("</", "<\\/");
  const service = fakeService();
  const server = createServer((request, response) => {
    if (request.method === "POST") void answer(request, response, service.fetch);
    else
      response
        .setHeader("Content-Type", "text/html")
        .end(`<!doctype html><title>Bench</title><script type="module">${script}</script><body>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto(origin, { timeout: 0 });
  const session = await page.context().newCDPSession(page);
  return {
    page,
    baseUrl: `${origin}/api/v1`,
    stored: () => service.stored.size,
    browser: `Chromium ${browser.version()}`,
    heapBytes: async () => await heapBytes(session),
    async [Symbol.asyncDispose]() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, take: ReturnType<typeof fakeService>["fetch"]): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = { Authorization: request.headers.authorization ?? "" };
  const answered = await take(request.url ?? "", { headers, body: Buffer.concat(chunks).toString() });
  response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text());
}

async function heapBytes(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return usedSize;
}
