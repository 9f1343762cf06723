import { randomUUID } from "node:crypto";
import { Periscope } from "@periscope/client";
import type { Browser, BrowserContext, Page } from "puppeteer-core";
import { hangMs, launchChromium } from "./chromium.ts";
import { type RunningServer, type ServerOptions, startServer } from "./server.ts";
import { waitUntil } from "./wait-until.ts";

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
  const server = await startServer(options);
  try {
    const setupUrl = await waitUntil("The setup address", () => /http\S+\/setup#\S+/.exec(server.output())?.[0]);
    return { ...server, origin: new URL(server.baseUrl).origin, setupUrl };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** Makes the owner's account without a browser. Resolves to the cookie of their session. */
export async function createOwner(portal: Portal): Promise<string> {
  const token = new URL(portal.setupUrl).hash.slice(1);
  return (await createAccount(portal, "setup.complete", { token, ...owner })).cookie;
}

/** The portal as one person of a server sees it: key and client are theirs. */
export interface OwnPortal extends Portal {
  /** Of their session. */
  cookie: string;
  /** What they sign in with. */
  person: { name: string; email: string; password: string };
}

/** Adds a person with a key to a server that takes people by invite. */
export async function addPerson(portal: Portal, ownerCookie: string): Promise<OwnPortal> {
  const person = { ...owner, email: `${randomUUID()}@example.org` };
  const { token } = await askPortal<{ token: string }>(portal, ownerCookie, "people.invite", {});
  const { userId, cookie } = await createAccount(portal, "invite.complete", { token, ...person });
  const wanted = { name: "first key", scopes: ["read", "write", "delete"], maxPrivacyLevel: "restricted", expiresInDays: null };
  const { key } = await askPortal<{ key: string }>(portal, cookie, "keys.create", wanted);
  const client = new Periscope({ baseUrl: portal.baseUrl, apiKey: key });
  return { ...portal, userId, key, client, cookie, person };
}

/** Makes an account by a token, of the setup or of an invite, and signs its person in. */
async function createAccount(portal: Portal, procedure: string, account: object): Promise<{ userId: string; cookie: string }> {
  const response = await postProcedure(portal, "", procedure, account);
  const { result } = (await response.json()) as { result: { data: { userId: string } } };
  const cookies = response.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { userId: result.data.userId, cookie: cookies.join("; ") };
}

/** Calls a procedure that changes something, with the cookie of a session. @throws Error when it is refused */
export async function askPortal<Answer>(portal: Portal, cookie: string, procedure: string, input: object): Promise<Answer> {
  const response = await postProcedure(portal, cookie, procedure, input);
  const { result } = (await response.json()) as { result: { data: Answer } };
  return result.data;
}

async function postProcedure({ origin }: Portal, cookie: string, procedure: string, input: object): Promise<Response> {
  const headers = { "Content-Type": "application/json", Origin: origin, Cookie: cookie };
  const response = await fetch(`${origin}/portal/trpc/${procedure}`, { method: "POST", headers, body: JSON.stringify(input) });
  if (!response.ok) throw new Error(`${procedure}: ${response.status} ${await response.text()}`);
  return response;
}

/** Chromium on a profile of its own. */
export interface PlainBrowser extends AsyncDisposable {
  browser: Browser;
  /** Opens a page of this size in a context of its own, with no cookies but the given ones. */
  open(url: string, options?: { width?: number; height?: number; cookie?: string }): Promise<Page>;
  /** Closes the contexts of all pages that were opened. */
  closePages(): Promise<void>;
}

/** Starts Chromium without an extension. */
export async function startBrowser(): Promise<PlainBrowser> {
  const browser = await launchChromium();
  const contexts = new Set<BrowserContext>();
  return {
    browser,
    async open(url, { width = 1_280, height = 860, cookie } = {}) {
      const context = await browser.createBrowserContext();
      contexts.add(context);
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
    async closePages() {
      const opened = [...contexts];
      contexts.clear();
      await Promise.all(opened.map((context) => context.close()));
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
