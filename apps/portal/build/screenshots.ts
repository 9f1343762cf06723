import { createHash, randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { askPortal, createOwner, startBrowser, startPortal } from "@periscope/harness/portal";
import type { Page } from "puppeteer-core";
import { type ExamplePage, examplePages } from "./example-pages.ts";

// Takes docs/images/portal-*.png of every page, in light and in dark, from a real server with example contexts.
// Afterwards, `pngquant --strip --force --ext .png docs/images/portal-*.png` makes them less than half as large.

const images = new URL("../../../docs/images/", import.meta.url);
const size = { width: 1_280, height: 800 };
const dayMs = 86_400_000;
/** When the pages that the picture of a search finds were read, in days ago: some on one evening, then none for days. */
const foundDaysAgo = [0, 0.02, 0.06, 1.1, 1.18, 4.3, 9.6, 13.2];

await mkdir(images, { recursive: true });
// An empty setting has its default, where servers of tests have no limits.
const limits = ["SYNC", "BATCH_SYNC", "READ", "SEARCH", "DELETE"].map((name) => [`RATE_LIMIT_${name}`, ""]);
await using portal = await startPortal({ environment: Object.fromEntries(limits) });
await using chromium = await startBrowser();

const setup = await chromium.open(portal.setupUrl, size);
await setup.waitForSelector("[name=name]");
await shoot(setup, "setup");

const cookie = await createOwner(portal);
const extension = await createKey("Chrome on my laptop", ["write"]);
const unnamed = await portal.client.key();
await askPortal(portal, cookie, "keys.revoke", { keyId: unnamed.keyId });
const agents = await Promise.all([createKey("Claude Code", ["read"]), createKey("Cursor", ["read"])]);
await createKey("Notes importer", ["read", "write"], 30);
await send(extension, exampleMessages());
await send(extension, [message("config", { config: { queuedMessages: 0, isPaused: false, sites: "all" } }, new Date())]);
for (const [index, query] of ["lens", "flame graph", "sourdough", "ferry", "index only scan", "lighthouse"].entries())
  await ask(`/context/search?query=${encodeURIComponent(query)}`, agents[index % 2] ?? "");
await ask("/context/current", agents[0] ?? "");

const page = await chromium.open(`${portal.origin}/`, { ...size, cookie });
await page.waitForSelector("nav a[href='/keys']");
const paths = new Set(await page.$$eval("nav a[href]", (links) => links.map((link) => link.getAttribute("href") ?? "")));
for (const path of [...paths, "/account"])
  await shoot(page, path === "/" ? "now" : path.slice(1), path === "/explore" ? "/explore?query=lens" : path);
const found = (await ask("/context/search?query=fresnel&limit=1", agents[0] ?? "")) as { results: { contextId: string }[] };
await shoot(page, "context", `/contexts/${found.results[0]?.contextId}`);
const challenge = createHash("sha256").update(randomUUID()).digest("base64url");
const pairing = { challenge, origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop", name: "Chrome on my laptop" };
await shoot(page, "pair", `/pair?${new URLSearchParams(pairing).toString()}`);
await shoot(page, "authorize", await authorizePath(challenge));
const signIn = await chromium.open(`${portal.origin}/sign-in`, size);
await signIn.waitForSelector("[name=email]");
await shoot(signIn, "sign-in");

async function createKey(name: string, scopes: string[], expiresInDays: number | null = null): Promise<string> {
  const { key } = await askPortal<{ key: string }>(portal, cookie, "keys.create", {
    name,
    scopes,
    maxPrivacyLevel: "restricted",
    expiresInDays,
  });
  return key;
}

/** A month of reading, the last page now. What the picture of a search finds was read once. */
function exampleMessages(): object[] {
  const now = Date.now();
  const once = examplePages.filter(isFound).map((page, index) => readAt(page, now - (foundDaysAgo[index] ?? 20 + index) * dayMs));
  const often = examplePages.filter((page) => !isFound(page));
  const others = Array.from({ length: 150 }, (_, index) => {
    const page = often[index % often.length] ?? examplePages[0];
    const hours = index < 7 ? index * 0.4 + 0.2 : index * 4.5;
    return readAt(page, now - hours * 3_600_000);
  });
  return [...once, ...others];
}

function isFound({ title, content }: ExamplePage): boolean {
  return /\blens/.test(title + content);
}

function readAt({ url, title, content, type = "page", privacyLevel }: ExamplePage, at: number): object {
  const context = {
    id: randomUUID(),
    type,
    tabId: "7",
    capturedAt: new Date(at).toISOString(),
    content,
    contentFormat: "markdown",
    ...(privacyLevel !== undefined && { privacyLevel }),
    tabMetadata: { id: "7", url, title },
  };
  return message("create", { type: "context", operation: "create", context }, new Date(at));
}

function message(type: string, payload: object, at: Date): object {
  return { id: randomUUID(), extensionId: "chrome-4f2a", timestamp: at.toISOString(), type, payload };
}

/** Sends messages as an extension does, in batches. */
async function send(key: string, messages: object[]): Promise<void> {
  for (let from = 0; from < messages.length; from += 100) {
    const body = JSON.stringify({ id: randomUUID(), type: "batch", messages: messages.slice(from, from + 100) });
    await ask("/context/batch-sync", key, { method: "POST", body });
  }
}

async function ask(path: string, key: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch(portal.baseUrl + path, { ...init, headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}

/** The address that a program opens, to be allowed in. */
async function authorizePath(challenge: string): Promise<string> {
  const redirect_uri = "http://127.0.0.1:33418/callback";
  const body = JSON.stringify({ client_name: "Claude Code", redirect_uris: [redirect_uri] });
  const headers = { "Content-Type": "application/json" };
  const registered = await fetch(`${portal.origin}/oauth/register`, { method: "POST", headers, body });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = { response_type: "code", client_id, redirect_uri, scope: "read", code_challenge: challenge, code_challenge_method: "S256" };
  return `/authorize?${new URLSearchParams(query).toString()}`;
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(portal.origin + path);
  await page.waitForSelector("h1");
  await page.waitForFunction(() => document.querySelector("[aria-label='Loading'], .animate-pulse") === null);
  if (path === "/system") await page.evaluate(nameUsualFolder, portal.dataDir);
  if (path.startsWith("/authorize")) await page.waitForSelector("::-p-text(What it may do)");
  if (path !== "/api") return;
  const reference = await page.waitForSelector("iframe").then((frame) => frame?.contentFrame());
  await reference?.waitForSelector("::-p-text(Authentication)");
}

/** In the page: the server runs in a temporary directory, and a person's does not. */
function nameUsualFolder(dataDir: string): void {
  for (const text of document.querySelectorAll("main p, main span"))
    if (text.childElementCount === 0) text.textContent = text.textContent.replace(dataDir, "/home/ada/.local/share/periscope");
}

/** Takes a page as it is, or after it was opened at a path, in both themes. */
async function shoot(page: Page, name: string, path?: string): Promise<void> {
  await page.bringToFront();
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: scheme },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    if (path !== undefined) await visit(page, path);
    const file = scheme === "light" ? `portal-${name}.png` : `portal-${name}-dark.png`;
    await writeFile(new URL(file, images), await page.screenshot());
  }
}
