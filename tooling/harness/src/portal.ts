import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { type RunningServer, type ServerOptions, startServer } from "./server.ts";
import { waitUntil } from "./wait-until.ts";

/** Guards against a hang, and no more. */
const hangMs = 100_000;

/** A server whose portal waits for its owner. The owner takes the user that the server's key is of. */
export interface Portal extends RunningServer {
  /** Address of the portal, without a trailing slash. */
  origin: string;
  /** The address that makes the owner's account, once. */
  setupUrl: string;
}

/** The owner that {@link createOwner} makes. */
export const owner = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

/** Starts the built server and waits for the address that it prints for its first run. */
export async function startPortal(options: ServerOptions = {}): Promise<Portal> {
  let output = "";
  const server = await startServer({ ...options, onOutput: (text) => (output += text) });
  try {
    const setupUrl = await waitUntil("The setup address", () => /http\S+\/setup#\S+/.exec(output)?.[0]);
    return { ...server, origin: new URL(server.baseUrl).origin, setupUrl };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** Makes the owner's account without a browser. Resolves to the cookie of their session. */
export async function createOwner({ origin, setupUrl }: Portal): Promise<string> {
  const body = JSON.stringify({ token: new URL(setupUrl).hash.slice(1), ...owner });
  const headers = { "Content-Type": "application/json", Origin: origin };
  const response = await fetch(`${origin}/portal/trpc/setup.complete`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`setup.complete: ${response.status} ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** Chromium on a profile of its own. */
export interface PlainBrowser extends AsyncDisposable {
  browser: Browser;
  /** Opens a page of this size in a context of its own, with no cookies but the given ones. */
  open(url: string, options?: { width?: number; height?: number; cookie?: string }): Promise<Page>;
}

/** Starts Chromium without an extension. */
export async function startBrowser(): Promise<PlainBrowser> {
  const profile = await mkdtemp(join(tmpdir(), "periscope-browser-"));
  const browser = await puppeteer.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    userDataDir: profile,
    pipe: true,
    timeout: hangMs,
    protocolTimeout: hangMs,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run"],
  });
  return {
    browser,
    async open(url, { width = 1_280, height = 860, cookie } = {}) {
      const context = await browser.createBrowserContext();
      if (cookie !== undefined) {
        const [name = "", value = ""] = cookie.split(/=(.*)/s);
        await context.setCookie({ name, value, domain: new URL(url).hostname, path: "/", httpOnly: true });
      }
      const page = await context.newPage();
      page.setDefaultTimeout(hangMs);
      await page.setViewport({ width, height });
      await page.goto(url);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
